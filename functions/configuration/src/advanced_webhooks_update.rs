//! `POST /v2/workspace/advancedwebhookconfig/update`: merges the request into the stored
//! configuration.
//!
//! The first update has to enable advanced webhooks. Disabling them keeps their endpoints.
//! `encryptData` needs a `publicKey`.
//!
//! # Errors
//! - FAILED_PRECONDITION: advanced webhooks were never configured, and `isEnabled` is not true.

use model::{PublicKey, configuration::AdvancedWebhookConfig, set};
use service::{Encryption, prelude::*, usable};

pub enum UpdateAdvancedWebhookConfig {}

#[derive(Clone, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// Whether endpoints can be managed and receive deliveries.
    is_enabled: Option<bool>,
    /// Whether bodies are encrypted.
    encrypt_data: Option<bool>,
    /// Whether bodies are sent as base64.
    encode_data: Option<bool>,
    /// The encryption key: an RSA public key in base64, without PEM lines; an empty text unsets it.
    public_key: Option<PublicKey>,
    /// Stored as sent.
    enable_data_protection: Option<bool>,
}

impl Operation for UpdateAdvancedWebhookConfig {
    const PATHS: &'static [&'static str] = &["/v2/workspace/advancedwebhookconfig/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<AdvancedWebhookConfig>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        if request == Request::default() {
            return Err(Error::invalid("At least one field must be provided for update."));
        }
        let configs = cx.tenant().configuration().advanced_webhook();
        let saved = configs.save(|stored| usable::<Encryption, _>(request.applied_to(stored)?));
        Ok(success("Advanced webhook configuration updated.", Data(saved.await?)))
    }
}

impl Request {
    fn applied_to(&self, stored: Option<AdvancedWebhookConfig>) -> Result<AdvancedWebhookConfig> {
        if stored.is_none() && self.is_enabled != Some(true) {
            return Err(Error::precondition(
                "Advanced webhooks are not configured for this API key; the first update must \
                 have isEnabled true.",
            ));
        }
        let mut config = stored.unwrap_or_default();
        set(&mut config.is_enabled, self.is_enabled);
        set(&mut config.encrypt_data, self.encrypt_data);
        set(&mut config.encode_data, self.encode_data);
        set(&mut config.public_key, self.public_key.clone());
        set(&mut config.enable_data_protection, self.enable_data_protection);
        Ok(config)
    }
}
