//! `POST /v2/workspace/apikeyconfig/get`: the settings of the API key that makes the call.

use model::{
    Email, MarkName,
    api_key::{ApiKey as Key, Features},
    permissions::{AccessRole, AccessType},
    workspace::Plan,
};
use service::{Body, prelude::*};

use crate::views::{AiModels, masked};

pub enum GetApiKeyConfig {}

#[derive(Deserialize, JsonSchema)]
pub struct Request {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ApiKeyConfig")]
pub struct Config {
    owner_email: Email,
    /// The plan of the workspace.
    plan_info: PlanInfo,
    /// The default for documents without an access type of their own.
    default_document_access_type: AccessType,
    /// The role of end users without a right in what is `public`.
    public_access_role: AccessRole,
    /// Whether end users may begin private threads.
    is_private_comments_enabled: bool,
    is_thread_editing_enabled: bool,
    /// Whether clients must present end-user tokens.
    require_jwt_token: bool,
    /// Whether an end user whose token names an organization becomes its member with the first
    /// access.
    require_auto_org_user: bool,
    /// The mark that the service writes for anchors of threads; an empty text: none.
    anchor_mark: MarkName,
    features: Features,
    /// Absent without a configuration.
    #[serde(skip_serializing_if = "AiModels::is_empty")]
    #[schemars(title = "MaskedAiKeys")]
    ai_models_config: AiModels,
}

#[derive(Serialize, JsonSchema)]
struct PlanInfo {
    #[serde(rename = "type")]
    kind: Plan,
}

impl Operation for GetApiKeyConfig {
    const PATHS: &'static [&'static str] =
        &["/v2/workspace/apikeyconfig/get", "/v2/workspace/apikeymetadata/get"];
    const EFFECT: Effect = Effect::Reads;
    const BODY: Body = Body::Optional;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Config>;

    async fn handle(cx: Cx<ApiKey>, _: Request) -> Result<Success<Self::Response>> {
        // The record used for admission may be some seconds old.
        let (key, plan) = cx.tenant().own_key().with_plan().await?;
        Ok(success("API key configuration retrieved.", Data(Config::new(key, plan))))
    }
}

impl Config {
    fn new(key: Key, plan: Plan) -> Self {
        let settings = key.settings;
        Self {
            owner_email: key.owner_email,
            plan_info: PlanInfo { kind: plan },
            default_document_access_type: settings.default_document_access_type,
            public_access_role: settings.public_access_role,
            is_private_comments_enabled: settings.private_comments,
            is_thread_editing_enabled: settings.thread_editing,
            require_jwt_token: settings.require_jwt_token,
            require_auto_org_user: settings.require_auto_org_user,
            ai_models_config: masked(&settings.ai_model_keys),
            anchor_mark: settings.anchor_mark,
            features: settings.features,
        }
    }
}
