//! The queues: how much waits, and dead letters with their reasons.

use axum::{
    Json,
    body::Body,
    extract::{Query, State},
    http::{Response, StatusCode},
};
use emulator::Emulator;
use queue::Queue;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{failure, refusal, shown};
use crate::{Stack, dead_letters_name, queue_name};

/// Most dead letters that are shown of a queue.
const SHOWN: u32 = 100;

/// How many messages wait in each queue, and how many dead letters it has.
pub(super) async fn list(State(stack): State<Stack>) -> Response<Body> {
    let depth = |name: String| {
        let depth = stack.emulator().queue_depth(&name);
        depth.map_or(Value::Null, |depth| json!(depth.visible + depth.in_flight + depth.delayed))
    };
    let rows = Queue::ALL.map(|queue| {
        json!({
            "queue": queue.name(),
            "waiting": depth(queue_name(queue)),
            "dead": depth(dead_letters_name(queue)),
        })
    });
    shown(json!({ "queues": rows }))
}

/// Which queue is meant.
#[derive(Deserialize)]
pub(super) struct Named {
    queue: String,
}

impl Named {
    /// The names of the queue and of its dead letters.
    fn queues(&self) -> Option<(String, String)> {
        let queue = Queue::ALL.into_iter().find(|queue| queue.name() == self.queue)?;
        Some((queue_name(queue), dead_letters_name(queue)))
    }
}

fn no_such_queue() -> Response<Body> {
    refusal(StatusCode::NOT_FOUND, "There is no such queue.")
}

/// The newest dead letters of a queue.
pub(super) async fn dead_letters(
    State(stack): State<Stack>,
    Query(named): Query<Named>,
) -> Response<Body> {
    let Some((_, dead)) = named.queues() else { return no_such_queue() };
    let Ok(letters) = stack.emulator().queue_messages(&dead, SHOWN) else {
        return failure("The dead letters cannot be read.");
    };
    let letters = letters.into_iter().map(|letter| {
        let attribute = |name: &str| letter.attributes[name]["StringValue"].clone();
        json!({
            "id": letter.id,
            "at": letter.sent_at,
            "reason": attribute("reason"),
            "worker": attribute("worker"),
            "body": serde_json::from_str(&letter.body).unwrap_or(Value::String(letter.body)),
        })
    });
    shown(json!({ "items": letters.collect::<Vec<_>>() }))
}

/// Puts the dead letters of a queue back into it.
pub(super) async fn redrive(
    State(stack): State<Stack>,
    Json(named): Json<Named>,
) -> Response<Body> {
    let Some((queue, dead)) = named.queues() else { return no_such_queue() };
    let [dead, queue] = [dead, queue].map(|name| Emulator::queue_arn(&name));
    let task = json!({ "SourceArn": dead, "DestinationArn": queue });
    match stack.emulator().sqs("StartMessageMoveTask", task).await {
        Ok(_) => shown(json!({})),
        Err(_) => failure("The dead letters cannot be moved."),
    }
}
