//! The messages of queues, dead letters included: read without deleting them, and sent with the rest
//! of their delay.

use std::{collections::BTreeMap, time::Duration};

use embedded::{EmbeddedServices, StoredMessage};
use queue::Queue;
use serde_json::{Value, json};

use super::place::Stack;
use crate::host::PREFIX;

/// Messages of one request, and its longest bodies together.
const BATCH: usize = 10;
const BATCH_BYTES: usize = 900_000;
/// Attempts for messages that were not accepted.
const ATTEMPTS: u64 = 5;
/// How long received messages stay invisible in the source, in seconds; they are returned before.
const HELD: u32 = 900;
/// Empty replies of a queue with messages after which it counts as read.
const EMPTY: u32 = 3;
/// The longest delay of a message, in milliseconds.
const LONGEST_DELAY: i64 = 900_000;

/// The names of all queues, without prefix.
pub(crate) fn names() -> impl Iterator<Item = String> {
    Queue::ALL.into_iter().flat_map(|queue| [queue.name().to_owned(), queue.dead_letters()])
}

/// The messages of a queue of a data folder. Receivers of messages ended with the process.
///
/// # Errors
/// A sentence: they cannot be read.
pub(crate) fn stored(
    embedded: &EmbeddedServices,
    name: &str,
    now: i64,
) -> Result<Vec<Value>, String> {
    let found = embedded.stored_messages(&format!("{PREFIX}{name}")).map_err(|e| e.to_string())?;
    let line = |message: StoredMessage| {
        json!({
            "body": message.body,
            "attributes": message.attributes,
            "group": message.group,
            "due": message.visible_at.max(now),
            "delaySeconds": (message.visible_at - now).max(0) / 1000,
            "receives": message.received,
        })
    };
    Ok(found.into_iter().map(line).collect())
}

/// The messages of a queue of an account, which are visible there again afterwards.
///
/// # Errors
/// A sentence: messages are delayed or in flight, which nobody can read, or a call failed.
pub(crate) async fn received(place: &Stack, name: &str, now: i64) -> Result<Vec<Value>, String> {
    let url = place.queue(name).await?;
    let count = |attribute: &str| format!("ApproximateNumberOfMessages{attribute}");
    let request = json!({ "QueueUrl": url, "AttributeNames": ["All"] });
    let found = place.sqs("GetQueueAttributes", request).await?;
    let number = |attribute: &str| -> u64 {
        let number = found["Attributes"][count(attribute)].as_str();
        number.and_then(|number| number.parse().ok()).unwrap_or(0)
    };
    let hidden = number("NotVisible") + number("Delayed");
    if hidden > 0 {
        return Err(format!(
            "{hidden} messages of the queue {name} are delayed or in flight: wait until their \
             workers are done, at most 15 minutes"
        ));
    }
    let (mut messages, mut handles) = (BTreeMap::new(), vec![]);
    let mut empty = if number("") == 0 { EMPTY - 1 } else { 0 };
    while empty < EMPTY {
        let request = json!({
            "QueueUrl": url,
            "MaxNumberOfMessages": BATCH,
            "VisibilityTimeout": HELD,
            "WaitTimeSeconds": 1,
            "MessageSystemAttributeNames": ["All"],
            "MessageAttributeNames": ["All"],
        });
        let mut reply = place.sqs("ReceiveMessage", request).await?;
        let Value::Array(batch) = reply["Messages"].take() else {
            empty += 1;
            continue;
        };
        for message in batch {
            handles.push(message["ReceiptHandle"].clone());
            let id = message["MessageId"].as_str().unwrap_or_default().to_owned();
            messages.insert(id, line(&message, now));
        }
    }
    for batch in handles.chunks(BATCH) {
        let entry = |(n, handle): (usize, &Value)| json!({ "Id": n.to_string(), "ReceiptHandle": handle, "VisibilityTimeout": 0 });
        let entries: Vec<Value> = batch.iter().enumerate().map(entry).collect();
        let request = json!({ "QueueUrl": url, "Entries": entries });
        place.sqs("ChangeMessageVisibilityBatch", request).await?;
    }
    Ok(messages.into_values().collect())
}

