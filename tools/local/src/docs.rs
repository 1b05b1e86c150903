//! The OpenAPI document and a page to browse it. All assets come out of a crate.

use std::sync::{Arc, OnceLock};

use axum::{
    body::Body,
    extract::Path,
    http::{Response, header},
};
use utoipa_swagger_ui::Config;

const OPENAPI: &str = include_str!("../../../openapi.json");

pub(crate) async fn openapi() -> Response<Body> {
    content("application/json", OPENAPI.as_bytes().to_vec())
}

pub(crate) async fn root() -> Response<Body> {
    let moved = Response::builder().status(302).header(header::LOCATION, "/docs/");
    moved.body(Body::empty()).unwrap_or_default()
}

pub(crate) async fn asset(path: Option<Path<String>>) -> Response<Body> {
    static CONFIG: OnceLock<Arc<Config<'static>>> = OnceLock::new();
    let config = CONFIG.get_or_init(|| Arc::new(Config::from("/openapi.json")));
    let path = path.map(|Path(path)| path).unwrap_or_default();
    match utoipa_swagger_ui::serve(&path, Arc::clone(config)) {
        Ok(Some(file)) => content(&file.content_type, file.bytes.into_owned()),
        _ => Response::builder().status(404).body(Body::empty()).unwrap_or_default(),
    }
}

fn content(kind: &str, bytes: Vec<u8>) -> Response<Body> {
    let response = Response::builder().header(header::CONTENT_TYPE, kind);
    response.body(Body::from(bytes)).unwrap_or_default()
}
