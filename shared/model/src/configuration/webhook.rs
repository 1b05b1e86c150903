use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{PublicKey, Secret, Url, set, set_some, trigger::Triggers};

use super::{in_header, is_fresh, merge_triggers};

/// Basic webhook configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct WebhookConfig {
    /// Service switch.
    pub use_webhook_service: bool,
    /// URLs and triggers.
    pub webhook_service_config: WebhookService,
}

/// The `webhookServiceConfig`; absent members were never set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct WebhookService {
    /// Sent with each webhook request for verification; an empty text unsets it.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "in_header")]
    pub auth_token: Option<Secret>,
    /// Receives unprocessed notifications; an empty text unsets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_notification_url: Option<Url>,
    /// Receives processed notifications; an empty text unsets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processed_notification_url: Option<Url>,
    /// Whether bodies are sent as base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encode_data: Option<bool>,
    /// Whether bodies are encrypted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypt_data: Option<bool>,
    /// The encryption key: an RSA public key in base64, without PEM lines; an empty text unsets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_key: Option<PublicKey>,
    /// Stored as sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enable_data_protection: Option<bool>,
    /// Events that are sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triggers: Option<Triggers>,
}

impl WebhookService {
    /// The configured URLs, each with the name of its member.
    pub fn urls(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let named = [
            ("rawNotificationUrl", &self.raw_notification_url),
            ("processedNotificationUrl", &self.processed_notification_url),
        ];
        let set = named.into_iter().filter_map(|(name, url)| Some((name, url.as_ref()?.as_str())));
        set.filter(|(_, url)| !url.is_empty())
    }
}

impl WebhookConfig {
    /// Merges the request; the first enabling sets default members that the request omits
    /// (contract `configuration.defaults`).
    pub fn update(&mut self, enable: Option<bool>, sent: WebhookService) {
        let stored = &mut self.webhook_service_config;
        if enable == Some(true) && is_fresh(stored.triggers.as_ref()) {
            stored.triggers = Some(Triggers::of_webhooks());
            stored.enable_data_protection.get_or_insert(false);
        }
        self.merge(enable, sent);
    }

    /// Merges the request without defaults.
    pub fn merge(&mut self, enable: Option<bool>, sent: WebhookService) {
        set(&mut self.use_webhook_service, enable);
        let stored = &mut self.webhook_service_config;
        set_some(&mut stored.auth_token, sent.auth_token);
        set_some(&mut stored.raw_notification_url, sent.raw_notification_url);
        set_some(&mut stored.processed_notification_url, sent.processed_notification_url);
        set_some(&mut stored.encode_data, sent.encode_data);
        set_some(&mut stored.encrypt_data, sent.encrypt_data);
        set_some(&mut stored.public_key, sent.public_key);
        set_some(&mut stored.enable_data_protection, sent.enable_data_protection);
        merge_triggers(&mut stored.triggers, sent.triggers);
    }

    /// As shown: token and URLs are always present.
    #[must_use]
    pub fn shown(mut self) -> Self {
        let service = &mut self.webhook_service_config;
        service.auth_token.get_or_insert_default();
        service.raw_notification_url.get_or_insert_default();
        service.processed_notification_url.get_or_insert_default();
        self
    }
}

/// Advanced webhook configuration. It does not exist before the first enabling.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AdvancedWebhookConfig {
    /// Whether endpoints can be managed and receive deliveries.
    pub is_enabled: bool,
    /// Whether bodies are encrypted.
    pub encrypt_data: bool,
    /// Whether bodies are sent as base64.
    pub encode_data: bool,
    /// The encryption key: an RSA public key in base64, without PEM lines; empty when unset.
    pub public_key: PublicKey,
    /// Stored as sent.
    pub enable_data_protection: bool,
}
