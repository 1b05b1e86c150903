//! The queues for people: how much waits, and dead letters with their reasons.

use embedded::EmbeddedServices;
use queue::Queue;
use serde::Serialize;
use serde_json::{Value, json};

use crate::host::{dead_letters_name, queue_name};

/// Most dead letters that are shown of a queue.
const SHOWN: u32 = 100;

/// A queue with the number of its messages; none where it cannot be read.
#[derive(Serialize)]
pub(crate) struct Depth {
    pub(crate) queue: &'static str,
    /// Messages that wait for their worker or are with it.
    pub(crate) waiting: Option<u64>,
    pub(crate) dead: Option<u64>,
}

/// A dead letter.
#[derive(Serialize)]
pub(crate) struct Letter {
    id: String,
    /// When it was sent, in epoch milliseconds.
    at: i64,
    reason: Value,
    worker: Value,
    /// The message, as its sender wrote it.
    body: Value,
}

/// The queue of this name.
pub(crate) fn named(name: &str) -> Option<Queue> {
    Queue::ALL.into_iter().find(|queue| queue.name() == name)
}

/// How many messages wait in each queue, and how many dead letters it has.
pub(crate) fn depths(embedded: &EmbeddedServices) -> Vec<Depth> {
    let depth = |name: String| {
        let depth = embedded.queue_depth(&name).ok()?;
        Some(depth.visible + depth.in_flight + depth.delayed)
    };
    let depths = Queue::ALL.map(|queue| Depth {
        queue: queue.name(),
        waiting: depth(queue_name(queue)),
        dead: depth(dead_letters_name(queue)),
    });
    depths.into()
}

/// The newest dead letters of a queue.
///
/// # Errors
/// A sentence: they cannot be read.
pub(crate) fn dead_letters(
    embedded: &EmbeddedServices,
    queue: Queue,
) -> Result<Vec<Letter>, String> {
    let letters = embedded.queue_messages(&dead_letters_name(queue), SHOWN);
    let letters = letters.map_err(|_| "The dead letters cannot be read.")?;
    let letters = letters.into_iter().map(|letter| {
        let attribute = |name: &str| letter.attributes[name]["StringValue"].clone();
        Letter {
            at: letter.sent_at,
            reason: attribute("reason"),
            worker: attribute("worker"),
            id: letter.id,
            body: serde_json::from_str(&letter.body).unwrap_or(Value::String(letter.body)),
        }
    });
    Ok(letters.collect())
}

/// Puts the dead letters of a queue back into it; returns how many it had.
///
/// # Errors
/// A sentence: they cannot be moved.
pub(crate) async fn redrive(embedded: &EmbeddedServices, queue: Queue) -> Result<u64, String> {
    let depth = embedded.queue_depth(&dead_letters_name(queue));
    let [dead, queue] = [dead_letters_name(queue), queue_name(queue)];
    let [dead, queue] = [dead, queue].map(|name| EmbeddedServices::queue_arn(&name));
    let task = json!({ "SourceArn": dead, "DestinationArn": queue });
    let moved = embedded.sqs("StartMessageMoveTask", task).await;
    moved.map_err(|_| "The dead letters cannot be moved.")?;
    Ok(depth.map_or(0, |depth| depth.visible))
}
