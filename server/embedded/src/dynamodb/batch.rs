//! Partially executed batches.

use serde_json::{Map, Value, json};

/// The unprocessed part of a batch.
pub(super) struct Undone {
    field: &'static str,
    tables: Map<String, Value>,
    /// Whether the other part is empty, which the store would refuse.
    pub(super) nothing_to_do: bool,
}

/// Removes the second half of a batch from the request, the larger one for an odd number.
pub(super) fn split(operation: &str, request: &mut Value) -> Option<Undone> {
    let field = match operation {
        "BatchWriteItem" => "UnprocessedItems",
        "BatchGetItem" => "UnprocessedKeys",
        _ => return None,
    };
    let tables = request["RequestItems"].as_object_mut()?;
    let total: usize = tables.values_mut().filter_map(entries).map(|list| list.len()).sum();
    let mut room = total / 2;
    let mut undone_tables = Map::new();
    for (name, table) in tables.iter_mut() {
        let mut rest = table.clone();
        let (Some(done), Some(undone)) = (entries(table), entries(&mut rest)) else { continue };
        let here = room.min(done.len());
        done.truncate(here);
        undone.drain(..here);
        room -= here;
        if !undone.is_empty() {
            undone_tables.insert(name.clone(), rest);
        }
    }
    tables.retain(|_, table| entries(table).is_none_or(|list| !list.is_empty()));
    let nothing_to_do = tables.is_empty() && total > 0;
    Some(Undone { field, tables: undone_tables, nothing_to_do })
}

fn entries(table: &mut Value) -> Option<&mut Vec<Value>> {
    match table {
        Value::Array(requests) => Some(requests),
        keys => keys.get_mut("Keys")?.as_array_mut(),
    }
}

impl Undone {
    pub(super) fn add_to(self, reply: &mut Value) {
        if self.field == "UnprocessedKeys" && reply["Responses"].is_null() {
            reply["Responses"] = json!({});
        }
        reply[self.field] = Value::Object(self.tables);
    }
}
