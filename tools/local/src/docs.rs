//! The OpenAPI document and a page to browse it and to try it. All assets are in this repository;
//! the page loads nothing else.

use axum::{
    Router,
    body::Body,
    http::{Response, header},
    routing::get,
};

use crate::Stack;

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

fn content(kind: &str, body: impl Into<Body>) -> Response<Body> {
    let response = Response::builder()
        .header(header::CONTENT_TYPE, kind)
        .header(header::CONTENT_SECURITY_POLICY, POLICY)
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    response.body(body.into()).unwrap_or_default()
}
