//! The queues: how much waits, and dead letters with their reasons.

use axum::{
    Json,
    body::Body,
    extract::{Query, State},
    http::{Response, StatusCode},
};
use queue::Queue;
use serde::Deserialize;
use serde_json::json;

use super::{failure, refusal, shown};
use crate::{Stack, queues};

/// How many messages wait in each queue, and how many dead letters it has.
pub(super) async fn list(State(stack): State<Stack>) -> Response<Body> {
    shown(json!({ "queues": stack.queues() }))
}

/// The queue that is meant.
#[derive(Deserialize)]
pub(super) struct Named {
    queue: String,
}

impl Named {
    fn queue(&self) -> Option<Queue> {
        queues::named(&self.queue)
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
    let Some(queue) = named.queue() else { return no_such_queue() };
    match stack.dead_letters(queue) {
        Ok(letters) => shown(json!({ "items": letters })),
        Err(reason) => failure(&reason),
    }
}

/// Puts the dead letters of a queue back into it.
pub(super) async fn redrive(
    State(stack): State<Stack>,
    Json(named): Json<Named>,
) -> Response<Body> {
    let Some(queue) = named.queue() else { return no_such_queue() };
    match stack.redrive(queue).await {
        Ok(_) => shown(json!({})),
        Err(reason) => failure(&reason),
    }
}
