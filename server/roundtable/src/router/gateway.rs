//! The gateway: calls of operations, within the bounds of their payers.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderName, HeaderValue, Method, Response, StatusCode, header},
};
use service::{Effect, Names, cors};

use crate::{
    host::{Functions, Operations},
    net::{AccountLimits, Bounds, Large, Origin, Payers, listener},
};

/// The operations, and what bounds their calls.
#[derive(Clone)]
pub(super) struct Gateway {
    pub(super) functions: Arc<Functions>,
    pub(super) operations: Operations,
    pub(super) payers: Arc<Payers>,
    pub(super) bounds: Arc<Bounds>,
    pub(super) turns: Arc<AccountLimits>,
    /// Names of a compatible vendor.
    pub(super) names: Option<Arc<Names>>,
}

pub(super) async fn handle(State(gateway): State<Gateway>, request: Request) -> Response<Body> {
    let is_from_page = request.headers().contains_key(header::ORIGIN);
    let mut response = match is_preflight(&request) {
        true => preflight(gateway.names.as_deref()),
        false => serve_operation(gateway, request).await,
    };
    if is_from_page {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        headers.extend(list(header::ACCESS_CONTROL_EXPOSE_HEADERS, &cors::EXPOSED_HEADERS));
    }
    response
}

fn is_preflight(request: &Request) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS
        && headers.contains_key(header::ORIGIN)
        && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The CORS reply of API Gateway, as in `CorsConfiguration` of the template.
fn preflight(names: Option<&Names>) -> Response<Body> {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from(cors::MAX_AGE));
    let further = names.map(Names::page_headers).unwrap_or_default();
    let allowed: Vec<&str> =
        cors::ALLOWED_HEADERS.into_iter().chain(further.iter().map(String::as_str)).collect();
    headers.extend(list(header::ACCESS_CONTROL_ALLOW_HEADERS, &allowed));
    response
}

fn list(name: HeaderName, values: &[&str]) -> Option<(HeaderName, HeaderValue)> {
    HeaderValue::try_from(values.join(",")).ok().map(|value| (name, value))
}

async fn serve_operation(gateway: Gateway, request: Request) -> Response<Body> {
    let (mut parts, body) = request.into_parts();
    if let Some(names) = &gateway.names {
        names.complete(&mut parts.headers);
    }
    let origin = Origin::of(&parts.extensions);
    let Gateway { functions, operations, payers, bounds, turns, .. } = &gateway;
    let route = functions.operation(&parts.method, parts.uri.path());
    let payer = payers.of_call(route.map(|route| &route.spec), &parts.headers, origin);
    let client = parts.extensions.get::<Arc<listener::Client>>();
    if let Some(client) = client {
        client.is_judged(payer.is_proven());
    }
    // A client that sends a body slowly keeps neither its account nor others waiting.
    let body = match bounds.receive(&payer, body).await {
        Ok(body) => body,
        Err(refused) => return refused,
    };
    let turn = turns.acquire(&payer);
    let _turn = match client.filter(|_| !payer.is_proven()) {
        Some(client) => {
            client.queues();
            match bounds.soon(turn).await {
                Ok(turn) => turn,
                Err(refused) => return refused,
            }
        }
        None => turn.await,
    };
    if let Some(client) = client {
        client.calls();
    }
    let place = match bounds.place(&payer).await {
        Ok(place) => place,
        Err(refused) => return refused,
    };
    let reads = route.is_none_or(|route| route.spec.effect == Effect::Reads);
    let (uri, headers) = (&parts.uri, &parts.headers);
    let answer = operations.answer(&parts.method, uri, headers, &body.bytes, origin).await;
    drop((place, body));
    let length = answer.body().len();
    if !Large::is(length) {
        return answer.map(Body::from);
    }
    match bounds.reply(&payer, length).await {
        Ok(memory) => answer.map(|bytes| Large::body(bytes, Some(memory))),
        // The reply to a write is sent anyway.
        Err(_) if !reads => answer.map(|bytes| Large::body(bytes, None)),
        Err(refused) => refused,
    }
}
