//! Who wants an event: an event that nobody wants is numbered and forgotten.

use std::sync::Arc;

use aws::Item;
use error::Result;
use model::{
    Millis,
    config::{AdvancedWebhookConfig, EmailConfig, NotificationConfig, WebhookConfig},
    event::{DomainEvent, Event, EventType},
};

use crate::{
    entity::{Entity, Table},
    event::StoredEvent,
    policy::Configured,
    scope::TenantStore,
};

/// Who wants an event, by the configuration as it was when the event happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Listeners {
    /// Webhooks may want it, or it is about webhooks.
    pub webhooks: bool,
    /// People may be notified of it.
    pub people: bool,
}

impl Listeners {
    /// Nobody.
    pub const NONE: Self = Self { webhooks: false, people: false };

    /// Whether nobody wants it.
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// Who may want an event, whatever is configured. No wildcard: a new event has to be decided.
    fn of_kind(event: &Event) -> Self {
        use EventType::{AnnotationAccessModeChange, AnnotationDelete, NotificationAdd};
        match event {
            Event::Domain(event) => Self {
                // siblings 14.1
                webhooks: !matches!(
                    event.event,
                    AnnotationAccessModeChange | AnnotationDelete | NotificationAdd
                ),
                people: event.notify || event.event == NotificationAdd,
            },
            Event::EndpointChanged { .. }
            | Event::MessageFared { .. }
            | Event::NoticeDelivered(_) => Self { webhooks: true, people: false },
            Event::OrganizationDeleted { .. }
            | Event::FolderDeleted { .. }
            | Event::DocumentDeleted { .. }
            | Event::EditorDeleted { .. }
            | Event::GroupDeleted { .. }
            | Event::UserDeleted { .. }
            | Event::UserErasure { .. }
            | Event::ClockAdvanced { .. } => Self::NONE,
        }
    }
}

impl TenantStore {
    /// Who wants an event.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn listeners(&self, stored: &StoredEvent) -> Result<Listeners> {
        let may = Listeners::of_kind(&stored.event);
        match &stored.event {
            Event::Domain(event) if !may.is_none() => {
                let listeners = self.configured_for(may, stored, event).await;
                if listeners.is_err() {
                    // What cannot be read may be repaired before it comes again.
                    self.db.journal.configs.forget(&self.key.id);
                }
                listeners
            }
            _ => Ok(may),
        }
    }

    /// Those who may want it, as far as the configuration let them.
    async fn configured_for(
        &self,
        may: Listeners,
        stored: &StoredEvent,
        event: &DomainEvent,
    ) -> Result<Listeners> {
        let then = stored.at;
        let [advanced, basic, notices, mails] = &*self.configs_since(then).await?;
        let advanced = self.advanced_webhook_config().as_it_was(advanced.clone(), then)?;
        let basic = self.webhook_config().as_it_was(basic.clone(), then)?;
        let notices = self.notification_config().as_it_was(notices.clone(), then)?;
        let mails = self.email_config().as_it_was(mails.clone(), then)?;
        let is_advanced = advanced.is_some_and(|config| config.is_enabled);
        let is_basic = basic.is_some_and(|config| config.use_webhook_service);
        let channels = Configured::new(event.event, notices, mails).policy().channels;
        Ok(Listeners {
            webhooks: may.webhooks && (is_advanced || is_basic),
            people: may.people && !channels.is_empty(),
        })
    }

    /// The configurations, read at that time or later: they know what they were before.
    async fn configs_since(&self, then: Millis) -> Result<Arc<Configs>> {
        let id = &self.key.id;
        let remembered = self.db.journal.configs.get(id);
        if let Some((_, configs)) = remembered.filter(|(read_at, _)| *read_at > then) {
            return Ok(configs);
        }
        let places = [
            AdvancedWebhookConfig::place(&()).0,
            WebhookConfig::place(&()).0,
            NotificationConfig::place(&()).0,
            EmailConfig::place(&()).0,
        ];
        let read_at = self.now();
        let found = self.db.get_all(Table::Resources, &self.partition(), places.clone()).await;
        let mut found = found?;
        let configs = Arc::new(places.map(|place| found.remove(place.as_str())));
        self.db.journal.configs.put(id.clone(), (read_at, Arc::clone(&configs)));
        Ok(configs)
    }
}

/// The items of the configurations that say who wants an event: advanced and basic webhooks,
/// notifications, mails.
pub(super) type Configs = [Option<Item>; 4];
