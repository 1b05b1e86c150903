//! `GET /ready`.

use std::{sync::Arc, time::Duration};

use axum::{Json, Router, extract::State, http::StatusCode, routing::get};
use embedded::EmbeddedServices;
use serde_json::{Value, json};
use service::Clock;
use tokio::time::timeout;

use super::sampled::Sampled;
use crate::host::Work;

/// Age of unread stream records at which the service is not ready.
const MAX_LAG: Duration = Duration::from_secs(60);
/// Time for a write to both databases.
const PATIENCE: Duration = Duration::from_secs(5);

/// The parts that tell whether the service is ready for calls.
#[derive(Clone)]
pub(crate) struct Health {
    embedded: EmbeddedServices,
    work: Arc<Work>,
    clock: Clock,
    /// Whether both databases can be written.
    writable: Sampled<Result<(), String>>,
}

impl Health {
    pub(crate) fn new(embedded: EmbeddedServices, work: Arc<Work>, clock: Clock) -> Self {
        Self { embedded, work, clock, writable: Sampled::default() }
    }

    /// Why the service is not ready, if it is not.
    pub(super) async fn not_ready(&self) -> Result<(), String> {
        if self.work.is_ending() {
            return Err("The service is ending.".to_owned());
        }
        let find = || {
            let embedded = self.embedded.clone();
            async move {
                match timeout(PATIENCE, embedded.prove_writable()).await {
                    Ok(written) => written.map_err(|error| error.to_string()),
                    Err(_) => Err("it does not answer".to_owned()),
                }
            }
        };
        let written = self.writable.get(find).await;
        written
            .unwrap_or_else(|| Err("the proof panicked".to_owned()))
            .map_err(|error| format!("A database cannot be written: {error}"))?;
        match self.lags().into_iter().max_by_key(|(_, lag)| *lag) {
            Some((stream, lag)) if lag > MAX_LAG => {
                Err(format!("The stream {stream} is {} s behind.", lag.as_secs()))
            }
            _ => Ok(()),
        }
    }

    /// How far each stream is behind.
    pub(super) fn lags(&self) -> Vec<(String, Duration)> {
        self.work.lags(self.clock.now())
    }

    /// The services whose health this is.
    pub(super) fn embedded(&self) -> &EmbeddedServices {
        &self.embedded
    }

    /// `GET /ready`.
    pub(crate) fn routes(self) -> Router {
        Router::new().route("/ready", get(ready)).with_state(self)
    }
}

async fn ready(State(health): State<Health>) -> (StatusCode, Json<Value>) {
    match health.not_ready().await {
        Ok(()) => (StatusCode::OK, Json(json!({ "status": "ready" }))),
        Err(reason) => {
            let body = json!({ "status": "not ready", "reason": reason });
            (StatusCode::SERVICE_UNAVAILABLE, Json(body))
        }
    }
}
