//! Endpoints of advanced webhooks. They receive nothing unless advanced webhooks are enabled; the
//! configuration is read together with the requested item.
//!
//! An endpoint's id begins with its time, in sortable digits, so that the reverse order of the
//! table is newest first. Within a process ids are strictly increasing, also within one
//! millisecond; between processes, endpoints of the same millisecond have no order.

use aws::{Item, Write};
use error::{Error, Result};
use futures_util::future::try_join;
use model::{
    EndpointId,
    configuration::{AdvancedWebhookConfig, WebhookConfig},
    event::{EndpointChange, Event},
    webhook_endpoint::EndpointUid,
    workspace::{MAX_WEBHOOK_ENDPOINTS, Workspace},
};
use serde::{Deserialize, Serialize};
use store::prelude::*;
use tenancy::{
    layout::{Entity, Key, Place, Table, item},
    prelude::*,
    reading::{Collection, Walk, Walked, existing, missing},
    scopes::place_of,
    writing::{Counted, count, present, settle},
};

use super::Webhooks;
use crate::types::WebhookEndpoint;

/// Reserves a uid for one endpoint.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReservedUid {
    uid: EndpointUid,
    endpoint_id: EndpointId,
}

model::names_nobody!(ReservedUid);

impl Entity for ReservedUid {
    const KIND: &'static str = "webhook-uid";
    const NOUN: &'static str = "webhook endpoint with the uid";
    type Id = EndpointUid;
    fn id(&self) -> EndpointUid {
        self.uid.clone()
    }
    fn shown(uid: &EndpointUid) -> &str {
        uid.as_str()
    }
    fn place(uid: &EndpointUid) -> Place {
        Place::new(Key::pair(Self::KIND, uid.as_str()))
    }
}

/// Refuses the operation unless webhooks are enabled.
fn check_enabled(config: Option<AdvancedWebhookConfig>) -> Result<()> {
    match config {
        None => Err(Error::precondition("Advanced webhooks are not configured for this API key.")),
        Some(config) if !config.is_enabled => {
            Err(Error::precondition("Advanced webhooks are disabled for this API key."))
        }
        Some(_) => Ok(()),
    }
}

/// Key of the count of endpoints.
const COUNT: &str = "webhook-count";

/// The event of a new or deleted endpoint.
fn endpoint_event(id: &EndpointId, change: EndpointChange) -> Event {
    let endpoint_id = id.clone();
    Event::EndpointChanged { endpoint_id, change, reason: None, percent: None, revision: None }
}

