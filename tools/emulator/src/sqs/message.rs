//! Sending.

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Map, Value, json};

use super::digest;
use super::queue::Queue;
use super::schema::random;
use super::wire::{SqsError, integer, required, text};

/// Retention of a deduplication identifier in a FIFO queue, in milliseconds.
const DEDUPLICATION: i64 = 5 * 60 * 1000;

const OTHER_QUEUE_TYPE: &str =
    "The request include parameter that is not valid for this queue type";

/// The size of a message for its limit.
pub(super) fn size(entry: &Value) -> usize {
    let attributes = entry["MessageAttributes"].as_object().into_iter().flatten();
    let attributes = attributes.map(|(name, attribute)| {
        let kind = attribute["DataType"].as_str().unwrap_or_default();
        name.len() + kind.len() + digest::value(attribute).1.len()
    });
    text(entry, "MessageBody").unwrap_or_default().len() + attributes.sum::<usize>()
}

pub(super) fn send(
    db: &Connection,
    queue: &Queue,
    entry: &Value,
    now: i64,
) -> Result<Value, SqsError> {
    let body = required(entry, "MessageBody")?;
    let attributes = checked(queue, entry, body)?;
    let delay = match integer(entry, "DelaySeconds", 0..=900)? {
        Some(delay) if queue.is_fifo() && delay > 0 => {
            return Err(SqsError::invalid("DelaySeconds", delay, OTHER_QUEUE_TYPE));
        }
        delay => delay.unwrap_or_else(|| queue.number("DelaySeconds")),
    };
    let group = identifier(entry, "MessageGroupId")?;
    let deduplication = identifier(entry, "MessageDeduplicationId")?.map(str::to_owned);
    let deduplication = if queue.is_fifo() {
        let group = group.ok_or_else(|| SqsError::missing("MessageGroupId"))?;
        Some(fifo_key(queue, group, deduplication, body)?)
    } else if let Some(id) = deduplication {
        return Err(SqsError::invalid("MessageDeduplicationId", id, OTHER_QUEUE_TYPE));
    } else {
        None
    };
    let system = entry["MessageSystemAttributes"].as_object().cloned().unwrap_or_default();
    let mut reply = json!({ "MD5OfMessageBody": digest::of_body(body) });
    if !attributes.is_empty() {
        reply["MD5OfMessageAttributes"] = json!(digest::of_attributes(&attributes));
    }
    if !system.is_empty() {
        reply["MD5OfMessageSystemAttributes"] = json!(digest::of_attributes(&system));
    }
    if let Some((key, _)) = &deduplication
        && let Some((message_id, sequence)) = remembered(db, queue, key, now)?
    {
        reply["MessageId"] = json!(message_id);
        reply["SequenceNumber"] = json!(sequence_number(sequence));
        return Ok(reply);
    }
    let message_id = uuid(&random(db)?);
    db.prepare_cached(
        "insert into messages (queue_id, message_id, body, attributes, system_attributes,
             group_id, deduplication_id, sent_at, visible_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        queue.id,
        message_id,
        body,
        serde_json::to_string(&attributes)?,
        serde_json::to_string(&system)?,
        group,
        deduplication.as_ref().map(|(_, id)| id),
        now,
        now + delay * 1000,
    ])?;
    let sequence = db.last_insert_rowid();
    if let Some((key, _)) = deduplication {
        db.prepare_cached("insert into deduplication values (?1, ?2, ?3, ?4, ?5)")?
            .execute(params![queue.id, key, message_id, sequence, now])?;
        reply["SequenceNumber"] = json!(sequence_number(sequence));
    }
    reply["MessageId"] = json!(message_id);
    Ok(reply)
}

