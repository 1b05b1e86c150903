//! Where a message goes, by what is configured at the moment of sending.

use model::{
    EndpointId, PublicKey, Secret,
    ledger::{BASIC_PROCESSED, BASIC_RAW},
    webhook_endpoint::WebhookEndpoint,
};
use service::{Job, Result};

/// How a receiver knows who calls.
pub(crate) enum Proof {
    /// A signature with each of these.
    Secrets(Vec<Secret>),
    /// A token as it stands.
    Token(Option<Secret>),
}

/// Where a message goes, and how.
pub(crate) struct Target {
    pub(crate) url: String,
    pub(crate) proof: Proof,
    pub(crate) rate: Option<u32>,
    pub(crate) is_encoded: bool,
    /// What it is encrypted with, if it is.
    pub(crate) public_key: Option<PublicKey>,
}

/// Where an endpoint is, or why nothing may be sent there.
pub(crate) async fn find(
    job: &Job,
    id: &EndpointId,
) -> Result<std::result::Result<Target, &'static str>> {
    if [BASIC_RAW, BASIC_PROCESSED].contains(&id.as_str()) {
        return basic(job, id).await;
    }
    let receiver = job.receiver(id).await?;
    let config = receiver.config;
    let Some(endpoint) = receiver.endpoint else { return Ok(Err("endpoint_deleted")) };
    if !config.is_enabled {
        return Ok(Err("webhooks_disabled"));
    }
    if endpoint.disabled {
        return Ok(Err("endpoint_disabled"));
    }
    let WebhookEndpoint { url, signing, rate_limit, .. } = endpoint;
    let now = service::TenantStore::now(job);
    Ok(Ok(Target {
        url: url.as_str().to_owned(),
        proof: Proof::Secrets(signing.secrets_at(now).cloned().collect()),
        rate: rate_limit.map(|rate| u32::try_from(rate.get()).unwrap_or(u32::MAX)),
        is_encoded: config.encode_data,
        public_key: config.encrypt_data.then_some(config.public_key),
    }))
}

async fn basic(job: &Job, id: &EndpointId) -> Result<std::result::Result<Target, &'static str>> {
    let config = job.webhook_config().find(&()).await?.unwrap_or_default();
    let service = config.webhook_service_config;
    let url = match id.as_str() {
        BASIC_RAW => service.raw_notification_url,
        _ => service.processed_notification_url,
    };
    let Some(url) = url.filter(|url| !url.as_str().is_empty()) else {
        return Ok(Err("endpoint_deleted"));
    };
    if !config.use_webhook_service {
        return Ok(Err("webhooks_disabled"));
    }
    let is_encrypted = service.encrypt_data == Some(true);
    Ok(Ok(Target {
        url: url.as_str().to_owned(),
        proof: Proof::Token(service.auth_token.filter(|token| !token.expose().is_empty())),
        rate: None,
        is_encoded: service.encode_data == Some(true),
        public_key: is_encrypted.then(|| service.public_key.unwrap_or_default()),
    }))
}
