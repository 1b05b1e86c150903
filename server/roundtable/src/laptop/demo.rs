//! The demo: two people in one document, each on a page of this machine.
//!
//! The world of the demo is made by the public operations when somebody first opens it. Pages get
//! tokens that reach this document alone, so nothing guards them but that they are asked for on
//! this machine.

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderMap, Response, StatusCode},
    routing::{get, post},
};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use super::{
    assets::{asset, moved, zipped},
    outbox::is_here,
    own_tenant::{OwnTenant, is_own_page},
    reply::{refusal, shown},
    tenants::Tenants,
};
use crate::host::Operations;

const PAGE: &str = include_str!("../../demo/index.html");
const STYLE: &str = include_str!("../../demo/style.css");
/// The first content of the document.
const TEXT: &str = include_str!("../../demo/text.xml");
/// Compressed.
const SCRIPT: &[u8] = include_bytes!("../../demo/demo.js.gz");

// Tiptap writes its styles into the page.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'self'; \
    style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The organization, and the document in it.
const DEMO: &str = "demo";
/// Not `body`, which is a plain text where an earlier demo made it.
const EDITOR: &str = "text";
const OWNER: &str = "demo@localhost.localdomain";

/// The demo.
#[derive(Clone)]
pub(super) struct Demo {
    tenant: OwnTenant,
    /// Set when its world is there.
    world: Arc<OnceCell<()>>,
}

fn people() -> [Value; 2] {
    [("ada", "Ada", "#2a55d6"), ("bob", "Bob", "#c2410c")].map(|(id, name, color)| {
        let email = format!("{id}@localhost.localdomain");
        json!({ "userId": id, "name": name, "email": email, "color": color })
    })
}

/// The token and ids that a page needs to act as the person whose id is the body.
async fn session(State(demo): State<Demo>, headers: HeaderMap, who: String) -> Response<Body> {
    // Pages of others may post here without asking; they always say where they are from.
    if !is_here(&headers) || !is_own_page(&headers) {
        return refusal(StatusCode::FORBIDDEN, "The demo is for this machine.");
    }
    let Some(me) = people().into_iter().find(|person| person["userId"] == who) else {
        return refusal(StatusCode::NOT_FOUND, "The demo has two people, ada and bob.");
    };
    match demo.token(&me).await {
        Ok(token) => shown(json!({
            "token": token, "me": me, "people": people(),
            "organizationId": DEMO, "documentId": DEMO, "editorId": EDITOR,
        })),
        Err(reason) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &reason),
    }
}

impl Demo {
    pub(super) fn new(tenants: Tenants, operations: Operations) -> Self {
        Self { tenant: OwnTenant::new(tenants, operations, OWNER, "Demo"), world: Arc::default() }
    }

    pub(super) fn routes(self) -> Router {
        let content =
            |kind, text: &'static str| get(move || async move { asset(POLICY, kind, text) });
        Router::new()
            .route("/demo", get(|| async { moved("/demo/?as=ada") }))
            .route("/demo/", content("text/html; charset=utf-8", PAGE))
            .route("/demo/style.css", content("text/css", STYLE))
            .route("/demo/demo.js", get(|| async { zipped(POLICY, SCRIPT) }))
            .route("/demo/session", post(session))
            .with_state(self)
    }

    /// A token of a person.
    async fn token(&self, me: &Value) -> Result<Value, String> {
        self.world.get_or_try_init(|| self.make()).await?;
        self.tenant.token(me, DEMO).await
    }

    /// Makes what is missing.
    async fn make(&self) -> Result<(), String> {
        let steps = [
            (
                "/v2/organizations/documents/add",
                json!({
                    "organizationId": DEMO, "createOrganization": true,
                    "documents": [{ "documentId": DEMO, "documentName": "Demo" }],
                }),
            ),
            ("/v2/users/add", json!({ "organizationId": DEMO, "users": people() })),
            (
                "/v2/crdt/add",
                json!({
                    "organizationId": DEMO, "documentId": DEMO, "editorId": EDITOR,
                    "type": "xml", "contentKey": "default", "data": TEXT,
                }),
            ),
        ];
        for (path, data) in steps {
            match self.tenant.call(path, data).await {
                Err(reason) if !reason.contains("ALREADY_EXISTS") => return Err(reason),
                _ => {}
            }
        }
        Ok(())
    }
}
