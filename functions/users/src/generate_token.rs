//! `POST /v2/auth/generate_token`: a token that is valid for 48 hours, or for `expiresIn`.
//!
//! A user id names one person in all organizations of the key: the token acts as this person wherever
//! stored rights, its resources or a public document let it. `POST /v1/auth/token/get` takes the
//! credentials in the body, and one organization instead of resources; that token is valid in its
//! organization only.
//!
//! With the setting `requireAutoOrgUser` of the key, a user becomes a member of an organization with
//! the first access, if the token names the organization itself, without `expiresAt`.
//!
//! # Errors
//! - PERMISSION_DENIED: a resource is a disabled organization, in one, or a disabled document.

use model::{
    AtMost, Email, Secret, Text,
    permissions::{Level, TOKEN_LIFETIME, TokenLifetime},
    resource::Resource,
};
use service::{EndUser, Permissions, prelude::*};

pub enum GenerateToken {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    user_id: UserId,
    user_properties: UserProperties,
    permissions: Option<SentPermissions>,
    /// The lifetime of the token in seconds, a minute to 48 hours; 48 hours when absent.
    expires_in: Option<TokenLifetime>,
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
    name: Option<Text>,
    email: Option<Email>,
    is_admin: Option<bool>,
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
#[serde(rename_all = "camelCase")]
#[schemars(rename = "UserToken")]
pub struct Token {
    token: String,
    /// Lifetime of the token in seconds.
    expires_in: TokenLifetime,
}

impl Operation for GenerateToken {
    const PATHS: &'static [&'static str] = &["/v2/auth/generate_token", "/v1/auth/token/get"];
    const EFFECT: Effect = Effect::Reads;
    const REQUIRED: &'static [(&'static str, &'static str)] = &[
        ("v2", "userProperties.name"),
        ("v2", "userProperties.email"),
        ("v2", "permissions"),
        ("v1", "userProperties.organizationId"),
    ];
    const BODY_CREDENTIALS: &'static [&'static str] = &["/v1/auth/token/get"];
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Token>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let resources = request.resources(cx.is_v1());
        check(&resources, &cx)?;
        let UserProperties { name, email, is_admin, organization_id } = request.user_properties;
        let organization_id = organization_id.filter(|_| cx.is_v1());
        let is_admin = is_admin == Some(true);
        let permissions = Permissions { resources };
        let expires_in = request.expires_in.unwrap_or(TokenLifetime::nearest(TOKEN_LIFETIME));
        let user_id = request.user_id;
        let user = EndUser { user_id, name, email, is_admin, permissions, organization_id };
        let token = cx.tenant().end_users().issue_token(&user, expires_in).await?;
        Ok(success("Token generated.", Data(Token { token, expires_in })))
    }
}

/// Refuses resources that are over, and those without a name.
fn check(resources: &[Resource], cx: &Cx<ApiKey>) -> Result<()> {
    let refuse = |n: usize, member, rule| match cx.is_v1() {
        true => Err(issue(&["userProperties", "organizationId"], rule)),
        false => Err(issue(&["permissions", "resources", &n.to_string(), member], rule)),
    };
    if let Some(n) = resources.iter().position(|resource| resource.is_over(cx.now())) {
        return refuse(n, "expiresAt", "must be in the future");
    }
    let mut faults = resources.iter().map(Resource::fault).enumerate();
    match faults.find_map(|(n, fault)| Some((n, fault?))) {
        Some((n, fault)) => refuse(n, "id", fault),
        None => Ok(()),
    }
}

impl Request {
    /// The resources that the user may reach with the token.
    fn resources(&self, is_v1: bool) -> Vec<Resource> {
        if !is_v1 {
            return self.permissions.as_ref().map(|it| it.resources.to_vec()).unwrap_or_default();
        }
        let (level, access_role) = (Level::Organization, Default::default());
        let whole =
            |organization_id| Resource { organization_id, level, access_role, expires_at: None };
        self.user_properties.organization_id.clone().map(whole).into_iter().collect()
    }
}
