//! Who listens to an event: the webhook endpoints that wanted it when it happened. Nothing but
//! [`TenantStore::webhook_setup`] reads anything.

use std::collections::BTreeSet;

use aws::Item;
use error::{Error, Result};
use model::{
    EndpointId, Millis,
    config::{AdvancedWebhookConfig, WebhookConfig},
    event::{DomainEvent, Event},
    ledger::{BASIC_PROCESSED, BASIC_RAW},
    webhook_endpoint::{Channel, WebhookEndpoint},
};

use crate::{
    layout::{Entity, Key},
    reading::Collection,
    scopes::{TenantStore, place_of},
    writing::StoredEvent,
};

/// Endpoints that are looked at for one event.
const MAX_ENDPOINTS: usize = 10_000;

/// How the webhooks of a tenant are configured, now and in the past hour.
pub struct WebhookSetup {
    advanced: (Collection<AdvancedWebhookConfig>, Option<Item>),
    basic: (Collection<WebhookConfig>, Option<Item>),
    endpoints: Vec<WebhookEndpoint>,
}

impl TenantStore {
    /// How webhooks are configured. One read unless there are many endpoints; it is good for all
    /// events that happened before.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when there are too many endpoints.
    pub async fn webhook_setup(&self) -> Result<WebhookSetup> {
        self.webhook_setup_of(&self.webhook_items().await?)
    }

    /// The items that configure webhooks.
    pub(crate) async fn webhook_items(&self) -> Result<Vec<Item>> {
        let all = self.advanced_webhook_config();
        let prefix = Key::named(AdvancedWebhookConfig::KIND).prefix();
        all.all_items(all.under(prefix), MAX_ENDPOINTS).await
    }

    pub(crate) fn webhook_setup_of(&self, items: &[Item]) -> Result<WebhookSetup> {
        let (all, basic) = (self.advanced_webhook_config(), self.webhook_config());
        let (mut of_advanced, mut of_basic, mut endpoints) = (None, None, vec![]);
        for item in items {
            let (_, sort) = place_of(item);
            if sort == AdvancedWebhookConfig::place(&()).0.as_str() {
                of_advanced = Some(item.clone());
            } else if sort == WebhookConfig::place(&()).0.as_str() {
                of_basic = Some(item.clone());
            } else {
                endpoints.push(self.of::<WebhookEndpoint>().decode(item.clone())?);
            }
        }
        Ok(WebhookSetup { advanced: (all, of_advanced), basic: (basic, of_basic), endpoints })
    }

    /// Every endpoint that there is, of basic webhooks, too.
    pub(crate) async fn all_endpoint_ids(&self) -> Result<BTreeSet<EndpointId>> {
        let endpoints = self.webhook_setup().await?.endpoints.into_iter();
        let basic = [BASIC_RAW, BASIC_PROCESSED].map(reserved).into_iter();
        basic.chain(endpoints.map(|endpoint| Ok(endpoint.id))).collect()
    }
}

impl WebhookSetup {
    /// The endpoints that an event goes to, by the configuration of the time it happened.
    ///
    /// # Errors
    /// INTERNAL when the configuration cannot be read.
    pub fn listeners(&self, stored: &StoredEvent) -> Result<BTreeSet<EndpointId>> {
        let then = stored.at;
        Ok(match &stored.event {
            event if !event.is_for_webhooks() => BTreeSet::new(),
            Event::Domain(event) => {
                let mut found = self.endpoints(event.event.name(), &channels_of(event)?, then)?;
                if self.wants_basic(event.event.name(), then, BASIC_RAW)? {
                    found.insert(reserved(BASIC_RAW)?);
                }
                found
            }
            Event::EndpointChanged { endpoint_id, change, .. } => {
                self.others(change.name(), endpoint_id, then)?
            }
            Event::MessageFared { endpoint_id, change, .. } => {
                self.others(change.name(), endpoint_id, then)?
            }
            Event::NoticeDelivered(notice) => {
                match self.wants_basic(&notice.trigger, then, BASIC_PROCESSED)? {
                    true => BTreeSet::from([reserved(BASIC_PROCESSED)?]),
                    false => BTreeSet::new(),
                }
            }
            // No wildcard: a new event has to be decided.
            Event::OrganizationDeleted { .. }
            | Event::FolderDeleted { .. }
            | Event::DocumentDeleted { .. }
            | Event::EditorDeleted { .. }
            | Event::GroupDeleted { .. }
            | Event::UserDeleted { .. }
            | Event::UserErasure { .. }
            | Event::ClockAdvanced { .. }
            | Event::KeyDeleted => BTreeSet::new(),
        })
    }

