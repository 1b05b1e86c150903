//! The queues: how much waits, and dead letters with their reasons.

use axum::{
    Json,
    body::Body,
    extract::{Query, State},
    http::{Response, StatusCode},
};
use embedded::EmbeddedServices;
use queue::Queue;
use serde::Deserialize;
use serde_json::json;

use crate::{
    data::queues,
    laptop::reply::{failure, refusal, shown},
};

/// How many messages wait in each queue, and how many dead letters it has.
pub(super) async fn list(State(embedded): State<EmbeddedServices>) -> Response<Body> {
    shown(json!({ "queues": queues::depths(&embedded) }))
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
    State(embedded): State<EmbeddedServices>,
    Query(named): Query<Named>,
) -> Response<Body> {
    let Some(queue) = named.queue() else { return no_such_queue() };
    match queues::dead_letters(&embedded, queue) {
        Ok(letters) => shown(json!({ "items": letters })),
        Err(reason) => failure(&reason),
    }
}

/// Puts the dead letters of a queue back into it.
pub(super) async fn redrive(
    State(embedded): State<EmbeddedServices>,
    Json(named): Json<Named>,
) -> Response<Body> {
    let Some(queue) = named.queue() else { return no_such_queue() };
    match queues::redrive(&embedded, queue).await {
        Ok(_) => shown(json!({})),
        Err(reason) => failure(&reason),
    }
}
