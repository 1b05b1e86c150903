//! The demo: two people in one document, each on a page of this machine.
//!
//! The world of the demo is made by the public operations when somebody first opens it. Pages get
//! tokens that reach this document alone, so nothing guards them but that they are asked for on
//! this machine.

use std::sync::Arc;

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header},
    routing::{get, post},
};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use super::{
    assets::{asset, moved, zipped},
    outbox::is_here,
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
/// Most bytes of an answer.
const MOST: usize = 1024 * 1024;

/// The demo.
#[derive(Clone)]
pub(super) struct Demo {
    tenants: Tenants,
    operations: Operations,
    /// The API key of its world, once that is there.
    key: Arc<OnceCell<String>>,
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

/// Whether a request is of a page of this host, or of none.
fn is_own_page(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(HeaderValue::as_bytes);
    let page = text(header::ORIGIN).map(|page| page.strip_prefix(b"http://"));
    page.is_none_or(|page| page == text(header::HOST))
}

impl Demo {
    pub(super) fn new(tenants: Tenants, operations: Operations) -> Self {
        Self { tenants, operations, key: Arc::default() }
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
        let key = self.key.get_or_try_init(|| self.world()).await?;
        let tenant = self.tenants.credentials(key).await?;
        let made = self.call(
            "/v2/auth/generate_token",
            tenant,
            json!({
                "userId": me["userId"],
                "userProperties": { "name": me["name"], "email": me["email"] },
                "permissions": {
                    "resources": [{ "type": "organization", "id": DEMO, "accessRole": "editor" }],
                },
            }),
        );
        Ok(made.await?["data"]["token"].take())
    }

    /// Makes what is missing, and returns the API key of the demo.
    async fn world(&self) -> Result<String, String> {
        let found = self.tenants.list().await?;
        let known = found["keys"].as_array().into_iter().flatten();
        let known =
            known.filter(|key| key["ownerEmail"] == OWNER).find_map(|key| key["apiKey"].as_str());
        let key = match known {
            Some(key) => key.to_owned(),
            None => {
                let operator = HeaderValue::from_str(self.tenants.admin_token());
                let operator = operator.map_err(|error| error.to_string())?;
                let headers = (HeaderName::from_static("x-service-admin-token"), operator);
                let data = json!({ "ownerEmail": OWNER, "name": "Demo" });
                let headers = HeaderMap::from_iter([headers]);
                let made = self.call("/v2/workspace/create", headers, data).await?;
                let keys = made["data"]["apiKeyList"].as_object();
                keys.and_then(|keys| keys.keys().next())
                    .cloned()
                    .ok_or("The workspace has no key.")?
            }
        };
        let tenant = self.tenants.credentials(&key).await?;
        let steps = [
            (
                "/v2/organizations/documents/add",
                json!({
                    "organizationId": DEMO, "createOrganization": true,
                    "documents": [{ "documentId": DEMO, "documentName": "Demo" }],
                }),
            ),
            ("/v2/users/add", json!({ "organizationId": DEMO, "users": people() })),
            ("/v2/workspace/notificationconfig/update", json!({ "useNotificationService": true })),
            (
                "/v2/crdt/add",
                json!({
                    "organizationId": DEMO, "documentId": DEMO, "editorId": EDITOR,
                    "type": "xml", "contentKey": "default", "data": TEXT,
                }),
            ),
        ];
        for (path, data) in steps {
            match self.call(path, tenant.clone(), data).await {
                Err(reason) if !reason.contains("ALREADY_EXISTS") => return Err(reason),
                _ => {}
            }
        }
        Ok(key)
    }

    /// The result of a call; its error as text.
    async fn call(&self, path: &str, headers: HeaderMap, data: Value) -> Result<Value, String> {
        let reply = self.operations.call(path, headers, &data).await;
        let body = to_bytes(reply.into_body(), MOST).await.map_err(|error| error.to_string())?;
        let mut reply: Value = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
        match reply.get("error") {
            Some(error) => Err(error.to_string()),
            None => Ok(reply["result"].take()),
        }
    }
}
