//! `POST /v2/workspace/apikeyconfig/update`: replies with the settings that were sent.
//!
//! A member that is left out keeps its value, also within `features` and among the keys of AI
//! providers. The reply masks the keys of AI providers.

use model::{
    MarkName, NonEmpty, Text,
    api_key::{AiModelKey, AiProvider, Settings},
    permissions::{AccessRole, AccessType},
};
use service::prelude::*;

use crate::views::{AiModels, Switches, masked};

pub enum UpdateApiKeyConfig {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// Whether end users may begin private threads.
    enable_private_comments: Option<bool>,
    /// Whether end users may assign and edit threads.
    enable_thread_editing: Option<bool>,
    /// Whether clients must present end-user tokens.
    require_jwt_token: Option<bool>,
    /// Whether an end user whose token names an organization, without `expiresAt`, becomes its
    /// member with the first access.
    require_auto_org_user: Option<bool>,
    /// The default for documents without an access type of their own or of their folders. With
    /// `public`, every end user of the API key reads and edits them, in every organization.
    default_document_access_type: Option<AccessType>,
    /// The role of end users without a right in a `public` document or folder. Initially `editor`.
    public_access_role: Option<AccessRole>,
    /// The mark that the service writes into rich texts for anchors of threads; an empty text: none,
    /// as initially. The schema of every editor has to have it.
    anchor_mark: Option<MarkName>,
    features: Option<Switches>,
    /// Sealed at rest.
    ai_model_api_key: Option<NonEmpty<ProviderKey>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AiProviderKey")]
struct ProviderKey {
    provider: AiProvider,
    customer_api_key: Text,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ApiKeyConfigChanged")]
pub struct Changed {
    #[serde(skip_serializing_if = "Option::is_none")]
    enable_private_comments: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enable_thread_editing: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    require_jwt_token: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    require_auto_org_user: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_document_access_type: Option<AccessType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    public_access_role: Option<AccessRole>,
    #[serde(skip_serializing_if = "Option::is_none")]
    anchor_mark: Option<MarkName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    features: Option<Switches>,
    #[serde(skip_serializing_if = "AiModels::is_empty")]
    #[schemars(title = "MaskedAiKeys")]
    ai_models_config: AiModels,
}

impl Operation for UpdateApiKeyConfig {
    const PATHS: &'static [&'static str] = &["/v2/workspace/apikeyconfig/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Changed>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let (changed, ai) = request.split();
        if changed.is_empty() && ai.is_empty() {
            return Err(Error::invalid("At least one field must be provided for update."));
        }
        cx.tenant()
            .change_key(|key| {
                changed.apply(&ai, &mut key.settings);
                Ok(())
            })
            .await?;
        let changed = Changed { ai_models_config: masked(&ai), ..changed };
        Ok(success("API key configuration updated.", Data(changed)))
    }
}

impl Request {
    /// Masks the members that must not be repeated to the caller.
    fn split(self) -> (Changed, Vec<AiModelKey>) {
        let changed = Changed {
            enable_private_comments: self.enable_private_comments,
            enable_thread_editing: self.enable_thread_editing,
            require_jwt_token: self.require_jwt_token,
            require_auto_org_user: self.require_auto_org_user,
            default_document_access_type: self.default_document_access_type,
            public_access_role: self.public_access_role,
            anchor_mark: self.anchor_mark,
            features: self.features.filter(|switches| !switches.is_empty()),
            ai_models_config: AiModels::new(),
        };
        let seal = |sent: ProviderKey| AiModelKey {
            provider: sent.provider,
            customer_api_key: sent.customer_api_key.into(),
        };
        (changed, self.ai_model_api_key.into_iter().flatten().map(seal).collect())
    }
}

impl Changed {
    fn is_empty(&self) -> bool {
        self.enable_private_comments.is_none()
            && self.enable_thread_editing.is_none()
            && self.require_jwt_token.is_none()
            && self.require_auto_org_user.is_none()
            && self.default_document_access_type.is_none()
            && self.public_access_role.is_none()
            && self.anchor_mark.is_none()
            && self.features.is_none()
    }

    fn apply(&self, ai: &[AiModelKey], settings: &mut Settings) {
        model::set(&mut settings.private_comments, self.enable_private_comments);
        model::set(&mut settings.thread_editing, self.enable_thread_editing);
        model::set(&mut settings.require_jwt_token, self.require_jwt_token);
        model::set(&mut settings.require_auto_org_user, self.require_auto_org_user);
        let access_type = &mut settings.default_document_access_type;
        model::set(access_type, self.default_document_access_type);
        model::set(&mut settings.public_access_role, self.public_access_role);
        model::set(&mut settings.anchor_mark, self.anchor_mark.clone());
        if let Some(sent) = &self.features {
            sent.apply(&mut settings.features);
        }
        for sent in ai {
            settings.ai_model_keys.retain(|key| key.provider != sent.provider);
            settings.ai_model_keys.push(sent.clone());
        }
    }
}
