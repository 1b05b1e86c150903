//! The console: a page of this machine that shows what is there and follows what happens.
//!
//! The assets of the console are in the binary. Beside the public operations, it reads the
//! operator's routes below `/console/api/`, which take the admin token and exist on this machine
//! only. A holder of the token may act for every tenant, as the data folder lets them anyway.

mod calls;
mod connections;
mod inbox;
mod queues;
mod recent;

use std::{path::PathBuf, sync::Arc};

use axum::{
    Json, Router,
    body::{Body, Bytes},
    extract::{FromRef, Path, Query, Request, State},
    http::{HeaderMap, Response, StatusCode, header},
    middleware::{self, Next},
    routing::{get, post},
};
use embedded::EmbeddedServices;
use serde::Deserialize;
use serde_json::{Value, json};

use self::inbox::{Inbox, Manner};
use super::{
    assets::{COLORS, asset},
    outbox::{self, is_here},
    reply::{failure, refusal, shown},
    tenants::Tenants,
};
use crate::host::Operations;

pub(crate) use recent::RecentCalls;

const PAGE: &str = include_str!("../../console/index.html");
/// The scripts, by name.
const SCRIPTS: [(&str, &str); 8] = [
    ("/console/app.js", include_str!("../../console/app.js")),
    ("/console/connect.js", include_str!("../../console/connect.js")),
    ("/console/follow.js", include_str!("../../console/follow.js")),
    ("/console/home.js", include_str!("../../console/home.js")),
    ("/console/live.js", include_str!("../../console/live.js")),
    ("/console/page.js", include_str!("../../console/page.js")),
    ("/console/snippets.js", include_str!("../../console/snippets.js")),
    ("/console/views.js", include_str!("../../console/views.js")),
];
const STYLE: &str = include_str!("../../console/style.css");

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The header of the operator's token.
const TOKEN: &str = "x-service-admin-token";

/// The console, with what it remembers in this process.
#[derive(Clone)]
pub(super) struct Console {
    tenants: Tenants,
    operations: Operations,
    /// Calls and their answers.
    calls: Arc<RecentCalls>,
    /// Webhooks that arrived.
    inbox: Arc<Inbox>,
    /// The data folder; none: the data are in memory.
    dir: Option<PathBuf>,
}

impl FromRef<Console> for Tenants {
    fn from_ref(console: &Console) -> Self {
        console.tenants.clone()
    }
}

impl FromRef<Console> for EmbeddedServices {
    fn from_ref(console: &Console) -> Self {
        console.embedded().clone()
    }
}

impl FromRef<Console> for Arc<RecentCalls> {
    fn from_ref(console: &Console) -> Self {
        Arc::clone(&console.calls)
    }
}

impl FromRef<Console> for Arc<Inbox> {
    fn from_ref(console: &Console) -> Self {
        Arc::clone(&console.inbox)
    }
}

impl Console {
    pub(super) fn new(
        tenants: Tenants,
        operations: Operations,
        calls: Arc<RecentCalls>,
        dir: Option<PathBuf>,
    ) -> Self {
        Self { tenants, operations, calls, inbox: Arc::default(), dir }
    }

    pub(super) fn embedded(&self) -> &EmbeddedServices {
        self.tenants.embedded()
    }

    pub(super) fn routes(self) -> Router {
        let guarded = Router::new()
            .route("/console/api/server", get(server))
            .route("/console/api/keys", get(keys))
            .route("/console/api/credentials", post(credentials))
            .route("/console/api/connections", get(connections::list))
            .route("/console/api/call", post(call_as_tenant))
            .route("/console/api/calls", get(calls))
            .route("/console/api/inbox", get(received))
            .route("/console/api/mails", get(mails))
            .route("/console/api/queues", get(queues::list))
            .route("/console/api/dead-letters", get(queues::dead_letters))
            .route("/console/api/redrive", post(queues::redrive))
            .layer(middleware::from_fn_with_state(self.tenants.clone(), guard));
        let content =
            |kind, text: &'static str| get(move || async move { asset(POLICY, kind, text) });
        let scripts = SCRIPTS.into_iter().fold(Router::new(), |router, (path, script)| {
            router.route(path, content("text/javascript", script))
        });
        scripts
            .route("/", content("text/html; charset=utf-8", PAGE))
            .route("/console/style.css", content("text/css", STYLE))
            .route("/colors.css", content("text/css", COLORS))
            .route("/inbox/{*name}", post(receive))
            .merge(guarded)
            .with_state(self)
    }
}

