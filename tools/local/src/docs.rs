//! The OpenAPI document and a page to browse it and to try it. All assets are in this repository;
//! the page loads nothing else.

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderMap, Response, header},
    routing::get,
};

use crate::{Stack, outbox};

const OPENAPI: &str = include_str!("../../../openapi.json");
const PAGE: &str = include_str!("../assets/docs.html");
const STYLE: &str = include_str!("../assets/docs.css");
const SCRIPT: &str = include_str!("../assets/docs.js");
/// Compressed.
const SCALAR: &[u8] = include_bytes!("../assets/scalar.js.gz");

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

pub(crate) fn routes() -> Router<Stack> {
    Router::new()
        .route("/openapi.json", get(|| async { content("application/json", OPENAPI) }))
        .route("/docs", get(root))
        .route("/docs/", get(|| async { content("text/html; charset=utf-8", PAGE) }))
        .route("/docs/docs.css", get(|| async { content("text/css", STYLE) }))
        .route("/docs/docs.js", get(|| async { content("text/javascript", SCRIPT) }))
        .route("/docs/scalar.js", get(scalar))
}

/// The admin token, which the page creates a workspace with. For this machine's user only.
pub(crate) fn operator_routes() -> Router<Stack> {
    Router::new().route("/docs/operator.json", get(operator))
}

async fn root() -> Response<Body> {
    let moved = Response::builder().status(302).header(header::LOCATION, "/docs/");
    moved.body(Body::empty()).unwrap_or_default()
}

async fn scalar() -> Response<Body> {
    let response = Response::builder()
        .header(header::CONTENT_TYPE, "text/javascript")
        .header(header::CONTENT_ENCODING, "gzip");
    response.body(Body::from(SCALAR)).unwrap_or_default()
}

async fn operator(State(stack): State<Stack>, headers: HeaderMap) -> Response<Body> {
    if !outbox::is_here(&headers) {
        return Response::builder().status(404).body(Body::empty()).unwrap_or_default();
    }
    let token = serde_json::json!({ "adminToken": stack.inner.config.admin_token });
    content("application/json", token.to_string())
}

fn content(kind: &str, body: impl Into<Body>) -> Response<Body> {
    let response = Response::builder()
        .header(header::CONTENT_TYPE, kind)
        .header(header::CONTENT_SECURITY_POLICY, POLICY)
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    response.body(body.into()).unwrap_or_default()
}
