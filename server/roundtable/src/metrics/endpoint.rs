//! The listener of scrapes.

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, Response, StatusCode, header},
    middleware::from_fn,
    routing::get,
};
use prometheus_client::encoding::prometheus_text::CONTENT_TYPE;
use subtle::ConstantTimeEq;
use tokio::net::TcpListener;

use crate::{
    Stack, gateway, health,
    lifted::is_lifted,
    listener::{self, ConnectionLimits, METRICS_CONNECTIONS},
    public_url::require_this_machine,
};

/// Serves the figures of a stack at `/metrics`, and `/health` and `/ready` as the gateway does, for
/// ever. With a `token`, readers of figures have to send it as `Authorization: Bearer`; without one,
/// only names of this machine are answered.
pub async fn serve_metrics(stack: Stack, listener: TcpListener, token: Option<String>) {
    let is_open = token.is_none();
    let bearer = token.map(|token| format!("Bearer {token}"));
    let scrape = move |State(stack): State<Stack>, headers: HeaderMap| {
        let bearer = bearer.clone();
        async move { answer(&stack, &headers, bearer.as_deref()).await }
    };
    let router = Router::new()
        .route("/metrics", get(scrape))
        .route("/health", get(gateway::handle))
        .merge(health::routes())
        .with_state(stack);
    let router = if is_open { router.layer(from_fn(require_this_machine)) } else { router };
    let connections = if is_lifted("metrics") { usize::MAX } else { METRICS_CONNECTIONS };
    let limits = ConnectionLimits {
        connections,
        of_address: connections / 4,
        ..ConnectionLimits::default()
    };
    listener::serve(listener, router, limits, std::future::pending()).await;
}

async fn answer(stack: &Stack, headers: &HeaderMap, bearer: Option<&str>) -> Response<Body> {
    let sent = headers.get(header::AUTHORIZATION).map_or(&[][..], HeaderValue::as_bytes);
    if bearer.is_some_and(|bearer| !bool::from(bearer.as_bytes().ct_eq(sent))) {
        let mut refused = Response::default();
        *refused.status_mut() = StatusCode::UNAUTHORIZED;
        let challenge = HeaderValue::from_static("Bearer");
        refused.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        return refused;
    }
    let mut response = Response::new(Body::from(stack.figures().await));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(CONTENT_TYPE));
    response
}
