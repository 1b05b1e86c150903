//! The console: a page of this machine that shows what is there and follows what happens.
//!
//! The assets of the console are in the binary. Beside the public operations, it reads the
//! operator's routes below `/console/api/`, which take the admin token and exist on this machine
//! only. A holder of the token may act for every tenant, as the data folder lets them anyway.

mod calls;
mod inbox;
mod keys;
mod memory;
mod queues;
mod recent;

use axum::{
    Json, Router,
    body::{Body, Bytes},
    extract::{Path, Query, Request, State},
    http::{HeaderMap, Response, StatusCode, header},
    middleware::{self, Next},
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) use calls::kept;
pub(crate) use keys::{credentials, list as api_keys};
pub(crate) use memory::Console;

use crate::{
    Stack,
    assets::{COLORS, asset},
    outbox,
};
use inbox::Manner;

const PAGE: &str = include_str!("../console/index.html");
/// The scripts, by name.
const SCRIPTS: [(&str, &str); 4] = [
    ("/console/app.js", include_str!("../console/app.js")),
    ("/console/follow.js", include_str!("../console/follow.js")),
    ("/console/page.js", include_str!("../console/page.js")),
    ("/console/views.js", include_str!("../console/views.js")),
];
const STYLE: &str = include_str!("../console/style.css");

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The header of the operator's token.
const TOKEN: &str = "x-service-admin-token";

pub(crate) fn routes(stack: &Stack) -> Router<Stack> {
    let guarded = Router::new()
        .route("/console/api/keys", get(keys))
        .route("/console/api/call", post(call_as_tenant))
        .route("/console/api/calls", get(calls))
        .route("/console/api/inbox", get(received))
        .route("/console/api/mails", get(mails))
        .route("/console/api/queues", get(queues::list))
        .route("/console/api/dead-letters", get(queues::dead_letters))
        .route("/console/api/redrive", post(queues::redrive))
        .layer(middleware::from_fn_with_state(stack.clone(), guard));
    let content = |kind, text: &'static str| get(move || async move { asset(POLICY, kind, text) });
    let scripts = SCRIPTS.into_iter().fold(Router::new(), |router, (path, script)| {
        router.route(path, content("text/javascript", script))
    });
    scripts
        .route("/", content("text/html; charset=utf-8", PAGE))
        .route("/console/style.css", content("text/css", STYLE))
        .route("/colors.css", content("text/css", COLORS))
        .route("/inbox/{*name}", post(receive))
        .merge(guarded)
}

/// The operator's routes answer nobody else, and no page of a name that merely leads here.
async fn guard(State(stack): State<Stack>, request: Request, next: Next) -> Response<Body> {
    let headers = request.headers();
    let token = headers.get(TOKEN).and_then(|token| token.to_str().ok());
    if !outbox::is_here(headers) || stack.environment().store().open_admin(token).is_err() {
        return refusal(StatusCode::FORBIDDEN, "The console needs the admin token.");
    }
    next.run(request).await
}

pub(crate) fn refusal(status: StatusCode, message: &str) -> Response<Body> {
    let body = json!({ "message": message }).to_string();
    let response = Response::builder().status(status);
    response.header(header::CONTENT_TYPE, "application/json").body(body.into()).unwrap_or_default()
}

fn failure(message: &str) -> Response<Body> {
    refusal(StatusCode::INTERNAL_SERVER_ERROR, message)
}

pub(crate) fn shown(value: Value) -> Response<Body> {
    let response = Response::builder().header(header::CONTENT_TYPE, "application/json");
    response.body(Body::from(value.to_string())).unwrap_or_default()
}

async fn keys(State(stack): State<Stack>) -> Response<Body> {
    match api_keys(&stack).await {
        Ok(found) => shown(found),
        Err(error) => failure(&error),
    }
}

/// A call in the name of a tenant, made without its token in the page.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TenantCall {
    /// Of the tenant; none: the operator's.
    api_key: Option<String>,
    path: String,
    data: Value,
}

async fn call_as_tenant(
    State(stack): State<Stack>,
    headers: HeaderMap,
    Json(call): Json<TenantCall>,
) -> Response<Body> {
    let token = headers.get(TOKEN).cloned();
    let mut headers = HeaderMap::new();
    match &call.api_key {
        Some(id) => match credentials(&stack, id).await {
            Ok(credentials) => headers.extend(credentials),
            Err(error) => return refusal(StatusCode::NOT_FOUND, &error),
        },
        None => headers.extend(token.map(|token| (header::HeaderName::from_static(TOKEN), token))),
    }
    stack.call(&call.path, headers, &call.data).await
}

/// Where a reader of a list goes on.
#[derive(Deserialize)]
struct After {
    #[serde(default)]
    after: u64,
}

async fn calls(State(stack): State<Stack>, Query(after): Query<After>) -> Response<Body> {
    let mut found = stack.inner.console.calls.after(after.after);
    for call in found["items"].as_array_mut().into_iter().flatten() {
        *call = calls::shown(call.take());
    }
    shown(found)
}

async fn received(State(stack): State<Stack>, Query(after): Query<After>) -> Response<Body> {
    shown(stack.inner.console.inbox.after(after.after))
}

/// Takes a delivery at any path below `/inbox/`.
async fn receive(
    State(stack): State<Stack>,
    Path(name): Path<String>,
    Query(manner): Query<Manner>,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let mut response = Response::default();
    // Pages may post here without asking; they always say where they are from.
    if !outbox::is_here(&headers) || headers.contains_key(header::ORIGIN) {
        *response.status_mut() = StatusCode::FORBIDDEN;
        return response;
    }
    let at = stack.environment().now();
    *response.status_mut() = stack.inner.console.inbox.receive(at, name, &manner, headers, body);
    response
}

async fn mails(State(stack): State<Stack>) -> Response<Body> {
    let emulator = stack.emulator().clone();
    match tokio::task::spawn_blocking(move || outbox::summaries(&emulator)).await {
        Ok(Ok(mails)) => shown(mails),
        _ => failure("The outbox cannot be read."),
    }
}
