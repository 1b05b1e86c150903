//! Receipt handles: deletion of a received message, and change of its visibility.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use super::queue::Queue;
use super::wire::{SqsError, integer, required};

struct Handle {
    message: i64,
    receipt: String,
}

pub(super) fn handle(queue: &Queue, message: i64, receipt: &str) -> String {
    URL_SAFE.encode(format!("{} {message} {receipt}", queue.id))
}

fn parse(queue: &Queue, entry: &Value) -> Result<Handle, SqsError> {
    let text = required(entry, "ReceiptHandle")?;
    let read = || {
        let text = String::from_utf8(URL_SAFE.decode(text).ok()?).ok()?;
        let mut parts = text.split(' ');
        let owner: i64 = parts.next()?.parse().ok()?;
        let message = parts.next()?.parse().ok()?;
        let receipt = parts.next()?.to_owned();
        (owner == queue.id).then_some(Handle { message, receipt })
    };
    read().ok_or_else(|| {
        let message = format!("The input receipt handle \"{text}\" is not a valid receipt handle.");
        SqsError::sender("ReceiptHandleIsInvalid", message)
    })
}

/// The time at which the message is visible again, if the handle is of its most recent receipt.
fn current(db: &Connection, queue: &Queue, handle: &Handle) -> Result<Option<i64>, SqsError> {
    let sql = "select visible_at from messages where id = ?1 and queue_id = ?2 and receipt = ?3";
    let key = params![handle.message, queue.id, handle.receipt];
    Ok(db.prepare_cached(sql)?.query_row(key, |row| row.get(0)).optional()?)
}

/// Deletes a message by its most recent receipt; an earlier one deletes nothing, without an error.
pub(super) fn delete(db: &Connection, queue: &Queue, entry: &Value) -> Result<(), SqsError> {
    let handle = parse(queue, entry)?;
    db.prepare_cached("delete from messages where id = ?1 and queue_id = ?2 and receipt = ?3")?
        .execute(params![handle.message, queue.id, handle.receipt])?;
    Ok(())
}

pub(super) fn change_visibility(
    db: &Connection,
    queue: &Queue,
    entry: &Value,
    now: i64,
) -> Result<(), SqsError> {
    let handle = parse(queue, entry)?;
    let seconds = integer(entry, "VisibilityTimeout", 0..=43_200)?
        .ok_or_else(|| SqsError::missing("VisibilityTimeout"))?;
    match current(db, queue, &handle)? {
        Some(visible_at) if visible_at > now => {
            db.prepare_cached("update messages set visible_at = ?1 where id = ?2")?
                .execute(params![now + seconds * 1000, handle.message])?;
            Ok(())
        }
        _ => Err(SqsError::sender(
            "MessageNotInflight",
            "The message does not exist or is not in flight by this receipt.",
        )),
    }
}