fn line(message: &Value, now: i64) -> Value {
    let system = &message["Attributes"];
    let receives = system["ApproximateReceiveCount"].as_str().and_then(|n| n.parse::<i64>().ok());
    let attributes = message["MessageAttributes"].as_object().cloned().unwrap_or_default();
    json!({
        "body": message["Body"],
        "attributes": attributes,
        "group": system["MessageGroupId"],
        "due": now,
        "delaySeconds": 0,
        "receives": receives.unwrap_or(1) - 1,
    })
}

/// Sends the next messages to a queue; returns their number, 0 at the end.
///
/// # Errors
/// A sentence: a message was refused, or the call failed.
pub(crate) async fn send_next(
    place: &Stack,
    url: &Value,
    messages: &mut std::iter::Peekable<impl Iterator<Item = std::io::Result<Value>>>,
    now: i64,
) -> Result<u64, String> {
    let (mut entries, mut bytes): (Vec<Value>, usize) = (vec![], 0);
    while entries.len() < BATCH {
        let length = |message: &std::io::Result<Value>| match message {
            Ok(message) => message["body"].as_str().unwrap_or_default().len(),
            Err(_) => 0,
        };
        let Some(length) = messages.peek().map(length) else { break };
        if !entries.is_empty() && bytes + length > BATCH_BYTES {
            break;
        }
        let Some(message) = messages.next() else { break };
        bytes += length;
        entries.push(entry(entries.len(), message.map_err(|e| e.to_string())?, now));
    }
    let (sent, mut attempt) = (entries.len() as u64, 0);
    while !entries.is_empty() {
        let request = json!({ "QueueUrl": url, "Entries": entries });
        let reply = place.sqs("SendMessageBatch", request).await?;
        let failed = reply["Failed"].as_array().cloned().unwrap_or_default();
        entries.retain(|entry| failed.iter().any(|failed| failed["Id"] == entry["Id"]));
        attempt += 1;
        if let Some(reason) = failed.first().filter(|_| attempt == ATTEMPTS) {
            return Err(format!("a message was refused: {reason}"));
        }
        if !failed.is_empty() {
            tokio::time::sleep(Duration::from_millis(100 * attempt)).await;
        }
    }
    Ok(sent)
}

fn entry(n: usize, mut message: Value, now: i64) -> Value {
    let rest = message["due"].as_i64().unwrap_or(0).saturating_sub(now).clamp(0, LONGEST_DELAY);
    let mut entry = json!({
        "Id": n.to_string(),
        "MessageBody": message["body"].take(),
        "DelaySeconds": rest.div_euclid(1000),
    });
    if let Value::Object(attributes) = message["attributes"].take()
        && !attributes.is_empty()
    {
        entry["MessageAttributes"] = attributes.into();
    }
    if message["group"].is_string() {
        entry["MessageGroupId"] = message["group"].take();
    }
    entry
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::entry;

    #[test]
    fn a_message_keeps_the_rest_of_its_delay() {
        let message = |due: i64| json!({ "body": "b", "attributes": {}, "group": "g", "due": due });
        for (due, seconds) in [(900_000, 800), (100_500, 0), (5_000, 0), (10_000_000, 900)] {
            let entry = entry(0, message(due), 100_000);
            let expected = json!({
                "Id": "0", "MessageBody": "b", "DelaySeconds": seconds, "MessageGroupId": "g",
            });
            assert_eq!(entry, expected);
        }
        let letter = json!({
            "body": "b", "due": 0, "group": null,
            "attributes": { "reason": { "DataType": "String", "StringValue": "late" } },
        });
        let sent = entry(3, letter, 1);
        assert_eq!(sent["MessageAttributes"]["reason"]["StringValue"], "late");
        assert!(sent.get("MessageGroupId").is_none());
    }
}
