//! The receiver of a message: an endpoint, or a basic webhook.

use error::{Error, Result};
use model::{
    EndpointId, MessageId,
    config::{AdvancedWebhookConfig, WebhookConfig},
};
use store::prelude::*;
use tenancy::{
    layout::{Entity, Key, Place, Table},
    prelude::*,
    scopes::FoundInTables,
};

use super::Webhooks;
use crate::{
    rules::basic_url,
    types::{BASIC_PROCESSED, BASIC_RAW, WebhookEndpoint},
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
                config.map(|item| self.0.configurations().webhook().decode(item)).transpose()?;
            return Ok(Receiver::Basic(Box::new(config.unwrap_or_default())));
        }
        let config = config
            .map(|item| self.0.configurations().advanced_webhook().decode(item))
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
