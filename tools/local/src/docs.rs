//! The OpenAPI document and a page to browse it and to try it. All assets are in this repository;
//! the page loads nothing else.

use axum::{Router, routing::get};

use crate::{
    Stack,
    assets::{asset, moved, zipped},
};

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
    let content = |kind, text: &'static str| get(move || async move { asset(POLICY, kind, text) });
    Router::new()
        .route("/openapi.json", content("application/json", OPENAPI))
        .route("/docs", get(|| async { moved("/docs/") }))
        .route("/docs/", content("text/html; charset=utf-8", PAGE))
        .route("/docs/docs.css", content("text/css", STYLE))
        .route("/docs/docs.js", content("text/javascript", SCRIPT))
        .route("/docs/scalar.js", get(|| async { zipped(POLICY, SCALAR) }))
}
