//! `GET /ready`, and the end of a service.

use std::time::Duration;

use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    routing::{MethodRouter, get},
};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::Stack;

/// Age of unread stream records at which the service is not ready.
const MAX_LAG: Duration = Duration::from_secs(60);
/// Time for a write to both databases.
const PATIENCE: Duration = Duration::from_secs(5);

impl Stack {
    /// Ends the service: it is no longer ready, and its workers begin nothing. Returns when what
    /// they had begun is finished.
    pub async fn end_work(&self) {
        self.inner.readiness.end().await;
    }

    /// Why the service is not ready, if it is not.
    pub(crate) async fn not_ready(&self) -> Result<(), String> {
        if self.inner.readiness.is_ending() {
            return Err("The service is ending.".to_owned());
        }
        let find = || {
            let emulator = self.emulator().clone();
            async move {
                match timeout(PATIENCE, emulator.prove_writable()).await {
                    Ok(written) => written.map_err(|error| error.to_string()),
                    Err(_) => Err("it does not answer".to_owned()),
                }
            }
        };
        let written = self.inner.readiness.writable.get(find).await;
        written
            .unwrap_or_else(|| Err("the proof panicked".to_owned()))
            .map_err(|error| format!("A database cannot be written: {error}"))?;
        let lags = self.inner.readiness.lags(self.environment().now());
        match lags.into_iter().max_by_key(|(_, lag)| *lag) {
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