/// Checks size, characters and attributes; returns the attributes.
fn checked(queue: &Queue, entry: &Value, body: &str) -> Result<Map<String, Value>, SqsError> {
    let limit = queue.number("MaximumMessageSize");
    if i64::try_from(size(entry)).is_ok_and(|size| size > limit) {
        return Err(SqsError::sender(
            "InvalidParameterValue",
            format!(
                "One or more parameters are invalid. \
                 Reason: Message must be shorter than {limit} bytes."
            ),
        ));
    }
    if body.contains(is_outside) {
        let message = "The message contains characters outside the allowed set.";
        return Err(SqsError::sender("InvalidMessageContents", message));
    }
    let attributes = entry["MessageAttributes"].as_object().cloned().unwrap_or_default();
    if attributes.len() > 10 {
        let reason = "A message has at most 10 attributes.";
        return Err(SqsError::invalid("MessageAttributes", attributes.len(), reason));
    }
    for (name, attribute) in &attributes {
        let kind = attribute["DataType"].as_str().unwrap_or_default();
        let kind = kind.split('.').next().unwrap_or_default();
        let field = if kind == "Binary" { "BinaryValue" } else { "StringValue" };
        let known = matches!(kind, "String" | "Number" | "Binary");
        let empty = attribute[field].as_str().is_none_or(str::is_empty);
        if !known || empty || !is_attribute_name(name) {
            let reason = "It must have a name, a type and a value that is not empty.";
            return Err(SqsError::invalid("MessageAttributes", name, reason));
        }
        if attribute["StringValue"].as_str().is_some_and(|value| value.contains(is_outside)) {
            let reason = "The value contains characters outside the allowed set.";
            return Err(SqsError::invalid("MessageAttributes", name, reason));
        }
    }
    Ok(attributes)
}

/// Characters outside XML 1.0, which SQS refuses.
fn is_outside(c: char) -> bool {
    (c < ' ' && !matches!(c, '\t' | '\n' | '\r')) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

fn is_attribute_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let reserved = ["aws.", "amazon."];
    let lower = name.to_ascii_lowercase();
    (1..=256).contains(&name.len())
        && name.chars().all(plain)
        && !name.starts_with('.')
        && !name.ends_with('.')
        && !name.contains("..")
        && !reserved.iter().any(|start| lower.starts_with(start))
}

fn identifier<'a>(entry: &'a Value, parameter: &str) -> Result<Option<&'a str>, SqsError> {
    let Some(id) = text(entry, parameter) else { return Ok(None) };
    if (1..=128).contains(&id.len()) && id.chars().all(|c| c.is_ascii_graphic()) {
        Ok(Some(id))
    } else {
        let reason = "It must have 1 to 128 alphanumeric or punctuation characters.";
        Err(SqsError::invalid(parameter, id, reason))
    }
}

/// The deduplication key of a FIFO queue, and the identifier for the receiver.
fn fifo_key(
    queue: &Queue,
    group: &str,
    given: Option<String>,
    body: &str,
) -> Result<(String, String), SqsError> {
    let id = match given {
        Some(id) => id,
        None if queue.is_set("ContentBasedDeduplication") => digest::of_body(body),
        None => {
            return Err(SqsError::sender(
                "InvalidParameterValue",
                "The queue should either have ContentBasedDeduplication enabled or \
                 MessageDeduplicationId provided explicitly",
            ));
        }
    };
    let by_group = queue.attributes.get("DeduplicationScope").is_some_and(|s| s == "messageGroup");
    let key = if by_group { format!("{group} {id}") } else { id.clone() };
    Ok((key, id))
}

fn remembered(
    db: &Connection,
    queue: &Queue,
    key: &str,
    now: i64,
) -> Result<Option<(String, i64)>, SqsError> {
    db.prepare_cached("delete from deduplication where queue_id = ?1 and sent_at <= ?2")?
        .execute(params![queue.id, now - DEDUPLICATION])?;
    let sql = "select message_id, sequence from deduplication where queue_id = ?1 and key = ?2";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
    Ok(db.prepare_cached(sql)?.query_row(params![queue.id, key], read).optional()?)
}

pub(super) fn sequence_number(id: i64) -> String {
    format!("{id:020}")
}

/// Random hexadecimal digits in the form of a version 4 UUID.
pub(super) fn uuid(hex: &str) -> String {
    let part = |range: std::ops::Range<usize>| hex.get(range).unwrap_or_default();
    format!("{}-{}-4{}-a{}-{}", part(0..8), part(8..12), part(13..16), part(17..20), part(20..32))
}