/// The operator's routes answer nobody else, and no page of a name that merely leads here.
async fn guard(State(tenants): State<Tenants>, request: Request, next: Next) -> Response<Body> {
    let headers = request.headers();
    let token = headers.get(TOKEN).and_then(|token| token.to_str().ok());
    if !is_here(headers) || tenants.owner().store().open_admin(token).is_err() {
        return refusal(StatusCode::FORBIDDEN, "The console needs the admin token.");
    }
    next.run(request).await
}

/// The service that runs here. The console is a laptop's, so the mode need not be told.
async fn server(State(console): State<Console>) -> Response<Body> {
    let folder = console.dir.as_ref().map(|dir| dir.display().to_string());
    shown(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "dataFolder": folder,
        "connections": console.embedded().connections().active().len(),
    }))
}

async fn keys(State(tenants): State<Tenants>) -> Response<Body> {
    match tenants.list().await {
        Ok(found) => shown(found),
        Err(error) => failure(&error),
    }
}

/// The tenant that is meant.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfTenant {
    api_key: String,
}

/// The auth token of a key, for a developer's own server.
async fn credentials(State(tenants): State<Tenants>, Json(of): Json<OfTenant>) -> Response<Body> {
    let found = match tenants.credentials(&of.api_key).await {
        Ok(found) => found,
        Err(error) => return refusal(StatusCode::NOT_FOUND, &error),
    };
    let token = found.get("x-service-auth-token").and_then(|token| token.to_str().ok());
    shown(json!({ "apiKey": of.api_key, "authToken": token }))
}

/// A call in the name of a tenant, made without its token in the page.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TenantCall {
    /// Of the tenant; none: the operator's.
    api_key: Option<String>,
    path: String,
    data: Value,
    /// Whether it only serves a view of the console: such calls would crowd out those that a developer
    /// looks for.
    #[serde(default)]
    is_own: bool,
}

async fn call_as_tenant(
    State(console): State<Console>,
    headers: HeaderMap,
    Json(call): Json<TenantCall>,
) -> Response<Body> {
    let token = headers.get(TOKEN).cloned();
    let mut headers = HeaderMap::new();
    match &call.api_key {
        Some(id) => match console.tenants.credentials(id).await {
            Ok(credentials) => headers.extend(credentials),
            Err(error) => return refusal(StatusCode::NOT_FOUND, &error),
        },
        None => headers.extend(token.map(|token| (header::HeaderName::from_static(TOKEN), token))),
    }
    let operations = match call.is_own {
        true => &console.operations.unobserved(),
        false => &console.operations,
    };
    operations.call(&call.path, headers, &call.data).await
}

/// Where a reader of a list goes on.
#[derive(Deserialize)]
struct After {
    #[serde(default)]
    after: u64,
}

async fn calls(
    State(recent): State<Arc<RecentCalls>>,
    Query(after): Query<After>,
) -> Response<Body> {
    let mut found = recent.after(after.after);
    for call in found["items"].as_array_mut().into_iter().flatten() {
        *call = calls::shown(call.take());
    }
    shown(found)
}

async fn received(State(inbox): State<Arc<Inbox>>, Query(after): Query<After>) -> Response<Body> {
    shown(inbox.after(after.after))
}

/// Takes a delivery at any path below `/inbox/`.
async fn receive(
    State(console): State<Console>,
    Path(name): Path<String>,
    Query(manner): Query<Manner>,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let mut response = Response::default();
    // Pages may post here without asking; they always say where they are from.
    if !is_here(&headers) || headers.contains_key(header::ORIGIN) {
        *response.status_mut() = StatusCode::FORBIDDEN;
        return response;
    }
    let at = console.tenants.owner().now();
    *response.status_mut() = console.inbox.receive(at, name, &manner, headers, body);
    response
}

async fn mails(State(embedded): State<EmbeddedServices>) -> Response<Body> {
    match tokio::task::spawn_blocking(move || outbox::summaries(&embedded)).await {
        Ok(Ok(mails)) => shown(mails),
        _ => failure("The outbox cannot be read."),
    }
}
