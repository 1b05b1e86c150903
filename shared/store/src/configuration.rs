//! Configurations of an API key: one of each kind, after its first write.

use aws::{Item, Value, Write};
use error::{Error, Result};
use model::{
    Millis,
    configuration::{
        ActivityConfig, AdvancedWebhookConfig, EmailConfig, NotificationConfig, Usable,
        WebhookConfig,
    },
};
use tenancy::{
    layout::{Entity, item},
    prelude::*,
    reading::Collection,
    scopes::{ATTEMPTS, TenantStore, back_off},
};

tenancy::features! {
    /// Entry from the scope of a tenant.
    OfTenant for TenantStore:
    /// Configurations of the API key, one of each kind.
    configuration: Configurations,
}

impl Configurations<'_> {
    /// The email configuration.
    pub fn email(self) -> Configuration<EmailConfig> {
        Configuration(self.0.collection())
    }

    /// The configuration of basic webhooks.
    pub fn webhook(self) -> Configuration<WebhookConfig> {
        Configuration(self.0.collection())
    }

    /// The notification configuration.
    pub fn notification(self) -> Configuration<NotificationConfig> {
        Configuration(self.0.collection())
    }

    /// The activity configuration.
    pub fn activity(self) -> Configuration<ActivityConfig> {
        Configuration(self.0.collection())
    }

    /// The configuration of advanced webhooks.
    pub fn advanced_webhook(self) -> Configuration<AdvancedWebhookConfig> {
        Configuration(self.0.collection())
    }
}

/// A configuration of one kind.
pub struct Configuration<E>(pub(crate) Collection<E>);

impl<E: Entity<Id = ()>> Configuration<E> {
    /// The configuration in an item.
    ///
    /// # Errors
    /// INTERNAL when it is another item.
    pub fn decode(&self, item: Item) -> Result<E> {
        self.0.rows().decode(item)
    }

    /// The current configuration, if it was ever written.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn find(&self) -> Result<Option<E>> {
        self.0.find(&()).await
    }

    /// Writes the result of `change`, which its use has accepted (decision 112); retries after a
    /// concurrent change, so that simultaneous changes of different members are all kept.
    ///
    /// # Errors
    /// ABORTED under contention; the errors of `change`.
    pub async fn save(
        &self,
        mut change: impl FnMut(Option<E>) -> Result<Usable<E>> + Send,
    ) -> Result<E> {
        // All callers of the key write this item.
        for attempt in 0..3 * ATTEMPTS {
            let found = self
                .0
                .rows()
                .db()
                .get(E::TABLE, self.0.rows().partition(), &E::place(&()).into_key())
                .await?;
            let unit = |entity: &E, seen: Option<&str>| match seen {
                Some(seen) => self.0.rows().changed(entity, seen, None),
                None => self.0.rows().inserted(entity, None),
            };
            let seen = found.as_ref().map(item::version).transpose()?;
            let earlier = earlier(found.as_ref(), self.0.rows().db().clock().now());
            let stored = found.map(|item| self.0.rows().decode(item)).transpose()?;
            let entity = change(stored)?.into_inner();
            let mut unit = unit(&entity, seen.as_deref())?;
            if let Some(Write::Put { item, .. }) = unit.writes_mut().first_mut() {
                item.insert(EARLIER.to_owned(), Value::L(earlier));
            }
            if self.0.rows().db().commit(unit).await.was_executed()? {
                return Ok(entity);
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// The configuration at a time of the past minutes.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn at(&self, then: Millis) -> Result<Option<E>> {
        Ok(self.at_and_now(then).await?.0)
    }

    /// Like [`Configuration::at`], with the current configuration.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn at_and_now(&self, then: Millis) -> Result<(Option<E>, Option<E>)> {
        let found = self
            .0
            .rows()
            .db()
            .get(E::TABLE, self.0.rows().partition(), &E::place(&()).into_key())
            .await?;
        let Some(item) = found else { return Ok((None, None)) };
        Ok((self.as_of(&item, then)?, Some(self.0.rows().decode(item)?)))
    }

    /// The state of an item at a time.
    ///
    /// # Errors
    /// INTERNAL when it is another item.
    pub fn as_of(&self, item: &Item, then: Millis) -> Result<Option<E>> {
        let earlier = if written(item) > then { replaced_after(item, then) } else { None };
        Ok(match earlier {
            Some(earlier) if earlier.is_empty() => None,
            Some(mut earlier) => {
                earlier.extend(item::key(self.0.rows().partition(), &E::place(&()).into_key()));
                Some(self.0.rows().decode(earlier)?)
            }
            None => Some(self.0.rows().decode(item.clone())?),
        })
    }
}

/// Previous versions: maps of `until` and, unless there was none, `was`.
const EARLIER: &str = "earlier";
/// Retention of previous versions: events are processed a second after they happen, or later after
/// an outage of the stream.
const REMEMBERED: Millis = 60 * 60 * 1000;
/// Maximum number of previous versions.
const MAX_EARLIER: usize = 5;

fn written(item: &Item) -> Millis {
    item::number(item, item::WRITTEN).unwrap_or(0)
}

fn replaced_at(entry: &Item) -> Millis {
    item::number(entry, "until").unwrap_or(0)
}

/// The previous versions when an item is replaced at `now`, the latest last.
fn earlier(replaced: Option<&Item>, now: Millis) -> Vec<Value> {
    let mut was = replaced.cloned().unwrap_or_default();
    was.retain(|name, _| ![EARLIER, item::PK, item::SK].contains(&name.as_str()));
    let until = ("until".to_owned(), Value::N(now.to_string()));
    let latest = Value::M([until, ("was".to_owned(), Value::M(was))].into());
    let known = replaced.and_then(|item| item.get(EARLIER)).and_then(|known| known.as_l().ok());
    let is_recent = |entry: &&Value| {
        entry.as_m().is_ok_and(|entry| replaced_at(entry).saturating_add(REMEMBERED) > now)
    };
    let mut kept: Vec<Value> =
        known.into_iter().flatten().filter(is_recent).cloned().chain([latest]).collect();
    kept.drain(..kept.len().saturating_sub(MAX_EARLIER));
    kept
}

/// The version at `then`, if it was replaced afterwards; empty where there was none.
fn replaced_after(item: &Item, then: Millis) -> Option<Item> {
    let known = item.get(EARLIER)?.as_l().ok()?;
    let entries = known.iter().filter_map(|entry| entry.as_m().ok());
    let replaced = entries.filter(|entry| replaced_at(entry) > then);
    replaced.min_by_key(|entry| replaced_at(entry))?.get("was")?.as_m().ok().cloned()
}
