//! `POST /v2/auth/generate_token`: a token that is valid for 48 hours (siblings 6.1).
//!
//! `POST /v1/auth/token/get` takes the credentials in the body, and one organization instead of
//! resources.
//!
//! # Errors
//! - PERMISSION_DENIED: a resource is disabled, or the user has no right to it.

use model::{
    AtMost, Email, OrganizationId, Secret, Text, UserId, access::Level, resource::Resource,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use service::{
    ApiKey, Cx, Data, Effect, EndUser, Operation, Permissions, Result, Success, issue, success,
};

/// The operation.
pub enum GenerateToken {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    user_id: UserId,
    user_properties: UserProperties,
    /// Required by v2.
    permissions: Option<SentPermissions>,
    /// Replaces the header, in v1.
    #[expect(dead_code, reason = "was read for admission")]
    api_key: Option<Secret>,
    /// Replaces the header, in v1.
    #[expect(dead_code, reason = "was read for admission")]
    auth_token: Option<Secret>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TokenUserProperties")]
struct UserProperties {
    /// Required by v2.
    name: Option<Text>,
    /// Required by v2.
    email: Option<Email>,
    is_admin: Option<bool>,
    /// Required by v1, ignored by v2.
    organization_id: Option<OrganizationId>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "TokenPermissions")]
struct SentPermissions {
    /// The resources that the token grants.
    resources: AtMost<Resource, 100>,
}

/// The token.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "UserToken")]
pub struct Token {
    token: String,
}

impl Operation for GenerateToken {
    const PATHS: &'static [&'static str] = &["/v2/auth/generate_token", "/v1/auth/token/get"];
    const EFFECT: Effect = Effect::Reads;
    const BODY_CREDENTIALS: &'static [&'static str] = &["/v1/auth/token/get"];
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Token>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let resources = if cx.is_v1() { v1_resources(&request)? } else { v2_resources(&request)? };
        let over = |resource: &Resource| resource.is_over(cx.now());
        if let Some(n) = resources.iter().position(over) {
            let path = ["permissions", "resources", &n.to_string(), "expiresAt"];
            return Err(issue(&path, "must be in the future"));
        }
        let UserProperties { name, email, is_admin, .. } = request.user_properties;
        let is_admin = is_admin == Some(true);
        let permissions = Permissions { resources };
        let user = EndUser { user_id: request.user_id, name, email, is_admin, permissions };
        let token = cx.issue_user_token(&user).await?;
        Ok(success("Token generated.", Data(Token { token })))
    }
}

fn v1_resources(request: &Request) -> Result<Vec<Resource>> {
    let organization_id = request.user_properties.organization_id.clone();
    let organization_id = organization_id
        .ok_or_else(|| issue(&["userProperties", "organizationId"], "is required"))?;
    let (level, access_role) = (Level::Organization, Default::default());
    Ok(vec![Resource { organization_id, level, access_role, expires_at: None }])
}

fn v2_resources(request: &Request) -> Result<Vec<Resource>> {
    if request.user_properties.name.is_none() {
        return Err(issue(&["userProperties", "name"], "is required"));
    }
    if request.user_properties.email.is_none() {
        return Err(issue(&["userProperties", "email"], "is required"));
    }
    let permissions = request.permissions.as_ref();
    let permissions = permissions.ok_or_else(|| issue(&["permissions"], "is required"))?;
    Ok(permissions.resources.to_vec())
}
