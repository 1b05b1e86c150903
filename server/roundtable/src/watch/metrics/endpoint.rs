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

use super::Scraped;
use crate::net::{
    ConnectionLimits, is_lifted,
    listener::{self, METRICS_CONNECTIONS},
    require_this_machine,
};

/// Serves figures at `/metrics`, and `probes` beside them, for ever. With a `token`, readers of figures
/// have to send it as `Authorization: Bearer`; without one, only names of this machine are answered.
pub(crate) async fn serve(
    scraped: Scraped,
    probes: Router,
    listener: TcpListener,
    token: Option<String>,
) {
    let is_open = token.is_none();
    let bearer = token.map(|token| format!("Bearer {token}"));
    let scrape = move |State(scraped): State<Scraped>, headers: HeaderMap| {
        let bearer = bearer.clone();
        async move { answer(&scraped, &headers, bearer.as_deref()).await }
    };
    let router = Router::new().route("/metrics", get(scrape)).with_state(scraped).merge(probes);
    let router = if is_open { router.layer(from_fn(require_this_machine)) } else { router };
    let connections = if is_lifted("metrics") { usize::MAX } else { METRICS_CONNECTIONS };
    let limits = ConnectionLimits {
        connections,
        of_address: connections / 4,
        ..ConnectionLimits::default()
    };
    listener::serve(listener, router, limits, std::future::pending()).await;
}

async fn answer(scraped: &Scraped, headers: &HeaderMap, bearer: Option<&str>) -> Response<Body> {
    let sent = headers.get(header::AUTHORIZATION).map_or(&[][..], HeaderValue::as_bytes);
    if bearer.is_some_and(|bearer| !bool::from(bearer.as_bytes().ct_eq(sent))) {
        let mut refused = Response::default();
        *refused.status_mut() = StatusCode::UNAUTHORIZED;
        let challenge = HeaderValue::from_static("Bearer");
        refused.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        return refused;
    }
    let mut response = Response::new(Body::from(scraped.figures().await));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(CONTENT_TYPE));
    response
}
