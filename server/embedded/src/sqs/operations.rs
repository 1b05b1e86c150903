//! The operations, except for receiving, by name.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::queue::{Queue, path};
use super::schema::random;
use super::wire::{SqsError, integer, required, string_map, strings, text};
use super::{attributes, batch, message, receipt, redrive};

pub(super) fn run(
    db: &Connection,
    operation: &str,
    request: &Value,
    host: &str,
    half: bool,
    now: i64,
) -> Result<Value, SqsError> {
    let url = |queue: &Queue| json!(format!("http://{host}{}", path(&queue.name)));
    match operation {
        "CreateQueue" => Ok(json!({ "QueueUrl": url(&create(db, request, now)?) })),
        "GetQueueUrl" => {
            let queue = Queue::named(db, required(request, "QueueName")?)?;
            Ok(json!({ "QueueUrl": url(&queue) }))
        }
        "ListQueues" => list(db, request, url),
        "DeleteQueue" => empty(Queue::named_in(db, request)?.delete(db)),
        "PurgeQueue" => empty(Queue::named_in(db, request)?.purge(db)),
        "GetQueueAttributes" => {
            let queue = Queue::named_in(db, request)?;
            let wanted = strings(request, "AttributeNames");
            Ok(json!({ "Attributes": attributes::shown(db, &queue, &wanted, now)? }))
        }
        "SetQueueAttributes" => {
            let given = string_map(request, "Attributes")?;
            empty(Queue::named_in(db, request)?.set(db, &given, now))
        }
        "StartMessageMoveTask" => {
            redrive::move_back(db, request, now)?;
            Ok(json!({ "TaskHandle": random(db)? }))
        }
        _ => on_messages(db, operation, request, half, now),
    }
}

fn on_messages(
    db: &Connection,
    operation: &str,
    request: &Value,
    half: bool,
    now: i64,
) -> Result<Value, SqsError> {
    let one: fn(&Connection, &Queue, &Value, i64) -> Result<Value, SqsError> =
        match operation.strip_suffix("Batch").unwrap_or(operation) {
            "SendMessage" => message::send,
            "DeleteMessage" => |db, queue, entry, _| empty(receipt::delete(db, queue, entry)),
            "ChangeMessageVisibility" => {
                |db, queue, entry, now| empty(receipt::change_visibility(db, queue, entry, now))
            }
            _ => {
                let message = format!("The action {operation} is not valid for this endpoint.");
                return Err(SqsError::sender("InvalidAction", message));
            }
        };
    let queue = Queue::named_in(db, request)?;
    if operation.ends_with("Batch") {
        batch::each(request, half, |entry| one(db, &queue, entry, now))
    } else {
        one(db, &queue, request, now)
    }
}

/// An existing queue matches a request only with all its attributes.
fn create(db: &Connection, request: &Value, now: i64) -> Result<Queue, SqsError> {
    let name = required(request, "QueueName")?;
    let given = string_map(request, "Attributes")?;
    if let Some(queue) = Queue::find(db, name)? {
        let has = attributes::effective(&queue);
        if given.iter().all(|(name, value)| has.get(name) == Some(value)) {
            return Ok(queue);
        }
        let message = "A queue already exists with the same name and a different value for \
                       an attribute.";
        return Err(SqsError::sender("QueueNameExists", message));
    }
    Queue::create(db, name, &given, now)?;
    Queue::named(db, name)
}

fn list(
    db: &Connection,
    request: &Value,
    url: impl Fn(&Queue) -> Value,
) -> Result<Value, SqsError> {
    let prefix = text(request, "QueueNamePrefix").unwrap_or_default();
    let after = text(request, "NextToken").unwrap_or_default();
    let limit = integer(request, "MaxResults", 1..=1000)?.unwrap_or(1000);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut queues = Queue::all(db)?;
    queues.retain(|queue| queue.name.starts_with(prefix) && queue.name.as_str() > after);
    let more = queues.len() > limit;
    queues.truncate(limit);
    let mut reply = json!({ "QueueUrls": queues.iter().map(url).collect::<Vec<_>>() });
    if more && let Some(last) = queues.last() {
        reply["NextToken"] = json!(last.name);
    }
    Ok(reply)
}

fn empty(done: Result<(), SqsError>) -> Result<Value, SqsError> {
    done.map(|()| json!({}))
}
