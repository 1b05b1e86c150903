//! Reads by whole keys, from the tables of dynoxide: the stored text of an item is the text of the
//! reply. dynoxide would read it into attributes and write them again, and compile its statement
//! for each call.
//!
//! A request with anything unusual is left to dynoxide, which also words refusals. The tests compare
//! the replies of both.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use dynoxide::storage::Storage;
use dynoxide::types::read_capacity_units_with_consistency;
use rusqlite::{Connection, OptionalExtension as _};
use serde_json::{Map, Value};

/// Most keys of a batch.
const MAX_KEYS: usize = 100;
/// Above so many bytes of items, a batch leaves keys unprocessed.
const MAX_REPLY: usize = 16 * 1024 * 1024;
const MAX_PARTITION_KEY: usize = 2048;
const MAX_SORT_KEY: usize = 1024;

/// The tables that were read, by their names.
#[derive(Default)]
pub(super) struct Tables(HashMap<String, Table>);

/// The key of a table, and the statement that finds an item.
struct Table {
    partition: String,
    sort: Option<String>,
    statement: String,
}

/// A reply and its capacity units.
pub(super) struct Read {
    pub(super) text: String,
    pub(super) units: f64,
}

/// Members of a request for the items of one table.
struct Wanted<'a> {
    name: &'a str,
    keys: Vec<&'a Value>,
    is_consistent: bool,
}

impl Tables {
    /// Forgets all, because tables have changed.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Answers a `GetItem` or `BatchGetItem`; none if dynoxide has to.
    pub(super) fn read(
        &mut self,
        storage: &Storage,
        operation: &str,
        request: &Value,
    ) -> Option<Read> {
        match operation {
            "GetItem" => self.get_item(storage, request.as_object()?),
            "BatchGetItem" => self.batch_get_item(storage, request.as_object()?),
            _ => None,
        }
    }