impl Webhooks<'_> {
    pub(super) fn endpoints(self) -> Collection<WebhookEndpoint> {
        self.0.collection()
    }

    /// A new id, greater than all earlier ones of this process.
    ///
    /// # Errors
    /// INTERNAL without system randomness.
    pub fn new_endpoint_id(self) -> Result<EndpointId> {
        const RANDOM: u32 = 16;
        let random = keyring::random_bytes::<16>().map(u128::from_be_bytes)?;
        let time = base62(self.0.db().clock().tick().into(), 11);
        let id = format!("ep_{time}{}", base62(random % 62_u128.pow(RANDOM), RANDOM as usize));
        EndpointId::try_from(id).map_err(|e| Error::internal(e.to_string()))
    }

    /// Adds an endpoint.
    ///
    /// # Errors
    /// FAILED_PRECONDITION; ALREADY_EXISTS when its uid is taken; RESOURCE_EXHAUSTED at the maximum
    /// number of endpoints.
    pub async fn add_endpoint(self, endpoint: &WebhookEndpoint) -> Result<()> {
        let (config, max) = self.config_and_max_endpoints().await?;
        check_enabled(config)?;
        let emitted = endpoint_event(&endpoint.id, EndpointChange::Created);
        let mut unit = self.endpoints().rows().inserted(endpoint, Some(emitted))?;
        let names = self.0.collection::<ReservedUid>();
        if let Some(uid) = endpoint.uid.clone() {
            let reserved = ReservedUid { uid, endpoint_id: endpoint.id.clone() };
            unit.writes_mut().extend(names.rows().inserted(&reserved, None)?.into_writes());
        }
        let counted = unit.writes().len();
        unit.writes_mut().push(count(self.0, COUNT, "endpoints", Counted::Added { max })?);
        settle(self.0.db().commit(unit).await, |position| match &endpoint.uid {
            _ if position == counted => {
                let message = format!("The API key has the maximum of {max} webhook endpoints.");
                Error::exhausted(message)
            }
            Some(uid) if position > 0 => existing::<ReservedUid>(uid),
            _ => Error::internal("a random id occurred twice"),
        })
    }

    /// The advanced webhook configuration, and the maximum number of endpoints of the key.
    async fn config_and_max_endpoints(self) -> Result<(Option<AdvancedWebhookConfig>, u64)> {
        let workspace = Key::pair("workspace", self.0.api_key().workspace_id.as_str());
        let of_workspace = (workspace, Workspace::place(&()).into_key());
        let of_config = (self.0.partition().clone(), AdvancedWebhookConfig::place(&()).into_key());
        let places = [of_workspace.clone(), of_config.clone()].into();
        let mut found = self.0.db().get_across(Table::Resources, places).await?;
        let mut take = |(partition, sort): (Key, Key)| {
            found.remove(&(String::from(partition), String::from(sort)))
        };
        let config =
            take(of_config).map(|item| self.0.configuration().advanced_webhook().decode(item));
        let workspace = take(of_workspace).map(item::decode_plain::<Workspace>).transpose()?;
        let max =
            workspace.map_or(MAX_WEBHOOK_ENDPOINTS, |workspace| workspace.max_webhook_endpoints);
        Ok((config.transpose()?, max))
    }

    /// An endpoint.
    ///
    /// # Errors
    /// FAILED_PRECONDITION; NOT_FOUND.
    pub async fn endpoint(self, id: &EndpointId) -> Result<WebhookEndpoint> {
        let item = self.endpoint_item(id).await?;
        self.endpoints().rows().decode(item)
    }

    pub(super) async fn endpoint_item(self, id: &EndpointId) -> Result<Item> {
        let config = AdvancedWebhookConfig::place(&()).into_key();
        let endpoint = WebhookEndpoint::place(id).into_key();
        let wanted = [config.clone(), endpoint.clone()];
        let mut found =
            self.0.db().get_all(WebhookEndpoint::TABLE, self.0.partition(), wanted).await?;
        let config = found.remove(config.as_str());
        check_enabled(
            config
                .map(|item| self.0.configuration().advanced_webhook().decode(item))
                .transpose()?,
        )?;
        found.remove(endpoint.as_str()).ok_or_else(|| missing::<WebhookEndpoint>(id))
    }

    /// Refuses the operation unless advanced or basic webhooks are enabled: both kinds have messages
    /// and attempts.
    pub(super) async fn require_any_enabled(self) -> Result<()> {
        let advanced = AdvancedWebhookConfig::place(&()).into_key();
        let basic = WebhookConfig::place(&()).into_key();
        let wanted = [advanced.clone(), basic.clone()];
        let mut found =
            self.0.db().get_all(AdvancedWebhookConfig::TABLE, self.0.partition(), wanted).await?;
        let configs = self.0.configuration();
        let basic = found.remove(basic.as_str()).map(|item| configs.webhook().decode(item));
        if basic.transpose()?.is_some_and(|config| config.use_webhook_service) {
            return Ok(());
        }
        let advanced = found.remove(advanced.as_str());
        check_enabled(advanced.map(|item| configs.advanced_webhook().decode(item)).transpose()?)
    }

    /// Deletes an endpoint with its secrets, and frees its uid.
    ///
    /// # Errors
    /// FAILED_PRECONDITION; NOT_FOUND.
    pub async fn delete_endpoint(self, id: &EndpointId) -> Result<()> {
        let endpoint = self.endpoint(id).await?;
        let emitted = endpoint_event(id, EndpointChange::Deleted);
        let mut unit = self.endpoints().rows().deleted(id, Some(emitted), present())?;
        unit.writes_mut().push(self.forget_state(id));
        unit.writes_mut().push(count(self.0, COUNT, "endpoints", Counted::Removed)?);
        if let Some(uid) = &endpoint.uid {
            let key = item::key(self.0.partition(), &ReservedUid::place(uid).into_key());
            unit.writes_mut().push(Write::Delete {
                table: ReservedUid::TABLE.name(),
                key,
                condition: None,
            });
        }
        settle(self.0.db().commit(unit).await, |_| missing::<WebhookEndpoint>(id))
    }

    /// One page of the endpoints.
    ///
    /// # Errors
    /// FAILED_PRECONDITION.
    pub async fn list_endpoints(self, walk: &Walk) -> Result<Walked<WebhookEndpoint>> {
        let (endpoints, configs) = (self.endpoints(), self.0.configuration().advanced_webhook());
        let (items, more) = if walk.is_first() {
            // The newest endpoints are neighbours of the configurations.
            let query = endpoints.rows().under(Key::named(WebhookEndpoint::KIND).prefix());
            let (mut items, more) =
                endpoints.rows().fetch(walk.query(query), walk.limit() + 2).await?;
            let mut take = |place: Place| {
                let place = place.into_key();
                let at = items.iter().position(|item| place_of(item).1 == place.as_str())?;
                Some(items.remove(at))
            };
            let (config, _) =
                (take(AdvancedWebhookConfig::place(&())), take(WebhookConfig::place(&())));
            check_enabled(config.map(|item| configs.decode(item)).transpose()?)?;
            let more = more || items.len() > walk.limit();
            items.truncate(walk.limit());
            (items, more)
        } else {
            let all = Key::named(WebhookEndpoint::KIND).join(&Key::named("endpoint"));
            let query = walk.query(endpoints.rows().under(all.prefix()));
            let read = try_join(configs.find(), endpoints.rows().fetch(query, walk.limit()));
            let (config, found) = read.await?;
            check_enabled(config)?;
            found
        };
        let items =
            items.into_iter().map(|item| endpoints.rows().decode(item)).collect::<Result<_>>()?;
        walk.walked(items, more)
    }
}

/// A number in sortable digits and letters.
fn base62(mut n: u128, digits: usize) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut text = vec!['0'; digits];
    for digit in text.iter_mut().rev() {
        *digit = char::from(DIGITS[usize::try_from(n % 62).unwrap_or_default()]);
        n /= 62;
    }
    text.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::base62;

    #[test]
    fn the_greatest_number_fits() {
        assert_eq!(base62(0, 3), "000");
        assert_eq!(base62(61, 2), "0z");
        assert_eq!(base62(62, 2), "10");
        assert_eq!(base62(62_u128.pow(16) - 1, 16), "z".repeat(16));
        assert!(u128::from(u64::MAX) < 62_u128.pow(11), "the time never outgrows its digits");
    }

    proptest! {
        #[test]
        fn digits_sort_as_their_numbers(a: u64, b: u64) {
            prop_assert_eq!(base62(a.into(), 11).cmp(&base62(b.into(), 11)), a.cmp(&b));
        }
    }
}
