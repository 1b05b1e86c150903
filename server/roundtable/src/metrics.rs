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

use std::{
    sync::{Arc, PoisonError},
    time::Instant,
};

use axum::{
    body::Body,
    extract::{Request, State},
    http::{Method, Response},
    middleware::Next,
};
use prometheus_client::encoding::prometheus_text;
use service::PageSpec;

use self::figures::OfCall;
use crate::Stack;

pub use endpoint::serve_metrics;
pub(crate) use figures::Metrics;

/// The operation of requests that belong to none.
const OTHER: &str = "other";

impl Stack {
    /// All figures as they are now; those that have to be looked up are at most a second old.
    pub(crate) async fn figures(&self) -> String {
        let metrics = &self.inner.metrics;
        let look_up = || {
            let stack = self.clone();
            async move { Arc::new(look_up::sample(&stack).await) }
        };
        let sample = metrics.sampled.get(look_up).await.unwrap_or_default();
        *metrics.latest.0.lock().unwrap_or_else(PoisonError::into_inner) = sample;
        let mut text = String::new();
        // Encoding fails only when the writer fails, and writing to a string does not.
        let _ = prometheus_text::encode(&mut text, &metrics.registry);
        text
    }

    /// The operation or page of a request, by its name in the registry.
    fn operation_of(&self, request: &Request) -> &'static str {
        let (inner, path) = (&self.inner, request.uri().path());
        if request.method() == Method::POST
            && let Some(route) = inner.routes.get(path)
        {
            return route.spec.name;
        }
        let is_visit = PageSpec::METHODS.contains(&request.method().as_str());
        let page = inner.pages.iter().find(|page| is_visit && page.has(path));
        page.map_or(OTHER, |page| page.name)
    }
}

/// Notes how long a request takes, until its reply begins.
pub(crate) async fn measure(
    State(stack): State<Stack>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let (began, operation) = (Instant::now(), stack.operation_of(&request));
    let response = next.run(request).await;
    let of_call = OfCall { operation, status: response.status().as_u16() };
    let calls = &stack.inner.metrics.calls;
    calls.get_or_create(&of_call).observe(began.elapsed().as_secs_f64());
    response
}
