//! `POST /v2/workspace/apikey/create`: creates a key with the given configurations.
//!
//! # Errors
//! - PERMISSION_DENIED: the workspace may not create production keys itself.
//! - FAILED_PRECONDITION: a production key needs a paid plan.
//! - RESOURCE_EXHAUSTED: the workspace has the maximum number of keys of this type, or the domains
//!   have more than 16,384 characters.

use model::{
    ApiKeyId, AtMost, Domain, Email, Text,
    api_key::{ApiKey, KeyType},
    configuration::{EmailService, EmailType, WebhookService},
    permissions::AccessType,
    workspace::{Plan, Workspace as Holder},
};
use service::{Workspace, prelude::*};

mod configs;

pub enum CreateApiKey {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    owner_email: Email,
    #[serde(rename = "type")]
    kind: KeyType,
    /// The region of its data; only for production keys.
    #[serde(rename = "persistenceDBRegion")]
    persistence_region: Option<String>,
    /// The region of its realtime data.
    #[serde(rename = "realtimeDBRegion")]
    realtime_region: Option<String>,
    /// Whether to create an auth token for it; false when absent.
    create_auth_token: Option<bool>,
    /// `<local part of the e-mail address> Test API Key` or similar when absent.
    api_key_name: Option<Text>,
    /// Domains whose pages may use the key; all when empty.
    allowed_domains: Option<AtMost<Domain, 100>>,
    add_local_host_to_allowed_domains: Option<bool>,
    use_email_service: Option<bool>,
    use_webhook_service: Option<bool>,
    use_notification_service: Option<bool>,
    /// Whether to enable the default triggers together with notifications.
    set_default_notification_triggers: Option<bool>,
    /// Whether to enable the default triggers together with mails.
    set_default_email_triggers: Option<bool>,
    require_auto_org_user: Option<bool>,
    enable_private_comments: Option<bool>,
    /// The access type of documents without one of their own or of their folders; that of the
    /// deployment when absent, initially `organizationPrivate`.
    default_document_access_type: Option<AccessType>,
    email_service_config: Option<EmailService>,
    webhook_service_config: Option<WebhookService>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ApiKeyCreated")]
pub struct Created {
    api_key: ApiKeyId,
}

impl Operation for CreateApiKey {
    const PATHS: &'static [&'static str] = &["/v2/workspace/apikey/create"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = Workspace;
    type Request = Request;
    type Response = Data<Created>;

    async fn handle(cx: Cx<Workspace>, request: Request) -> Result<Success<Self::Response>> {
        request.check_regions(cx.regions())?;
        for (member, url) in request.webhook_service_config.iter().flat_map(WebhookService::urls) {
            cx.check_webhook_url(&["webhookServiceConfig", member], url)?;
        }
        let configs = request.configs()?;
        if request.kind == KeyType::Production {
            may_create(cx.scope().workspace())?;
        }
        let mut key = request.key(&cx)?;
        if request.create_auth_token == Some(true) {
            key.tokens.push(cx.scope().api_keys().new_token()?);
        }
        cx.scope().api_keys().create(&key, &configs).await?;
        Ok(success("API key created.", Data(Created { api_key: key.id })))
    }
}

/// The store enforces the maximum, because it counts in the transaction that creates the key.
fn may_create(workspace: &Holder) -> Result<()> {
    if !workspace.self_serve_production_keys {
        return Err(Error::denied("The workspace may not create production API keys itself."));
    }
    if workspace.plan != Plan::Paid {
        return Err(Error::precondition("A production API key needs a paid plan."));
    }
    Ok(())
}

impl Request {
    fn check_regions(&self, supported: &[String]) -> Result<()> {
        if self.persistence_region.is_some() && self.kind != KeyType::Production {
            return Err(issue(&["persistenceDBRegion"], "is for production keys only"));
        }
        for (name, region) in [
            ("persistenceDBRegion", &self.persistence_region),
            ("realtimeDBRegion", &self.realtime_region),
        ] {
            if region.as_ref().is_some_and(|region| !supported.contains(region)) {
                return Err(issue(&[name], "must be a supported region"));
            }
        }
        Ok(())
    }

    fn key(&self, cx: &Cx<Workspace>) -> Result<ApiKey> {
        let owner = self.owner_email.clone();
        let access = self.default_document_access_type.unwrap_or(cx.default_document_access_type());
        let mut key = cx.scope().api_keys().new_key(owner, self.kind, access)?;
        model::set(&mut key.name, self.api_key_name.clone().map(String::from));
        key.persistence_region.clone_from(&self.persistence_region);
        key.realtime_region.clone_from(&self.realtime_region);
        key.add_domains(self.allowed_domains.as_deref().unwrap_or_default())
            .map_err(Error::exhausted)?;
        key.allow_local_host |= self.add_local_host_to_allowed_domains == Some(true);
        model::set(&mut key.settings.require_auto_org_user, self.require_auto_org_user);
        model::set(&mut key.settings.private_comments, self.enable_private_comments);
        Ok(key)
    }

    fn enables_email(&self) -> bool {
        let kind = self.email_service_config.as_ref().and_then(|config| config.kind);
        self.use_email_service.unwrap_or(kind == Some(EmailType::Custom))
    }
}
