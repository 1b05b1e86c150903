//! Sending.

use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};

use super::digest;
use super::queue::Queue;
use super::schema::random;
use super::wire::{SqsError, integer, required, text};

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
    let delay = integer(entry, "DelaySeconds", 0..=900)?;
    let delay = delay.unwrap_or_else(|| queue.number("DelaySeconds"));
    let group = identifier(entry, "MessageGroupId")?;
    if let Some(id) = text(entry, "MessageDeduplicationId") {
        return Err(SqsError::invalid("MessageDeduplicationId", id, OTHER_QUEUE_TYPE));
    }
    let system = entry["MessageSystemAttributes"].as_object().cloned().unwrap_or_default();
    let message_id = uuid(&random(db)?);
    let mut reply = json!({ "MessageId": message_id, "MD5OfMessageBody": digest::of_body(body) });
    if !attributes.is_empty() {
        reply["MD5OfMessageAttributes"] = json!(digest::of_attributes(&attributes));
    }
    if !system.is_empty() {
        reply["MD5OfMessageSystemAttributes"] = json!(digest::of_attributes(&system));
    }
    db.prepare_cached(
        "insert into messages (queue_id, message_id, body, attributes, system_attributes,
             group_id, sent_at, visible_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        queue.id,
        message_id,
        body,
        serde_json::to_string(&attributes)?,
        serde_json::to_string(&system)?,
        group,
        now,
        now + delay * 1000,
    ])?;
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

/// Random hexadecimal digits in the form of a version 4 UUID.
pub(super) fn uuid(hex: &str) -> String {
    let part = |range: std::ops::Range<usize>| hex.get(range).unwrap_or_default();
    format!("{}-{}-4{}-a{}-{}", part(0..8), part(8..12), part(13..16), part(17..20), part(20..32))
}
