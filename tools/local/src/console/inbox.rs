//! A receiver of webhooks: nobody needs a tunnel to see a delivery, or to see one fail.

use axum::{
    body::{Body, Bytes},
    extract::{Path, Query, State},
    http::{HeaderMap, Response, StatusCode},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Stack;

/// How a delivery is answered.
#[derive(Deserialize)]
pub(crate) struct Manner {
    /// The status; 200 when absent.
    status: Option<u16>,
    /// How many attempts of each message are answered with it, the rest with 200; all when absent.
    times: Option<usize>,
}

/// Takes a delivery at any path below `/inbox/`.
pub(crate) async fn receive(
    State(stack): State<Stack>,
    Path(name): Path<String>,
    Query(manner): Query<Manner>,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let id = headers.get("webhook-id").and_then(|id| id.to_str().ok()).unwrap_or_default();
    let inbox = &stack.inner.console.inbox;
    let earlier = inbox.count(|delivery| delivery["id"] == id && delivery["name"] == *name);
    let is_failing = manner.times.is_none_or(|times| earlier < times);
    let status = manner.status.filter(|_| is_failing).unwrap_or(200);
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    let text = |value: &axum::http::HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let headers: Map<String, Value> =
        headers.iter().map(|(name, value)| (name.to_string(), text(value).into())).collect();
    inbox.note(json!({
        "at": stack.environment().now(),
        "name": name,
        "id": id,
        "attempt": earlier + 1,
        "status": status.as_u16(),
        "headers": headers,
        "body": serde_json::from_slice::<Value>(&body).unwrap_or_default(),
    }));
    let mut response = Response::default();
    *response.status_mut() = status;
    response
}
