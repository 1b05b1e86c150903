//! The gallery of the kit: its parts in all their states. The page asks no service.

use axum::{Router, routing::get};

use super::{
    assets::{asset, moved, zipped},
    demo::POLICY,
};

const PAGE: &str = include_str!("../../demo/kit.html");
const STYLE: &str = include_str!("../../demo/kit.css");
/// Compressed.
const SCRIPT: &[u8] = include_bytes!("../../demo/kit.js.gz");
/// The style of the parts, which the demo has as well.
const PARTS: &str = include_str!("../../../../clients/typescript/src/ui/styles.css");

pub(super) fn routes() -> Router {
    let content = |kind, text: &'static str| get(move || async move { asset(POLICY, kind, text) });
    Router::new()
        .route("/kit", get(|| async { moved("/kit/") }))
        .route("/kit/", content("text/html; charset=utf-8", PAGE))
        .route("/kit/kit.css", content("text/css", STYLE))
        .route("/kit/kit.js", get(|| async { zipped(POLICY, SCRIPT) }))
        .route("/kit/styles.css", content("text/css", PARTS))
}
