//! `GET /ready`, and the end of a service.

use std::time::Duration;

use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    routing::{MethodRouter, get},
};
use serde_json::{Value, json};

use crate::Stack;

/// Age of unread stream records at which the service is not ready.
const MAX_LAG: Duration = Duration::from_secs(60);

impl Stack {
    /// Ends the service: it is no longer ready, and its workers begin nothing. Returns when what
    /// they had begun is finished.
    pub async fn end_work(&self) {
        self.inner.readiness.end().await;
    }

    /// Why the service is not ready, if it is not.
    async fn not_ready(&self) -> Result<(), String> {
        if self.inner.readiness.is_ending() {
            return Err("The service is ending.".to_owned());
        }
        let written = self.inner.emulator.prove_writable().await;
        written.map_err(|error| format!("A database cannot be written: {error}"))?;
        match self.inner.readiness.lag(self.environment().now()) {
            Some((stream, lag)) if lag > MAX_LAG => {
                Err(format!("The stream {stream} is {} s behind.", lag.as_secs()))
            }
            _ => Ok(()),
        }
    }
}

async fn ready(State(stack): State<Stack>) -> (StatusCode, Json<Value>) {
    match stack.not_ready().await {
        Ok(()) => (StatusCode::OK, Json(json!({ "status": "ready" }))),
        Err(reason) => {
            let body = json!({ "status": "not ready", "reason": reason });
            (StatusCode::SERVICE_UNAVAILABLE, Json(body))
        }
    }
}

/// `GET /ready`.
pub(crate) fn routes() -> Router<Stack> {
    let ready: MethodRouter<Stack> = get(ready);
    Router::new().route("/ready", ready)
}
