//! Versions of items, for readers in this process: what was read is current for as long as its
//! version stays.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;

/// Number of counters, in half a megabyte. Items that share one have a read too many, and never one too few.
const COUNTERS: usize = 1 << 16;
/// The keys of tables whose items have versions.
const KEY: [&str; 2] = ["PK", "SK"];

/// The versions of all items.
pub(crate) struct Versions {
    hasher: RandomState,
    /// Raised by what names no keys.
    all: AtomicU64,
    counters: Box<[AtomicU64]>,
}

impl Default for Versions {
    fn default() -> Self {
        let counters = (0..COUNTERS).map(|_| AtomicU64::new(0)).collect();
        Self { hasher: RandomState::new(), all: AtomicU64::new(0), counters }
    }
}

/// The items that a write changes.
pub(crate) enum Changed {
    /// The items with these tables, partition and sort keys.
    Keys(Vec<(String, String, String)>),
    /// Nobody knows.
    Anything,
}

impl Changed {
    /// The items that a request changes if it is done.
    pub(crate) fn by(operation: &str, request: &Value) -> Self {
        let writes: Vec<(&str, &Value)> = match operation {
            "PutItem" | "UpdateItem" | "DeleteItem" => vec![(text(&request["TableName"]), request)],
            "TransactWriteItems" => {
                let actions = request["TransactItems"].as_array().into_iter().flatten();
                let actions = actions.filter_map(Value::as_object).flatten();
                let writes = actions.filter(|(verb, _)| *verb != "ConditionCheck");
                writes.map(|(_, write)| (text(&write["TableName"]), write)).collect()
            }
            "BatchWriteItem" => {
                let tables = request["RequestItems"].as_object().into_iter().flatten();
                let writes = tables.flat_map(|(table, writes)| {
                    let writes = writes.as_array().into_iter().flatten();
                    let writes = writes.filter_map(Value::as_object).flatten();
                    writes.map(move |(_, write)| (table.as_str(), write))
                });
                writes.collect()
            }
            _ => return Self::Anything,
        };
        let keys = writes.into_iter().map(|(table, write)| {
            let item = ["Item", "Key"].iter().find_map(|name| write.get(name))?;
            let [partition, sort] = KEY.map(|name| item[name]["S"].as_str());
            Some((table.to_owned(), partition?.to_owned(), sort?.to_owned()))
        });
        keys.collect::<Option<_>>().map_or(Self::Anything, Self::Keys)
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

impl Versions {
    /// The version of the items of a table whose keys begin with these.
    pub(crate) fn of(&self, table: &str, partition: &str, sort: &str) -> u64 {
        // Both only grow, so their sum stays only if both do.
        let counter = self.counter(table, partition, sort).load(Ordering::Acquire);
        counter + self.all.load(Ordering::Acquire)
    }

    /// Raises the versions of what a write changes, in its turn: nobody reads before it is done.
    pub(crate) fn raise(&self, changed: Changed) {
        let Changed::Keys(keys) = changed else { return self.raise_all() };
        for (table, partition, sort) in keys {
            let partition = format!("{partition}#");
            for begin in beginnings(&partition) {
                self.counter(&table, begin, "").fetch_add(1, Ordering::AcqRel);
            }
            for begin in beginnings(&sort).filter(|begin| !begin.is_empty()) {
                self.counter(&table, &partition, begin).fetch_add(1, Ordering::AcqRel);
            }
        }
    }

    /// Raises all of them.
    pub(crate) fn raise_all(&self) {
        self.all.fetch_add(1, Ordering::AcqRel);
    }

    fn counter(&self, table: &str, partition: &str, sort: &str) -> &AtomicU64 {
        let hash = self.hasher.hash_one((table, partition, sort));
        &self.counters[hash as usize % COUNTERS]
    }
}

/// The beginnings of a key that are empty or end with `#`.
fn beginnings(key: &str) -> impl Iterator<Item = &str> {
    let ends = key.match_indices('#').map(|(at, _)| at + 1);
    [0].into_iter().chain(ends).map(|end| &key[..end])
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Changed, Versions};

    fn key(partition: &str, sort: &str) -> Value {
        json!({ "PK": { "S": partition }, "SK": { "S": sort } })
    }

    /// Whether a write raises the version of the items whose keys begin with these.
    fn raises(operation: &str, request: &Value, (partition, sort): (&str, &str)) -> bool {
        let versions = Versions::default();
        let before = versions.of("t", partition, sort);
        versions.raise(Changed::by(operation, request));
        versions.of("t", partition, sort) != before
    }

    #[test]
    fn a_write_raises_the_versions_of_all_beginnings_of_its_keys() {
        let item = key("key#k#organization#o", "live#d#editor#e#connection#c");
        let put = json!({ "TableName": "t", "Item": item });
        let delete = json!({ "TableName": "t", "Key": item });
        let check = json!({ "ConditionCheck": { "TableName": "t", "Key": key("other", "x") } });
        let transaction = json!({ "TransactItems": [check, { "Update": delete }] });
        let batch = |item: Value| json!({ "RequestItems": { "s": [], "t": [item] } });
        for (operation, request) in [
            ("PutItem", put),
            ("DeleteItem", delete.clone()),
            ("UpdateItem", delete),
            ("TransactWriteItems", transaction),
            ("BatchWriteItem", batch(json!({ "PutRequest": { "Item": item } }))),
            ("BatchWriteItem", batch(json!({ "DeleteRequest": { "Key": item } }))),
        ] {
            for begin in [
                ("key#k#", ""),
                ("key#k#organization#o#", ""),
                ("key#k#organization#o#", "live#d#editor#e#connection#"),
            ] {
                assert!(raises(operation, &request, begin), "{operation} {begin:?}");
            }
            for other in [
                ("key#l#", ""),
                ("other#", ""),
                ("key#k#organization#o#", "live#d#editor#f#connection#"),
            ] {
                assert!(!raises(operation, &request, other), "{operation} {other:?}");
            }
        }
    }

    #[test]
    fn a_write_without_known_keys_raises_all_versions() {
        let statement = json!({ "Statements": [{ "Statement": "INSERT INTO \"t\" VALUE {}" }] });
        let keyless = json!({ "TableName": "t", "Item": { "pk": { "S": "a" } } });
        for (operation, request) in [("BatchExecuteStatement", statement), ("PutItem", keyless)] {
            assert!(raises(operation, &request, ("key#k#", "")), "{operation}");
        }
    }
}
