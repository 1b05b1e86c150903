//! The receiver of a message, an endpoint or a basic webhook: its rows, and where the message goes by
//! the configuration at the time of sending.

use error::{Error, Result};
use model::{
    EndpointId, MessageId, Millis,
    configuration::{AdvancedWebhookConfig, Use, WebhookConfig},
    revision::Revision,
};
use store::prelude::*;
use tenancy::{
    layout::{Entity, Key, Place, Table},
    prelude::*,
    scopes::FoundInTables,
};

use super::Webhooks;
use crate::{
    rules::{Encryption, NoKey, Proof},
    types::{BASIC_PROCESSED, BASIC_RAW, CurrentTarget, WebhookEndpoint},
};

/// Whether it is a pseudo endpoint of basic webhooks.
pub(crate) fn is_basic(id: &EndpointId) -> bool {
    [BASIC_RAW, BASIC_PROCESSED].contains(&id.as_str())
}

/// Receiver of a message.
#[derive(Clone, Debug)]
pub(crate) enum Receiver {
    /// An endpoint, if it exists, and the webhook configuration.
    Endpoint(Option<Box<WebhookEndpoint>>, Box<AdvancedWebhookConfig>),
    /// A URL of basic webhooks.
    Basic(Box<WebhookConfig>),
}

/// The target of a message.
pub(crate) struct EndpointTarget {
    pub(crate) url: String,
    pub(crate) proof: Proof,
    pub(crate) rate: Option<u32>,
    /// Of the endpoint; that of a basic webhook is always the first.
    pub(crate) revision: Revision,
    pub(crate) is_encoded: bool,
    /// The encryption, unless a configuration of an earlier version has none that works.
    pub(crate) encryption: Result<Encryption, NoKey>,
}

impl Webhooks<'_> {
    /// The current receiver of messages to an endpoint.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn receiver(self, id: &EndpointId) -> Result<Receiver> {
        let found = self.0.db().get_tables(self.receiver_places(id)).await?;
        self.found_receiver(id, found)
    }

    /// The keys of a receiver's items.
    pub(super) fn receiver_places(self, id: &EndpointId) -> Vec<(Table, Key, Key)> {
        let at = |place: Place| (Table::Resources, self.0.partition().clone(), place.into_key());
        match is_basic(id) {
            true => vec![at(WebhookConfig::place(&()))],
            false => vec![at(AdvancedWebhookConfig::place(&())), at(WebhookEndpoint::place(id))],
        }
    }

    /// The receiver in a batch of reads.
    pub(super) fn found_receiver(
        self,
        id: &EndpointId,
        mut found: FoundInTables,
    ) -> Result<Receiver> {
        let mut items = self.receiver_places(id).into_iter().map(|place| found.take(&place));
        let (config, endpoint) = (items.next().flatten(), items.next().flatten());
        if is_basic(id) {
            let config =
                config.map(|item| self.0.configuration().webhook().decode(item)).transpose()?;
            return Ok(Receiver::Basic(Box::new(config.unwrap_or_default())));
        }
        let config = config
            .map(|item| self.0.configuration().advanced_webhook().decode(item))
            .transpose()?;
        let endpoint = endpoint.map(|item| self.endpoints().rows().decode(item)).transpose()?;
        Ok(Receiver::Endpoint(endpoint.map(Box::new), Box::new(config.unwrap_or_default())))
    }

    /// Checks that a message can be sent to an endpoint, or to a basic webhook, once more.
    ///
    /// # Errors
    /// FAILED_PRECONDITION; NOT_FOUND.
    pub async fn check_resend(self, message: &MessageId, endpoint: &EndpointId) -> Result<()> {
        if !is_basic(endpoint) {
            let found = self.endpoint(endpoint).await?;
            self.message(message).await?;
            return match found.disabled {
                true => Err(Error::precondition("The webhook endpoint is disabled.")),
                false => Ok(()),
            };
        }
        if !self.message(message).await?.endpoints.contains(endpoint) {
            let text = format!("Message {message} was not sent to {endpoint}.");
            return Err(Error::not_found(text));
        }
        match self.receiver(endpoint).await? {
            Receiver::Basic(config) if basic_url(&config, endpoint).is_ok() => Ok(()),
            _ => {
                let text = format!("The webhook {endpoint} is not configured or disabled.");
                Err(Error::precondition(text))
            }
        }
    }
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
    let encryption = Encryption::of(&config);
    let WebhookEndpoint { url, signing, rate_limit, revision, .. } = *endpoint;
    Ok(EndpointTarget {
        url: url.as_str().to_owned(),
        proof: Proof::Secrets(signing.secrets_at(now).cloned().collect()),
        rate: rate_limit.map(|rate| u32::try_from(rate.get()).unwrap_or(u32::MAX)),
        revision,
        is_encoded: config.encode_data,
        encryption,
    })
}

/// The URL of a basic webhook, or the reason why there is none.
fn basic_url(config: &WebhookConfig, id: &EndpointId) -> Result<String, &'static str> {
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
    let encryption = Encryption::of(&config);
    let service = config.webhook_service_config;
    Ok(EndpointTarget {
        url,
        proof: Proof::Token(service.auth_token.filter(|token| !token.expose().is_empty())),
        rate: None,
        revision: Revision::default(),
        is_encoded: service.encode_data == Some(true),
        encryption,
    })
}
