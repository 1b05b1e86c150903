//! Figures of the service, in the text format of Prometheus.
//!
//! Functions know nothing of them. Counted events pass an edge of this process: the gateway, the
//! databases, the port by which webhooks tell of their attempts. The state at a moment is looked up
//! for a scrape ([`sample`]). No label names a tenant, and each has a fixed set of values.

mod endpoint;
mod figures;
mod look_up;
#[cfg(test)]
mod names;
mod process;
mod sample;

use std::{path::PathBuf, sync::Arc, time::Instant};

use axum::{
    body::Body,
    extract::{Request, State},
    http::Response,
    middleware::Next,
};
use prometheus_client::encoding::prometheus_text;

use self::figures::OfCall;
use super::health::Health;
use crate::host::Functions;

pub(crate) use endpoint::serve;
pub(crate) use figures::Metrics;

/// The operation of requests that belong to none.
const OTHER: &str = "other";

/// The figures of a service, with the places where gauges are looked up.
#[derive(Clone)]
pub(crate) struct Scraped {
    metrics: Arc<Metrics>,
    health: Health,
    /// The data folder.
    dir: Option<PathBuf>,
}

impl Scraped {
    pub(crate) fn new(metrics: Arc<Metrics>, health: Health, dir: Option<PathBuf>) -> Self {
        Self { metrics, health, dir }
    }

    /// All figures as they are now; those that have to be looked up are at most a second old.
    async fn figures(&self) -> String {
        let metrics = &self.metrics;
        let look_up = || {
            let (health, dir) = (self.health.clone(), self.dir.clone());
            async move { Arc::new(look_up::sample(health, dir).await) }
        };
        let sample = metrics.sampled.get(look_up).await.unwrap_or_default();
        *metrics.latest.0.lock() = sample;
        let mut text = String::new();
        // Encoding fails only when the writer fails, and writing to a string does not.
        let _ = prometheus_text::encode(&mut text, &metrics.registry);
        text
    }
}

/// The histogram of calls, and the functions whose calls it counts.
#[derive(Clone)]
pub(crate) struct Measured {
    metrics: Arc<Metrics>,
    functions: Arc<Functions>,
}

impl Measured {
    pub(crate) fn new(metrics: Arc<Metrics>, functions: Arc<Functions>) -> Self {
        Self { metrics, functions }
    }

    /// The operation or page of a request, by its name in the registry.
    fn operation_of(&self, request: &Request) -> &'static str {
        let (method, path) = (request.method(), request.uri().path());
        match self.functions.operation(method, path) {
            Some(route) => route.spec.name,
            None => self.functions.page(method, path).map_or(OTHER, |page| page.name),
        }
    }
}

/// Notes how long a request takes, until its reply begins.
pub(crate) async fn measure(
    State(measured): State<Measured>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let (began, operation) = (Instant::now(), measured.operation_of(&request));
    let response = next.run(request).await;
    let of_call = OfCall { operation, status: response.status().as_u16() };
    let calls = &measured.metrics.calls;
    calls.get_or_create(&of_call).observe(began.elapsed().as_secs_f64());
    response
}
