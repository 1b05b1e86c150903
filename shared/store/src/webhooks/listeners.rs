//! Which webhook endpoints listen to an event: those that wanted it when it happened.

use std::{collections::BTreeSet, sync::Arc};

use aws::{Item, Query};
use error::{Error, Result};
use model::{
    EndpointId, Millis,
    config::{AdvancedWebhookConfig, WebhookConfig},
    event::{DomainEvent, Event},
    ledger::{BASIC_PROCESSED, BASIC_RAW},
    webhook_endpoint::{Channel, WebhookEndpoint},
};

use crate::{
    layout::{Entity, Key, item},
    scopes::{TenantStore, place_of},
    writing::StoredEvent,
};

/// Endpoints that are looked at beside the events of others: as many as one call of a queue takes
/// messages. Who has more is served apart.
pub const FEW_ENDPOINTS: usize = 10;
/// What is read at once for those: the two configurations, and whether there are more endpoints.
const FEW: i32 = 13;
/// What is read at once of all endpoints; DynamoDB ends a page after 1 MB.
const PAGE: i32 = 1000;

/// How the webhooks of a tenant are configured, now and in the past hour: the configurations and the
/// newest endpoints.
pub(crate) struct WebhookSetup {
    advanced: Option<Item>,
    basic: Option<Item>,
    endpoints: Vec<WebhookEndpoint>,
    bytes: usize,
    /// Where the older endpoints begin, if there are any.
    older: Option<Item>,
}

impl TenantStore {
    /// The endpoints of webhooks that wanted an event when it happened; none when there are more
    /// endpoints than are looked at beside the events of others.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn few_listeners(
        &self,
        stored: &StoredEvent,
    ) -> Result<Option<BTreeSet<EndpointId>>> {
        if !stored.event.is_for_webhooks() {
            return Ok(Some(BTreeSet::new()));
        }
        let setup = self.webhook_setup(FEW, stored.at).await?;
        if setup.older.is_some() || setup.endpoints.len() > FEW_ENDPOINTS {
            return Ok(None);
        }
        self.decide(&setup, &setup.endpoints, stored).map(Some)
    }

    /// The endpoints of webhooks that wanted an event when it happened, however many there are: a
    /// megabyte of them is held at a time.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn all_listeners(&self, stored: &StoredEvent) -> Result<BTreeSet<EndpointId>> {
        if !stored.event.is_for_webhooks() {
            return Ok(BTreeSet::new());
        }
        let setup = self.webhook_setup(PAGE, stored.at).await?;
        let mut found = self.decide(&setup, &setup.endpoints, stored)?;
        let mut older = setup.older.clone();
        while older.is_some() {
            let page = self.read_webhooks(PAGE, older).await?;
            found.extend(self.decide(&setup, &page.endpoints, stored)?);
            older = page.older;
        }
        Ok(found)
    }

    /// How webhooks are configured, read after that time: it says what it was before.
    async fn webhook_setup(&self, limit: i32, then: Millis) -> Result<Arc<WebhookSetup>> {
        let (memory, key) = (&self.db.journal.webhooks, (self.key.id.clone(), limit));
        let remembered = memory.get(&key).filter(|(read_at, _)| *read_at > then);
        if let Some((_, setup)) = remembered {
            return Ok(setup);
        }
        let read_at = self.now();
        let setup = Arc::new(self.read_webhooks(limit, None).await?);
        memory.put(key, (read_at, Arc::clone(&setup)), setup.bytes);
        Ok(setup)
    }

    /// Up to `limit` items that configure webhooks: the configurations, then the newest endpoints.
    async fn read_webhooks(&self, limit: i32, start: Option<Item>) -> Result<WebhookSetup> {
        let prefix = Key::named(WebhookEndpoint::KIND).prefix();
        let query = self.of::<WebhookEndpoint>().under(prefix);
        let found = self.db.query(Query { start, limit, ascending: false, ..query }).await?;
        let (mut advanced, mut basic, mut endpoints) = (None, None, vec![]);
        let bytes = found.items.iter().map(item::size).sum();
        for item in found.items {
            let (_, sort) = place_of(&item);
            if sort == AdvancedWebhookConfig::place(&()).0.as_str() {
                advanced = Some(item);
            } else if sort == WebhookConfig::place(&()).0.as_str() {
                basic = Some(item);
            } else {
                endpoints.push(self.of().decode(item)?);
            }
        }
        Ok(WebhookSetup { advanced, basic, endpoints, bytes, older: found.next })
    }

    /// Which of the endpoints an event goes to, and of the addresses of basic webhooks, by the
    /// configuration of the time it happened.
    fn decide(
        &self,
        setup: &WebhookSetup,
        endpoints: &[WebhookEndpoint],
        stored: &StoredEvent,
    ) -> Result<BTreeSet<EndpointId>> {
        let decided = self.listeners_among(setup, endpoints, stored);
        if decided.is_err() {
            // What cannot be read may be repaired before it comes again.
            for limit in [FEW, PAGE] {
                self.db.journal.webhooks.forget(&(self.key.id.clone(), limit));
            }
        }
        decided
    }

    fn listeners_among(
        &self,
        setup: &WebhookSetup,
        endpoints: &[WebhookEndpoint],
        stored: &StoredEvent,
    ) -> Result<BTreeSet<EndpointId>> {
        let then = stored.at;
        let wanting = |kind: &str, channels: &[Channel]| -> Result<BTreeSet<EndpointId>> {
            let configs = self.advanced_webhook_config();
            let config = setup.advanced.as_ref().map(|item| configs.as_of(item, then));
            if !config.transpose()?.flatten().is_some_and(|config| config.is_enabled) {
                return Ok(BTreeSet::new());
            }
            let wants = |endpoint: &&WebhookEndpoint| {
                endpoint.subscription_at(then).is_some_and(|it| it.wants(kind, channels))
            };
            Ok(endpoints.iter().filter(wants).map(|endpoint| endpoint.id.clone()).collect())
        };
        // An endpoint does not hear of itself.
        let others = |kind: &str, about: &EndpointId| {
            let mut found = wanting(kind, &[])?;
            found.remove(about);
            Ok(found)
        };
        let basic =
            |trigger: &str, address: &str| match self.wants_basic(setup, trigger, then, address)? {
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
            Event::MessageFared { endpoint_id, change, .. } => others(change.name(), endpoint_id),
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
            | Event::KeyDeleted => Ok(BTreeSet::new()),
        }
    }

    fn wants_basic(
        &self,
        setup: &WebhookSetup,
        trigger: &str,
        then: Millis,
        endpoint: &str,
    ) -> Result<bool> {
        let configs = self.webhook_config();
        let config =
            setup.basic.as_ref().map(|item| configs.as_of(item, then)).transpose()?.flatten();
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
