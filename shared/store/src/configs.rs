//! Configurations of an API key: one of each kind, there once it was written.

use error::{Error, Result};
use model::config::{
    ActivityConfig, AdvancedWebhookConfig, EmailConfig, NotificationConfig, WebhookConfig,
};

use crate::{
    collection::Collection,
    commit::Fate,
    db::{ATTEMPTS, back_off},
    entity::{Entity, Place},
    item,
    key::Key,
    scope::TenantStore,
};

/// Beside the endpoints and behind all of them, so that one query reads both, this first.
impl Entity for AdvancedWebhookConfig {
    const KIND: &'static str = "webhook";
    const NOUN: &'static str = "advanced webhook configuration";
    type Id = ();
    fn id(&self) {}
    fn shown((): &()) -> &str {
        ""
    }
    fn place((): &()) -> Place {
        Place(Key::named(Self::KIND).join(&Key::named("settings")))
    }
}

impl TenantStore {
    /// How emails are sent.
    pub fn email_config(&self) -> Collection<EmailConfig> {
        self.of()
    }

    /// Where basic webhooks are sent.
    pub fn webhook_config(&self) -> Collection<WebhookConfig> {
        self.of()
    }

    /// When users are notified.
    pub fn notification_config(&self) -> Collection<NotificationConfig> {
        self.of()
    }

    /// What is logged.
    pub fn activity_config(&self) -> Collection<ActivityConfig> {
        self.of()
    }

    /// How advanced webhooks are sent.
    pub fn advanced_webhook_config(&self) -> Collection<AdvancedWebhookConfig> {
        self.of()
    }
}

impl<E: Entity<Id = ()>> Collection<E> {
    /// Writes what `change` makes of what is there, if anything; does so again when somebody else
    /// wrote it meanwhile, so that simultaneous changes of different members are all kept.
    ///
    /// # Errors
    /// ABORTED when others kept changing it; whatever `change` returns.
    pub async fn save(&self, mut change: impl FnMut(Option<E>) -> Result<E> + Send) -> Result<E> {
        // Every caller of the key writes this one item.
        for attempt in 0..3 * ATTEMPTS {
            let found = self.db.get(E::TABLE, &self.partition, &E::place(&()).0).await?;
            let unit = |entity: &E, seen: Option<&str>| match seen {
                Some(seen) => self.changed(entity, seen, None),
                None => self.inserted(entity, None),
            };
            let seen = found.as_ref().map(item::version).transpose()?;
            let entity = change(found.map(|item| self.decode(item)).transpose()?)?;
            match self.db.commit(unit(&entity, seen.as_deref())?).await {
                Fate::Done => return Ok(entity),
                Fate::Refused(_) => back_off(attempt).await,
                Fate::Failed(error) => return Err(error),
            }
        }
        Err(Error::aborted())
    }
}
