//! Development: an API key for the programs of this machine's users, and sessions of anybody in it.
//!
//! Nothing guards a session but that it is asked for on this machine: who can ask could read the
//! key in the data folder as well.

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderMap, Response, StatusCode},
    routing::post,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    outbox::is_here,
    own_tenant::{OwnTenant, is_own_page},
    reply::{refusal, shown},
    tenants::Tenants,
};
use crate::host::Operations;

/// The organization and the document of a session that names none.
const UNNAMED: &str = "dev";
const OWNER: &str = "dev@localhost.localdomain";

/// The API key for development, and its auth token.
pub struct DevelopmentKey {
    /// The key.
    pub api_key: String,
    /// The auth token.
    pub auth_token: String,
}

/// The key and the sessions that programs in development get.
#[derive(Clone)]
pub(super) struct Development(OwnTenant);

/// Who asks for a session, and for what.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    user_id: String,
    name: Option<String>,
    email: Option<String>,
    color: Option<String>,
    photo_url: Option<String>,
    organization_id: Option<String>,
    document_id: Option<String>,
    document_name: Option<String>,
}

impl Wanted {
    /// The members of the request that are of the user.
    fn profile(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let members = [
            ("name", &self.name),
            ("email", &self.email),
            ("color", &self.color),
            ("photoUrl", &self.photo_url),
        ];
        members.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)))
    }
}

impl Development {
    pub(super) fn new(tenants: Tenants, operations: Operations) -> Self {
        Self(OwnTenant::new(tenants, operations, OWNER, "Development"))
    }

    pub(super) fn routes(self) -> Router {
        Router::new().route("/dev/session", post(session)).with_state(self)
    }

    /// The API key, which is made if it is missing.
    pub(super) async fn key(&self) -> Result<DevelopmentKey, String> {
        let headers = self.0.credentials().await?;
        let text = |name| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.map(str::to_owned).ok_or_else(|| "The API key has no token.".to_owned())
        };
        Ok(DevelopmentKey {
            api_key: text("x-service-api-key")?,
            auth_token: text("x-service-auth-token")?,
        })
    }

    /// A session, with the organization, the document and the member that it is about.
    async fn begin(&self, wanted: &Wanted) -> Result<Value, String> {
        let id = wanted.user_id.as_str();
        let organization = wanted.organization_id.as_deref().unwrap_or(UNNAMED);
        let document = wanted.document_id.as_deref().unwrap_or(UNNAMED);
        let mut added = json!({ "documentId": document });
        if let Some(name) = &wanted.document_name {
            added["documentName"] = json!(name);
        }
        let added = json!({
            "organizationId": organization, "createOrganization": true, "documents": [added],
        });
        self.0.call("/v2/organizations/documents/add", added).await?;

        let known = json!({ "organizationId": organization, "userIds": [id] });
        let found = self.0.call("/v2/users/get", known).await?;
        let known = &found["data"][0];
        let mut me = json!({
            "userId": id, "name": id, "email": format!("{id}@localhost.localdomain"),
        });
        for name in ["name", "email", "color", "photoUrl"] {
            if known[name].is_string() {
                me[name] = known[name].clone();
            }
        }
        for (name, value) in wanted.profile() {
            me[name] = json!(value);
        }
        let path = if known.is_null() { "/v2/users/add" } else { "/v2/users/update" };
        if known.is_null() || wanted.profile().next().is_some() {
            self.0.call(path, json!({ "organizationId": organization, "users": [me] })).await?;
        }
        Ok(json!({
            "token": self.0.token(&me, organization).await?, "me": me,
            "organizationId": organization, "documentId": document,
        }))
    }
}

/// The token and ids that a page needs to act as anybody.
async fn session(
    State(development): State<Development>,
    headers: HeaderMap,
    wanted: String,
) -> Response<Body> {
    // Pages of others may post here without asking; they always say where they are from.
    if !is_here(&headers) || !is_own_page(&headers) {
        return refusal(StatusCode::FORBIDDEN, "Sessions of development are for this machine.");
    }
    let wanted: Wanted = match serde_json::from_str(&wanted) {
        Ok(wanted) => wanted,
        Err(error) => {
            let message = format!("A session needs a JSON object with a userId: {error}.");
            return refusal(StatusCode::BAD_REQUEST, &message);
        }
    };
    match development.begin(&wanted).await {
        Ok(session) => shown(session),
        Err(reason) if reason.contains("INVALID_ARGUMENT") => {
            refusal(StatusCode::BAD_REQUEST, &reason)
        }
        Err(reason) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &reason),
    }
}
