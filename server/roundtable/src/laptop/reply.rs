//! Replies of pages to their scripts.

use axum::{
    body::Body,
    http::{Response, StatusCode, header},
};
use serde_json::{Value, json};

pub(super) fn refusal(status: StatusCode, message: &str) -> Response<Body> {
    let body = json!({ "message": message }).to_string();
    let response = Response::builder().status(status);
    response.header(header::CONTENT_TYPE, "application/json").body(body.into()).unwrap_or_default()
}

pub(super) fn failure(message: &str) -> Response<Body> {
    refusal(StatusCode::INTERNAL_SERVER_ERROR, message)
}

pub(super) fn shown(value: Value) -> Response<Body> {
    let response = Response::builder().header(header::CONTENT_TYPE, "application/json");
    response.body(Body::from(value.to_string())).unwrap_or_default()
}
