//! Subscribed webhook endpoints of an event, by the configuration at its time.

use std::{collections::BTreeSet, sync::Arc};

use aws::{Item, Query};
use error::{Error, Result};
use model::{
    ApiKeyId, EndpointId, Millis,
    configuration::{AdvancedWebhookConfig, WebhookConfig},
    event::{DomainEvent, Event},
    webhook_endpoint::Channel,
};
use store::{journal::StoredEvent, prelude::*};
use tenancy::{
    layout::{Entity, Key, item},
    prelude::*,
    scopes::{SizedCache, place_of},
};

use super::Webhooks;
use crate::types::{BASIC_PROCESSED, BASIC_RAW, WebhookEndpoint};

/// Maximum number of endpoints handled within the stream: as many as one SQS call takes messages. A
/// tenant with more is handled separately.
pub(crate) const FEW_ENDPOINTS: usize = 10;
/// Items read for that: the two configurations, the endpoints, and one more to know whether there
/// are more.
const FEW: i32 = 13;
/// Page size when all endpoints are read; DynamoDB ends a page after 1 MB.
const PAGE: i32 = 1000;

/// The webhook configuration of a tenant, now and in the past hour: the configurations and the
/// newest endpoints.
struct WebhookSetup {
    advanced: Option<Item>,
    basic: Option<Item>,
    endpoints: Vec<WebhookEndpoint>,
    bytes: usize,
    /// Start of the older endpoints, if any.
    older: Option<Item>,
}

/// Maximum size of the cached configurations of a process, in bytes.
const MAX_CACHED_BYTES: usize = 16_000_000;

/// The webhook configurations of tenants, by the number of items that were read, each with the time
/// of that.
struct SetupCache(SizedCache<(ApiKeyId, i32), (Millis, Arc<WebhookSetup>)>);

impl Default for SetupCache {
    fn default() -> Self {
        Self(SizedCache::new(MAX_CACHED_BYTES))
    }
}

/// The subscribed endpoints of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoints {
    /// The tenant has so few endpoints that the stream handles them; these subscribe to the event.
    Few(BTreeSet<EndpointId>),
    /// The tenant has so many endpoints that they are read where no other tenant waits.
    Many,
}

impl Endpoints {
    /// Whether no endpoint subscribes to the event, as far as is known.
    pub fn is_nobody(&self) -> bool {
        matches!(self, Self::Few(endpoints) if endpoints.is_empty())
    }
}

