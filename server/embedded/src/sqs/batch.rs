//! Requests with several entries, each of which succeeds or fails by itself.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::message;
use super::wire::{SqsError, text};

const MOST_ENTRIES: usize = 10;

/// The most bytes all messages of a batch may have.
const MOST_BYTES: usize = 1024 * 1024;

/// Runs `work` on every entry, or with `half` on the first half of them, failing the rest.
pub(super) fn each(
    request: &Value,
    half: bool,
    mut work: impl FnMut(&Value) -> Result<Value, SqsError>,
) -> Result<Value, SqsError> {
    let entries = request["Entries"].as_array().map(Vec::as_slice).unwrap_or_default();
    check(entries)?;
    let (mut successful, mut failed) = (Vec::new(), Vec::new());
    for (index, entry) in entries.iter().enumerate() {
        let result = if half && index >= entries.len() / 2 {
            Err(SqsError::internal("The entry was not processed."))
        } else {
            work(entry)
        };
        match result {
            Ok(mut reply) => {
                reply["Id"] = entry["Id"].clone();
                successful.push(reply);
            }
            Err(error) => failed.push(json!({
                "Id": entry["Id"],
                "SenderFault": error.sender_fault(),
                "Code": error.code,
                "Message": error.message,
            })),
        }
    }
    Ok(json!({ "Successful": successful, "Failed": failed }))
}

fn check(entries: &[Value]) -> Result<(), SqsError> {
    if entries.is_empty() {
        let message = "There should be at least one entry in the request.";
        return Err(SqsError::sender("EmptyBatchRequest", message));
    }
    if entries.len() > MOST_ENTRIES {
        let count = entries.len();
        let message = format!(
            "Maximum number of entries per request are {MOST_ENTRIES}. You have sent {count}."
        );
        return Err(SqsError::sender("TooManyEntriesInBatchRequest", message));
    }
    let mut ids = HashSet::new();
    for entry in entries {
        let id = text(entry, "Id").unwrap_or_default();
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if id.is_empty() || id.len() > 80 || !id.chars().all(plain) {
            let message = "A batch entry id can only contain alphanumeric characters, hyphens \
                           and underscores. It can be at most 80 letters long.";
            return Err(SqsError::sender("InvalidBatchEntryId", message));
        }
        if !ids.insert(id) {
            let message = format!("Id {id} repeated.");
            return Err(SqsError::sender("BatchEntryIdsNotDistinct", message));
        }
    }
    let bytes: usize = entries.iter().map(message::size).sum();
    if bytes > MOST_BYTES {
        let message = format!(
            "Batch requests cannot be longer than {MOST_BYTES} bytes. You have sent {bytes} bytes."
        );
        return Err(SqsError::sender("BatchRequestTooLong", message));
    }
    Ok(())
}
