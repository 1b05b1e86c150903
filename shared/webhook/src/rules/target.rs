//! The target of a message, by the configuration at the time of sending.

use model::{
    EndpointId, Millis, PublicKey, Secret,
    config::{AdvancedWebhookConfig, WebhookConfig},
    revision::Revision,
};

use crate::{
    rows::Receiver,
    steps::delivery::CurrentTarget,
    types::{BASIC_RAW, WebhookEndpoint},
};

/// How a receiver authenticates the sender.
pub(crate) enum Proof {
    /// A signature with each of these secrets.
    Secrets(Vec<Secret>),
    /// A plain token.
    Token(Option<Secret>),
}

/// The target of a message.
pub(crate) struct EndpointTarget {
    pub(crate) url: String,
    pub(crate) proof: Proof,
    pub(crate) rate: Option<u32>,
    /// Of the endpoint; that of a basic webhook is always the first.
    pub(crate) revision: Revision,
    pub(crate) is_encoded: bool,
    /// The encryption key, if any.
    pub(crate) public_key: Option<PublicKey>,
}

/// The target of messages to an endpoint.
pub(crate) fn target_of(
    receiver: Receiver,
    id: &EndpointId,
    now: Millis,
) -> CurrentTarget<EndpointTarget> {
    let target = match receiver {
        Receiver::Basic(config) => basic_target(*config, id),
        Receiver::Endpoint(endpoint, config) => endpoint_target(endpoint, *config, now),
    };
    match target {
        Ok(target) => CurrentTarget::Open(target),
        Err(reason) => CurrentTarget::Closed(reason),
    }
}

fn endpoint_target(
    endpoint: Option<Box<WebhookEndpoint>>,
    config: AdvancedWebhookConfig,
    now: Millis,
) -> Result<EndpointTarget, &'static str> {
    let endpoint = endpoint.ok_or("endpoint_deleted")?;
    if !config.is_enabled {
        return Err("webhooks_disabled");
    }
    if endpoint.disabled {
        return Err("endpoint_disabled");
    }
    let WebhookEndpoint { url, signing, rate_limit, revision, .. } = *endpoint;
    Ok(EndpointTarget {
        url: url.as_str().to_owned(),
        proof: Proof::Secrets(signing.secrets_at(now).cloned().collect()),
        rate: rate_limit.map(|rate| u32::try_from(rate.get()).unwrap_or(u32::MAX)),
        revision,
        is_encoded: config.encode_data,
        public_key: config.encrypt_data.then_some(config.public_key),
    })
}

/// The URL of a basic webhook, or the reason why there is none.
pub(crate) fn basic_url(config: &WebhookConfig, id: &EndpointId) -> Result<String, &'static str> {
    let service = &config.webhook_service_config;
    let url = match id.as_str() {
        BASIC_RAW => service.raw_notification_url.as_ref(),
        _ => service.processed_notification_url.as_ref(),
    };
    let url = url.map(|url| url.as_str().to_owned()).filter(|url| !url.is_empty());
    let url = url.ok_or("endpoint_deleted")?;
    if config.use_webhook_service { Ok(url) } else { Err("webhooks_disabled") }
}

fn basic_target(config: WebhookConfig, id: &EndpointId) -> Result<EndpointTarget, &'static str> {
    let url = basic_url(&config, id)?;
    let service = config.webhook_service_config;
    let is_encrypted = service.encrypt_data == Some(true);
    Ok(EndpointTarget {
        url,
        proof: Proof::Token(service.auth_token.filter(|token| !token.expose().is_empty())),
        rate: None,
        revision: Revision::default(),
        is_encoded: service.encode_data == Some(true),
        public_key: is_encrypted.then(|| service.public_key.unwrap_or_default()),
    })
}
