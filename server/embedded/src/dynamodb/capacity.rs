//! Consumed capacity: always requested, and returned to clients that requested it.

use serde_json::{Value, json};

const FIELD: &str = "ReturnConsumedCapacity";

/// Makes the request return its consumed capacity; returns whether it did already.
pub(super) fn ask(operation: &str, request: &mut Value) -> bool {
    let metered = matches!(
        operation,
        "PutItem"
            | "GetItem"
            | "UpdateItem"
            | "DeleteItem"
            | "Query"
            | "Scan"
            | "BatchGetItem"
            | "BatchWriteItem"
            | "TransactGetItems"
            | "TransactWriteItems"
            | "ExecuteStatement"
            | "BatchExecuteStatement"
            | "ExecuteTransaction"
    );
    let asked = !matches!(request[FIELD].as_str(), None | Some("NONE"));
    if metered
        && !asked
        && let Some(request) = request.as_object_mut()
    {
        request.insert(FIELD.into(), json!("TOTAL"));
    }
    asked
}

/// The units of a reply: of one table, or of several.
pub(super) fn units(reply: &Value) -> f64 {
    let one = |consumed: &Value| consumed["CapacityUnits"].as_f64().unwrap_or(0.0);
    match &reply["ConsumedCapacity"] {
        Value::Array(tables) => tables.iter().map(one).sum(),
        table => one(table),
    }
}
