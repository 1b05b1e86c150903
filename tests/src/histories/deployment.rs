//! A deployment without a socket: calls go to [`service::answer`], and nothing happens beside them.

use std::{
    collections::BTreeMap,
    sync::{Mutex, OnceLock},
    time::Duration,
};

use embedded::{EmbeddedServices, Snapshot};
use roundtable::{Delays, GatewayOptions, HostSetup, LiveOptions, Setup, Stack};
use serde_json::{Value, json};
use service::{
    AccessType, Clock, Egress, HeaderMap, HeaderValue, Incoming, Keyring, Limits, Route,
};

use crate::{ADMIN_TOKEN, Credentials, KEYRING, Workspace};

/// The time of the first call, in epoch milliseconds: 2027-01-15.
const BEGIN: u64 = 1_800_000_000_000;

/// Every operation, by name.
pub(super) fn routes() -> &'static BTreeMap<&'static str, Route> {
    static ROUTES: OnceLock<BTreeMap<&'static str, Route>> = OnceLock::new();
    ROUTES.get_or_init(|| {
        let families = registry::families();
        let routes = families.into_iter().flat_map(|family| family.operations);
        routes.map(|route| (route.spec.name, route)).collect()
    })
}

/// The caller.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sender<'a> {
    /// The operator of the deployment.
    Operator,
    /// The owner of a workspace, by its id and token.
    Workspace(&'a str, &'a str),
    /// The tenant's server.
    Server,
    /// An end user, by a token.
    EndUser(&'a str),
}

/// The reply of a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Reply {
    /// The data of a success, or null.
    pub(crate) fn data(&self) -> &Value {
        &self.body["result"]["data"]
    }
}

/// A deployment in memory.
pub(crate) struct Deployment {
    pub(crate) stack: Stack,
    pub(crate) clock: Clock,
    access: Mutex<Access>,
}

/// The credentials of its tenant and of the workspace of the tenant.
#[derive(Clone, Default)]
pub(super) struct Access {
    pub(super) admin: String,
    pub(super) key: Credentials,
    pub(super) workspace: Workspace,
}

impl Access {
    /// The headers of a call.
    pub(super) fn headers(&self, sender: Sender<'_>) -> HeaderMap {
        let bearer;
        let said: &[(&'static str, &str)] = match sender {
            Sender::Operator => &[("x-service-admin-token", &self.admin)],
            Sender::Workspace(id, token) => {
                &[("x-service-workspace-id", id), ("x-service-workspace-auth-token", token)]
            }
            Sender::Server => &[
                ("x-service-api-key", &self.key.api_key),
                ("x-service-auth-token", &self.key.auth_token),
            ],
            Sender::EndUser(token) => {
                bearer = format!("Bearer {token}");
                &[("authorization", &bearer)]
            }
        };
        let mut headers = HeaderMap::new();
        for (name, value) in said {
            headers.insert(*name, HeaderValue::from_str(value).expect("a header"));
        }
        headers
    }
}

/// Data to begin with.
pub(crate) struct Beginning {
    data: Snapshot,
    at: u64,
    access: Access,
}

impl Deployment {
    /// A deployment with a workspace and its first key, and nothing else.
    pub(crate) async fn create() -> Self {
        let access = Access { admin: ADMIN_TOKEN.to_owned(), ..Access::default() };
        let created = Self::open(Clock::stopped(BEGIN), None, access).await;
        let owner = json!({
            "ownerEmail": "owner@example.com", "defaultDocumentAccessType": "public",
        });
        let made = created.call(Sender::Operator, "operator.workspace_create", owner).await;
        let made = made.data();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let keys = made["apiKeyList"].as_object().expect("keys");
        let api_key = keys.keys().next().expect("a key").clone();
        let (id, token) = (text(&made["id"]), text(&made["authToken"]));
        let of_key = json!({ "apiKey": api_key });
        let owner = Sender::Workspace(&id, &token);
        let tokens = created.call(owner, "workspace.auth_tokens_get", of_key).await;
        let auth_token = text(&tokens.data()["authTokens"][0]["token"]);
        let mut access = created.access();
        access.key = Credentials { api_key, auth_token };
        access.workspace = Workspace { id, token };
        *created.access.lock().expect("no panic") = access;
        created
    }

    /// A deployment that continues from a beginning.
    pub(crate) async fn start(from: &Beginning) -> Self {
        Self::open(Clock::stopped(from.at), Some(&from.data), from.access.clone()).await
    }

    /// The data of the deployment as they are now.
    pub(crate) fn copy(&self) -> Beginning {
        let data = self.embedded().snapshot().expect("a snapshot");
        // Later than each version in the data.
        Beginning { data, at: self.clock.now() + 1, access: self.access() }
    }

    async fn open(clock: Clock, snapshot: Option<&Snapshot>, access: Access) -> Self {
        let stack = Stack::open(Setup {
            functions: HostSetup {
                dir: None,
                is_synced: false,
                snapshot,
                keyring: Keyring::parse(KEYRING).expect("a keyring"),
                admin_token: ADMIN_TOKEN.to_owned(),
                clock: clock.clone(),
                regions: None,
                outbox: None,
                public_url: Some("http://localhost".to_owned()),
                email_provider_url: None,
                smtp: None,
                sender: None,
                egress: Egress::Local,
                is_separate: false,
                limits: Limits::default(),
                default_document_access_type: AccessType::OF_NEW_KEYS,
                names: None,
                aws: None,
                delays: Delays::default(),
                families: registry::families(),
            },
            host: None,
            is_laptop: true,
            gateway: GatewayOptions::default(),
            live: LiveOptions::default(),
            documentation: vec![],
        });
        Self { stack: stack.await.expect("a stack"), clock, access: Mutex::new(access) }
    }

    fn access(&self) -> Access {
        self.access.lock().expect("no panic").clone()
    }

    /// Replaces the auth token of the key, without a grace period.
    pub(crate) async fn reset_token(&self) -> Reply {
        let Access { key, workspace, .. } = self.access();
        let owner = Sender::Workspace(&workspace.id, &workspace.token);
        let sent = json!({ "apiKey": key.api_key });
        let reply = self.call(owner, "workspace.auth_token_reset", sent).await;
        if let Some(token) = reply.data()["newAuthToken"]["token"].as_str() {
            token.clone_into(&mut self.access.lock().expect("no panic").key.auth_token);
        }
        reply
    }

    pub(crate) fn embedded(&self) -> &EmbeddedServices {
        self.stack.embedded()
    }

    pub(crate) fn advance(&self, millis: u64) {
        self.clock.advance(Duration::from_millis(millis));
    }

    /// Calls an operation by name, at its newest path.
    pub(crate) async fn call(&self, sender: Sender<'_>, operation: &str, data: Value) -> Reply {
        let route = &routes()[operation];
        let headers = self.access().headers(sender);
        let incoming = Incoming {
            method: "POST".to_owned(),
            path: route.spec.paths[0].to_owned(),
            headers,
            body: json!({ "data": data }).to_string().into_bytes(),
            request_id: "history".to_owned(),
        };
        let environment = self.stack.environment();
        let answer = service::answer(environment, route.spec.name, route.handler, incoming).await;
        let status = answer.status().as_u16();
        let body = serde_json::from_slice(&answer.into_body()).expect("JSON");
        Reply { status, body }
    }
}
