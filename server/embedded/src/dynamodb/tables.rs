//! Direct calls of tests and the local stack.

use std::cmp::Ordering;

use dynoxide::DynoxideError;
use serde_json::{Value, json};

use super::Store;
use crate::base::Error;

impl Store {
    pub(crate) fn create_table(&self, request: Value) -> Result<(), Error> {
        let stream = json!({
            "TableName": request["TableName"],
            "StreamSpecification": request["StreamSpecification"],
        });
        match self.run("CreateTable", request) {
            Ok(_) => Ok(()),
            Err(DynoxideError::ResourceInUseException(_)) => self.enable_stream(stream),
            Err(error) => Err(error.into()),
        }
    }

    /// Adds a stream to a table of an earlier version.
    fn enable_stream(&self, request: Value) -> Result<(), Error> {
        let table = request["TableName"].as_str().unwrap_or_default();
        let described = self.engine().storage.get_table_metadata(table)?;
        let has_stream = described.is_some_and(|table| table.stream_enabled);
        if !has_stream && !request["StreamSpecification"].is_null() {
            self.run("UpdateTable", request)?;
        }
        Ok(())
    }

    pub(crate) fn enable_time_to_live(&self, table: &str, attribute: &str) -> Result<(), Error> {
        let specification = json!({ "AttributeName": attribute, "Enabled": true });
        let request = json!({ "TableName": table, "TimeToLiveSpecification": specification });
        self.run("UpdateTimeToLive", request)?;
        Ok(())
    }

    pub(crate) fn dump(&self, table: &str) -> Result<Vec<Value>, Error> {
        let described = self.engine().storage.get_table_metadata(table)?;
        let schema: Vec<Value> = match described {
            Some(table) => serde_json::from_str(&table.key_schema)?,
            None => return Err(Error::Shape(format!("there is no table {table}"))),
        };
        let mut items = Vec::new();
        let mut start = Value::Null;
        loop {
            let mut request = json!({ "TableName": table, "ConsistentRead": true });
            if !start.is_null() {
                request["ExclusiveStartKey"] = start;
            }
            let mut page = self.run("Scan", request)?;
            if let Value::Array(page) = page["Items"].take() {
                items.extend(page);
            }
            start = page["LastEvaluatedKey"].take();
            if start.is_null() {
                break;
            }
        }
        let names: Vec<&str> =
            schema.iter().filter_map(|key| key["AttributeName"].as_str()).collect();
        items.sort_by(|a, b| {
            let order = names.iter().map(|name| compare(&a[*name], &b[*name]));
            order.fold(Ordering::Equal, Ordering::then)
        });
        Ok(items)
    }

    pub(crate) fn in_partitions(&self, table: &str, prefix: &str) -> Result<Vec<Value>, Error> {
        let engine = self.engine();
        let mut statement = engine.storage.conn().prepare_cached(&of_partitions(table))?;
        let (from, to) = (format!("S:{prefix}"), format!("S:{prefix}\u{10ffff}"));
        let mut rows = statement.query([from, to])?;
        let mut items = Vec::new();
        while let Some(row) = rows.next()? {
            let json = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            items.push(serde_json::from_str(json)?);
        }
        Ok(items)
    }
}

/// Reads items whose partition keys lie between two texts.
fn of_partitions(table: &str) -> String {
    let table = table.replace('"', "\"\"");
    format!("select item_json from \"{table}\" where pk between ?1 and ?2")
}

fn compare(a: &Value, b: &Value) -> Ordering {
    let number = |value: &Value| value["N"].as_str().and_then(|n| n.parse::<f64>().ok());
    if let (Some(a), Some(b)) = (number(a), number(b)) {
        return a.total_cmp(&b);
    }
    let text =
        |value: &Value| value["S"].as_str().or(value["B"].as_str()).unwrap_or_default().to_owned();
    text(a).cmp(&text(b))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{
        super::tests::{plan, put, store},
        of_partitions,
    };

    #[test]
    fn partitions_are_found_by_what_their_keys_begin_with() {
        let (store, _) = store();
        for key in ["a#1", "b#1", "b#2", "b#é", "b$", "c#1"] {
            put(&store, key, json!({}));
        }
        let found = store.in_partitions("items", "b#").unwrap();
        let keys: Vec<&str> = found.iter().map(|item| item["pk"]["S"].as_str().unwrap()).collect();
        assert_eq!(keys, ["b#1", "b#2", "b#é"]);
        let plan = plan(&store, &of_partitions("items"));
        assert!(plan.contains("SEARCH items"), "{plan}");
    }
}