    /// An endpoint does not hear of itself.
    fn others(&self, kind: &str, about: &EndpointId, then: Millis) -> Result<BTreeSet<EndpointId>> {
        let mut found = self.endpoints(kind, &[], then)?;
        found.remove(about);
        Ok(found)
    }

    fn endpoints(
        &self,
        kind: &str,
        channels: &[Channel],
        then: Millis,
    ) -> Result<BTreeSet<EndpointId>> {
        let (configs, item) = &self.advanced;
        let config = item.as_ref().map(|item| configs.as_of(item, then)).transpose()?.flatten();
        if !config.is_some_and(|config| config.is_enabled) {
            return Ok(BTreeSet::new());
        }
        let wants = |endpoint: &&WebhookEndpoint| {
            endpoint.subscription_at(then).is_some_and(|it| it.wants(kind, channels))
        };
        Ok(self.endpoints.iter().filter(wants).map(|endpoint| endpoint.id.clone()).collect())
    }

    fn wants_basic(&self, trigger: &str, then: Millis, endpoint: &str) -> Result<bool> {
        let (configs, item) = &self.basic;
        let config = item.as_ref().map(|item| configs.as_of(item, then)).transpose()?.flatten();
        let Some(config) = config else { return Ok(false) };
        let service = &config.webhook_service_config;
        let url = match endpoint {
            BASIC_RAW => service.raw_notification_url.as_ref(),
            _ => service.processed_notification_url.as_ref(),
        };
        let is_on = service.triggers.as_ref().and_then(|triggers| triggers.is_on(trigger));
        let has_url = url.is_some_and(|url| !url.as_str().is_empty());
        Ok(config.use_webhook_service && has_url && is_on == Some(true))
    }
}

/// One of the endpoints that are there for basic webhooks alone.
fn reserved(name: &str) -> Result<EndpointId> {
    EndpointId::try_from(name.to_owned()).map_err(|e| Error::internal(e.to_string()))
}

/// The channels of what happened in a document, by which an endpoint says where it listens: those of
/// the organization and of the document (decision 16).
///
/// # Errors
/// INTERNAL when an id can be no channel.
pub fn channels_of(event: &DomainEvent) -> Result<Vec<Channel>> {
    let organization = channel("organization", event.organization_id.as_str())?;
    Ok(vec![organization, channel("document", event.document_id.as_str())?])
}

/// The id as it stands, behind what it is an id of, so that no document poses as an organization.
/// One that cannot be part of a channel is named by its digest, behind a colon, so that no other id
/// poses as it.
fn channel(of: &str, id: &str) -> Result<Channel> {
    let digest = || Channel::try_from(format!("{of}:{}", keyring::sha256_hex(id)));
    let channel = Channel::try_from(format!("{of}.{id}")).or_else(|_| digest());
    channel.map_err(|error| Error::internal(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::channel;

    #[test]
    fn every_id_has_a_channel_of_its_own() {
        let of = |id: &str| channel("document", id).unwrap().as_str().to_owned();
        assert_eq!(of("Q3_plan-2.a:b"), "document.Q3_plan-2.a:b");
        let digest = "7509e5bda0c762d2bac7f90d758b5b2263fa01ccbc542ab5e3df163be08e6ca9";
        assert_eq!(of("hello world!"), format!("document:{digest}"));
        assert_ne!(of(&format!(":{digest}")), of("hello world!"));
        let longest = "x".repeat(128 - "document.".len());
        assert_eq!(of(&longest), format!("document.{longest}"));
        for id in ["é", "a/b", "🙂", &"x".repeat(256), &format!("{longest}x")] {
            assert!(of(id).starts_with("document:") && of(id).len() == 73, "{id}");
        }
    }
}
