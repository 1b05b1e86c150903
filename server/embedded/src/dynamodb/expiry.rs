//! Items that have expired.
//!
//! dynoxide's own sweep reads every item of every table. An index on the attribute finds only the
//! expired ones.

use dynoxide::actions::delete_item::{self, DeleteItemRequest};
use dynoxide::storage::TableMetadata;
use dynoxide::types::Item;
use dynoxide::{AttributeValue, DynoxideError};
use rusqlite::params;
use serde_json::Value;

use super::Store;
use super::engine::{Engine, finished};
use crate::base::Error;

/// Items per deletion request.
const AT_ONCE: usize = 25;

/// The principal of the removal in the stream.
const SERVICE: &str = r#"{"type":"Service","principalId":"dynamodb.amazonaws.com"}"#;

/// A table whose items expire.
pub(super) struct Expiring {
    table: TableMetadata,
    /// The expiry of an item in SQL, null when it has none.
    expiry: String,
}

impl Store {
    /// Deletes expired items, a few at a time, so that calls get their turn.
    pub(super) fn delete_expired(&self) -> Result<usize, Error> {
        let mut deleted = 0;
        let tables = self.engine().storage.list_ttl_enabled_tables()?;
        for table in tables.into_iter().filter_map(Expiring::from_table) {
            self.engine().storage.conn().execute_batch(&table.index())?;
            loop {
                let engine = self.engine();
                let keys = table.expired(&engine)?;
                for key in &keys {
                    table.delete(&engine, key)?;
                }
                deleted += keys.len();
                drop(engine);
                if keys.len() < AT_ONCE {
                    break;
                }
                std::thread::sleep(super::TURN);
            }
        }
        Ok(deleted)
    }
}

impl Expiring {
    pub(super) fn from_table(table: TableMetadata) -> Option<Self> {
        let attribute = table.ttl_attribute.as_deref()?.replace('\'', "''");
        let expiry = format!("cast(item_json ->> '$.\"{attribute}\".N' as integer)");
        Some(Self { table, expiry })
    }

    fn name(&self) -> String {
        self.table.table_name.replace('"', "\"\"")
    }

    pub(super) fn index(&self) -> String {
        let (name, expiry) = (self.name(), &self.expiry);
        format!(
            "create index if not exists \"{name}::expiry\" on \"{name}\" ({expiry})
             where {expiry} is not null"
        )
    }

    pub(super) fn query(&self) -> String {
        let (name, expiry) = (self.name(), &self.expiry);
        format!("select item_json from \"{name}\" where {expiry} >= 0 and {expiry} < ?1 limit ?2")
    }

    fn expired(&self, engine: &Engine) -> Result<Vec<Item>, Error> {
        let now = i64::try_from(engine.now() / 1000).unwrap_or(i64::MAX);
        let schema: Value = serde_json::from_str(&self.table.key_schema)?;
        let names: Vec<&str> = schema.as_array().into_iter().flatten().filter_map(name).collect();
        let mut statement = engine.storage.conn().prepare_cached(&self.query())?;
        let mut rows = statement.query(params![now, AT_ONCE as i64])?;
        let mut keys = Vec::new();
        while let Some(row) = rows.next()? {
            let json = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            let item: Item = serde_json::from_str(json)?;
            let of_key = |(attribute, _): &(String, AttributeValue)| names.contains(&&**attribute);
            keys.push(item.into_iter().filter(of_key).collect());
        }
        Ok(keys)
    }

    fn delete(&self, engine: &Engine, key: &Item) -> Result<(), DynoxideError> {
        let storage = &engine.storage;
        let request = DeleteItemRequest {
            table_name: self.table.table_name.clone(),
            key: key.clone(),
            ..DeleteItemRequest::default()
        };
        finished(delete_item::execute(storage, request))?;
        if self.table.stream_enabled {
            // The record was the last row written, and cannot have been read yet.
            let db = storage.conn();
            db.prepare_cached("update _stream_records set user_identity = ?1 where id = ?2")?
                .execute(params![SERVICE, db.last_insert_rowid()])?;
        }
        Ok(())
    }
}

fn name(key: &Value) -> Option<&str> {
    key["AttributeName"].as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{plan, put, store};
    use super::*;

    #[test]
    fn what_has_expired_is_found_by_its_index() {
        let (store, _) = store();
        store.enable_time_to_live("items", "expires").unwrap();
        let now = store.engine().now() / 1000;
        for n in 0..AT_ONCE + 1 {
            put(&store, &format!("expired {n}"), json!({ "expires": { "N": "1" } }));
        }
        for (name, expires) in [("later", now.to_string()), ("before", "-1".to_owned())] {
            put(&store, name, json!({ "expires": { "N": expires } }));
        }
        put(&store, "text", json!({ "expires": { "S": "1" } }));
        put(&store, "never", json!({}));
        assert_eq!(store.sweep_expired().unwrap(), AT_ONCE + 1);
        assert_eq!(store.dump("items").unwrap().len(), 4);
        let tables = store.engine().storage.list_ttl_enabled_tables().unwrap();
        let table = tables.into_iter().find_map(Expiring::from_table).unwrap();
        let plan = plan(&store, &table.query());
        assert!(plan.contains("SEARCH items USING INDEX items::expiry"), "{plan}");
    }
}