impl Webhooks<'_> {
    /// The subscribed endpoints at the time of an event. The cost does not depend on the number of
    /// endpoints.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn subscribers(self, stored: &StoredEvent) -> Result<Endpoints> {
        if !stored.event.is_for_webhooks() {
            return Ok(Endpoints::Few(BTreeSet::new()));
        }
        let setup = self.setup(FEW, stored.at).await?;
        if setup.older.is_some() || setup.endpoints.len() > FEW_ENDPOINTS {
            return Ok(Endpoints::Many);
        }
        self.decide(&setup, &setup.endpoints, stored).map(Endpoints::Few)
    }

    /// The subscribed endpoints at the time of an event, however many: read a megabyte at a time.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn all_subscribers(
        self,
        stored: &StoredEvent,
    ) -> Result<BTreeSet<EndpointId>> {
        if !stored.event.is_for_webhooks() {
            return Ok(BTreeSet::new());
        }
        let setup = self.setup(PAGE, stored.at).await?;
        let mut found = self.decide(&setup, &setup.endpoints, stored)?;
        let mut older = setup.older.clone();
        while older.is_some() {
            let page = self.read_setup(PAGE, older).await?;
            found.extend(self.decide(&setup, &page.endpoints, stored)?);
            older = page.older;
        }
        Ok(found)
    }

    /// The webhook configuration, read after that time, with its previous versions.
    async fn setup(self, limit: i32, then: Millis) -> Result<Arc<WebhookSetup>> {
        let (cache, key) =
            (self.0.db().cache::<SetupCache>(), (self.0.api_key().id.clone(), limit));
        let remembered = cache.0.get(&key).filter(|(read_at, _)| *read_at > then);
        if let Some((_, setup)) = remembered {
            return Ok(setup);
        }
        let read_at = self.0.now();
        let setup = Arc::new(self.read_setup(limit, None).await?);
        cache.0.put(key, (read_at, Arc::clone(&setup)), setup.bytes);
        Ok(setup)
    }

    /// Up to `limit` items: the configurations, then the newest endpoints.
    async fn read_setup(self, limit: i32, start: Option<Item>) -> Result<WebhookSetup> {
        let prefix = Key::named(WebhookEndpoint::KIND).prefix();
        let query = self.0.collection::<WebhookEndpoint>().rows().under(prefix);
        let found = self.0.db().query(Query { start, limit, ascending: false, ..query }).await?;
        let (mut advanced, mut basic, mut endpoints) = (None, None, vec![]);
        let rows: usize = found.items.iter().map(item::size).sum();
        let bytes = size_of::<WebhookSetup>() + rows;
        for item in found.items {
            let (_, sort) = place_of(&item);
            if sort == AdvancedWebhookConfig::place(&()).into_key().as_str() {
                advanced = Some(item);
            } else if sort == WebhookConfig::place(&()).into_key().as_str() {
                basic = Some(item);
            } else {
                endpoints.push(self.0.collection().rows().decode(item)?);
            }
        }
        Ok(WebhookSetup { advanced, basic, endpoints, bytes, older: found.next })
    }

    /// The subscribed endpoints of an event, and basic webhooks, by the configuration at its time.
    fn decide(
        self,
        setup: &WebhookSetup,
        endpoints: &[WebhookEndpoint],
        stored: &StoredEvent,
    ) -> Result<BTreeSet<EndpointId>> {
        let decided = self.subscribers_among(setup, endpoints, stored);
        if decided.is_err() {
            // An unreadable item may be repaired before the retry.
            for limit in [FEW, PAGE] {
                let key = (self.0.api_key().id.clone(), limit);
                self.0.db().cache::<SetupCache>().0.forget(&key);
            }
        }
        decided
    }

    fn subscribers_among(
        self,
        setup: &WebhookSetup,
        endpoints: &[WebhookEndpoint],
        stored: &StoredEvent,
    ) -> Result<BTreeSet<EndpointId>> {
        let then = stored.at;
        let wanting = |kind: &str, channels: &[Channel]| -> Result<BTreeSet<EndpointId>> {
            let configs = self.0.configuration().advanced_webhook();
            let config = setup.advanced.as_ref().map(|item| configs.as_of(item, then));
            if !config.transpose()?.flatten().is_some_and(|config| config.is_enabled) {
                return Ok(BTreeSet::new());
            }
            let wants = |endpoint: &&WebhookEndpoint| {
                endpoint
                    .subscription_at(then)
                    .is_some_and(|subscription| subscription.matches(kind, channels))
            };
            Ok(endpoints.iter().filter(wants).map(|endpoint| endpoint.id.clone()).collect())
        };
        // An endpoint does not receive events about itself.
        let others = |kind: &str, about: &EndpointId| {
            let mut found = wanting(kind, &[])?;
            found.remove(about);
            Ok(found)
        };
        let basic = |trigger: &str, address: &str| match self
            .is_basic_subscriber(setup, trigger, then, address)?
        {
            true => Ok(Some(reserved(address)?)),
            false => Ok::<_, Error>(None),
        };
        match &stored.event {
            Event::Domain(event) => {
                let mut found = wanting(event.event.name(), &channels_of(event)?)?;
                found.extend(basic(event.event.name(), BASIC_RAW)?);
                Ok(found)
            }
            Event::EndpointChanged { endpoint_id, change, .. } => {
                others(change.name(), endpoint_id)
            }
            Event::DeliveryChanged { endpoint_id, change, .. } => {
                others(change.name(), endpoint_id)
            }
            Event::NoticeDelivered(notice) => {
                Ok(basic(&notice.trigger, BASIC_PROCESSED)?.into_iter().collect())
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
            | Event::Read(_)
            | Event::KeyDeleted => Ok(BTreeSet::new()),
        }
    }

    fn is_basic_subscriber(
        self,
        setup: &WebhookSetup,
        trigger: &str,
        then: Millis,
        endpoint: &str,
    ) -> Result<bool> {
        let configs = self.0.configuration().webhook();
        let config =
            setup.basic.as_ref().map(|item| configs.as_of(item, then)).transpose()?.flatten();
        let Some(config) = config else { return Ok(false) };
        let service = &config.webhook_service_config;
        let url = match endpoint {
            BASIC_RAW => service.raw_notification_url.as_ref(),
            _ => service.processed_notification_url.as_ref(),
        };
        let is_on = service.triggers.as_ref().and_then(|triggers| triggers.switch(trigger));
        let has_url = url.is_some_and(|url| !url.as_str().is_empty());
        Ok(config.use_webhook_service && has_url && is_on == Some(true))
    }
}

/// The pseudo endpoint of a basic webhook.
fn reserved(name: &str) -> Result<EndpointId> {
    EndpointId::try_from(name.to_owned()).map_err(|e| Error::internal(e.to_string()))
}

/// The channels of an event in a document: those of the organization and of the document (contract
/// `deliveries.channels`).
///
/// # Errors
/// INTERNAL when an id cannot form a channel.
pub fn channels_of(event: &DomainEvent) -> Result<Vec<Channel>> {
    let organization = channel("organization", event.organization_id.as_str())?;
    Ok(vec![organization, channel("document", event.document_id.as_str())?])
}

/// The id behind the name of its kind, so that no document imitates an organization. An id that a
/// channel cannot hold is replaced by its digest behind a colon, so that no other id equals it.
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