    fn get_item(&mut self, storage: &Storage, request: &Map<String, Value>) -> Option<Read> {
        only(request, &["TableName", "Key", "ConsistentRead", "ReturnConsumedCapacity"])?;
        let wanted = Wanted {
            name: request.get("TableName")?.as_str()?,
            keys: vec![request.get("Key")?],
            is_consistent: flag(request)?,
        };
        let shows_units = shows_units(request)?;
        let (items, units) = self.find(storage, &wanted, &mut 0)?;
        let mut text = "{".to_owned();
        if !items.is_empty() {
            write!(text, r#""Item":{items}"#).ok()?;
        }
        if shows_units {
            let separator = if items.is_empty() { "" } else { "," };
            let consumed = consumed(wanted.name, units);
            write!(text, r#"{separator}"ConsumedCapacity":{consumed}"#).ok()?;
        }
        text.push('}');
        Some(Read { text, units })
    }

    fn batch_get_item(&mut self, storage: &Storage, request: &Map<String, Value>) -> Option<Read> {
        only(request, &["RequestItems", "ReturnConsumedCapacity"])?;
        let (tables, shows_units) =
            (request.get("RequestItems")?.as_object()?, shows_units(request)?);
        let wanted = tables.iter().map(|(name, wanted)| {
            let wanted = wanted.as_object()?;
            only(wanted, &["Keys", "ConsistentRead"])?;
            let keys: Vec<&Value> = wanted.get("Keys")?.as_array()?.iter().collect();
            let is_consistent = flag(wanted)?;
            (!keys.is_empty()).then_some(Wanted { name, keys, is_consistent })
        });
        let wanted = wanted.collect::<Option<Vec<_>>>()?;
        if !(1..=MAX_KEYS).contains(&wanted.iter().map(|table| table.keys.len()).sum()) {
            return None;
        }
        let (mut responses, mut capacity, mut units, mut size) =
            (String::new(), String::new(), 0.0, 0);
        for table in &wanted {
            let (items, consumes) = self.find(storage, table, &mut size)?;
            let separator = if responses.is_empty() { "" } else { "," };
            write!(responses, r#"{separator}"{}":[{items}]"#, table.name).ok()?;
            write!(capacity, "{separator}{}", consumed(table.name, consumes)).ok()?;
            units += consumes;
        }
        let mut text = format!(r#"{{"Responses":{{{responses}}},"UnprocessedKeys":{{}}"#);
        if shows_units {
            write!(text, r#","ConsumedCapacity":[{capacity}]"#).ok()?;
        }
        text.push('}');
        Some(Read { text, units })
    }

    /// The items of a table, separated by commas, and their capacity units; adds their bytes to
    /// `size`.
    fn find(
        &mut self,
        storage: &Storage,
        wanted: &Wanted<'_>,
        size: &mut usize,
    ) -> Option<(String, f64)> {
        if !self.0.contains_key(wanted.name) {
            let table = Table::named(wanted.name, storage)?;
            self.0.insert(wanted.name.to_owned(), table);
        }
        let (table, connection) = (self.0.get(wanted.name)?, storage.conn());
        let (mut items, mut units, mut seen) = (String::new(), 0.0, HashSet::new());
        for key in &wanted.keys {
            let key = table.key(key)?;
            let item_size = append(connection, &table.statement, &key, &mut items)?;
            units += read_capacity_units_with_consistency(item_size, wanted.is_consistent);
            *size += item_size;
            let is_twice = wanted.keys.len() > 1 && !seen.insert(key);
            if is_twice || *size > MAX_REPLY {
                return None;
            }
        }
        Some((items, units))
    }
}

impl Table {
    fn named(name: &str, storage: &Storage) -> Option<Self> {
        let described = storage.get_table_metadata(name).ok()??;
        let schema: Vec<Value> = serde_json::from_str(&described.key_schema).ok()?;
        let attribute = |kind: &str| {
            let key = schema.iter().find(|key| key["KeyType"] == kind)?;
            key["AttributeName"].as_str().map(str::to_owned)
        };
        let quoted = name.replace('"', "\"\"");
        (described.table_status == "ACTIVE").then_some(Self {
            partition: attribute("HASH")?,
            sort: attribute("RANGE"),
            statement: format!(
                "select item_json, item_size from \"{quoted}\" where pk = ?1 and sk = ?2"
            ),
        })
    }

    /// A key of texts, as it is stored.
    fn key(&self, key: &Value) -> Option<[String; 2]> {
        let key = key.as_object()?;
        let stored = |attribute: &str, most: usize| {
            let value = key.get(attribute)?.as_object().filter(|value| value.len() == 1)?;
            let text = value.get("S")?.as_str()?;
            (1..=most).contains(&text.len()).then(|| format!("S:{text}"))
        };
        let partition = stored(&self.partition, MAX_PARTITION_KEY)?;
        let sort = match &self.sort {
            Some(attribute) => stored(attribute, MAX_SORT_KEY)?,
            None => String::new(),
        };
        let count = 1 + usize::from(self.sort.is_some());
        (key.len() == count).then_some([partition, sort])
    }
}

/// Adds an item to others if there is one; returns its size.
fn append(
    db: &Connection,
    statement: &str,
    key: &[String; 2],
    items: &mut String,
) -> Option<usize> {
    let mut statement = db.prepare_cached(statement).ok()?;
    let found = statement.query_row([&key[0], &key[1]], |row| {
        if !items.is_empty() {
            items.push(',');
        }
        items.push_str(row.get_ref(0)?.as_str()?);
        row.get(1)
    });
    Some(found.optional().ok()?.unwrap_or_default())
}

fn only(request: &Map<String, Value>, members: &[&str]) -> Option<()> {
    request.keys().all(|name| members.contains(&name.as_str())).then_some(())
}

fn flag(request: &Map<String, Value>) -> Option<bool> {
    request.get("ConsistentRead").map_or(Some(false), Value::as_bool)
}

fn shows_units(request: &Map<String, Value>) -> Option<bool> {
    match request.get("ReturnConsumedCapacity").map(Value::as_str) {
        None | Some(Some("NONE")) => Some(false),
        Some(Some("TOTAL")) => Some(true),
        Some(_) => None,
    }
}

fn consumed(table: &str, units: f64) -> String {
    format!(r#"{{"TableName":"{table}","CapacityUnits":{units:?}}}"#)
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use serde_json::{Value, json};

    use crate::dynamodb::Store;
    use crate::dynamodb::tests::{put, store};

    /// A store with a table `pairs` that has sort keys, and items of all types, besides `items`.
    fn filled() -> Store {
        let (store, _) = store();
        let attribute = |name: &str| json!({ "AttributeName": name, "AttributeType": "S" });
        let key = |name: &str, kind: &str| json!({ "AttributeName": name, "KeyType": kind });
        let table = json!({
            "TableName": "pairs",
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [key("PK", "HASH"), key("SK", "RANGE")],
            "AttributeDefinitions": [attribute("PK"), attribute("SK")],
        });
        store.create_table(table).unwrap();
        for n in 0..8 {
            let mut item = json!({
                "PK": { "S": (n % 3).to_string() }, "SK": { "S": n.to_string() },
                "text": { "S": "ü\"\n\u{1f600}".repeat(n * 300) }, "bytes": { "B": "AAEC" },
                "number": { "N": "1e3" }, "no": { "NULL": true }, "yes": { "BOOL": true },
                "numbers": { "NS": ["10", "9", "-1.50"] }, "texts": { "SS": ["b", "a"] },
                "list": { "L": [{ "M": { "a": { "S": "" } } }] },
            });
            put(&store, &n.to_string(), item.clone());
            item.as_object_mut().unwrap().remove("pk");
            store.run("PutItem", json!({ "TableName": "pairs", "Item": item })).unwrap();
        }
        store
    }

    /// A request that is mostly right.
    fn request(dice: &mut Rng) -> (&'static str, Value) {
        let text = |dice: &mut Rng| match dice.usize(..12) {
            0 => json!({ "S": "" }),
            1 => json!({ "N": "1" }),
            2 => json!({ "S": "0", "N": "1" }),
            3 => json!({ "S": "k".repeat([1024, 1025, 2048, 2049][dice.usize(..4)]) }),
            _ => json!({ "S": dice.usize(..9).to_string() }),
        };
        let key = |dice: &mut Rng| match dice.usize(..8) {
            0 => json!({ "pk": text(dice) }),
            1 => json!({ "PK": text(dice), "SK": text(dice), "other": text(dice) }),
            2 => json!({ "PK": text(dice), "SK": text(dice) }),
            _ => json!({ "PK": text(dice), "SK": { "S": dice.usize(..9).to_string() } }),
        };
        let mut request = json!({});
        match dice.usize(..6) {
            0 => {}
            1 => request["ReturnConsumedCapacity"] = json!("NONE"),
            2 => request["ReturnConsumedCapacity"] = json!("INDEXES"),
            3 => request["ReturnConsumedCapacity"] = json!("MUCH"),
            _ => request["ReturnConsumedCapacity"] = json!("TOTAL"),
        }
        let mut options = json!({});
        match dice.usize(..6) {
            0 => options["ConsistentRead"] = json!("true"),
            1 => options["ProjectionExpression"] = json!("SK"),
            2 => {}
            n => options["ConsistentRead"] = json!(n == 3),
        }
        let table = ["pairs", "pairs", "pairs", "items", "none"][dice.usize(..5)];
        if dice.usize(..2) == 0 {
            request.as_object_mut().unwrap().append(options.as_object_mut().unwrap());
            request["TableName"] = json!(table);
            request["Key"] = key(dice);
            return ("GetItem", request);
        }
        for table in [table, "items"].into_iter().take(1 + dice.usize(..2)) {
            let keys = |dice: &mut Rng| (0..dice.usize(..4)).map(|_| key(dice)).collect::<Vec<_>>();
            request["RequestItems"][table] = options.clone();
            request["RequestItems"][table]["Keys"] = match table {
                "items" => {
                    (0..dice.usize(..4)).map(|n| json!({ "pk": { "S": n.to_string() } })).collect()
                }
                _ => json!(keys(dice)),
            };
        }
        ("BatchGetItem", request)
    }

    /// Tables come in any order.
    fn sorted(mut reply: Value) -> Value {
        if let Some(tables) = reply["ConsumedCapacity"].as_array_mut() {
            tables.sort_by_key(|table| table["TableName"].as_str().map(str::to_owned));
        }
        reply
    }

    #[test]
    fn replies_are_those_of_dynoxide() {
        let (store, mut dice) = (filled(), Rng::with_seed(1));
        let mut answered = [0, 0];
        for _ in 0..20_000 {
            let (operation, request) = request(&mut dice);
            let Some(read) = store.engine().read(operation, &request) else { continue };
            let expected = store.run(operation, request.clone());
            let expected = expected.unwrap_or_else(|error| panic!("{request}: {error:?}"));
            let reply: Value = serde_json::from_str(&read.text).unwrap();
            assert_eq!(sorted(reply), sorted(expected), "{request}");
            let mut asked = request.clone();
            asked["ReturnConsumedCapacity"] = json!("TOTAL");
            let units = super::super::capacity::units(&store.run(operation, asked).unwrap());
            assert_eq!(read.units, units, "{request}");
            answered[usize::from(operation == "GetItem")] += 1;
        }
        assert!(answered.iter().all(|answered| *answered > 1_000), "{answered:?}");
    }
}
