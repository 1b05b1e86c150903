//! What the configuration says about an event (rules N2, N6).

use delivery::{Channel, Channels, Limits, Policy, Reason, WindowLimits};
use error::Result;
use futures_util::future;
use model::{
    Millis,
    config::{EmailConfig, NotificationConfig, Window},
    event::EventType,
    trigger::Triggers,
};

use crate::scope::TenantStore;

/// What the configuration said when something happened.
pub struct Configured {
    kind: EventType,
    notices: NotificationConfig,
    mails: EmailConfig,
}

impl Configured {
    pub(crate) fn new(
        kind: EventType,
        notices: Option<NotificationConfig>,
        mails: Option<EmailConfig>,
    ) -> Self {
        let (notices, mails) = (notices.unwrap_or_default(), mails.unwrap_or_default());
        Self { kind, notices, mails }
    }

    /// Channels, and how long to wait. What a caller adds is in the inbox anyway and waits for
    /// nothing.
    pub fn policy(&self) -> Policy {
        let is_custom = self.kind == EventType::NotificationAdd;
        let delay = self.notices.notification_service_config.delay_config;
        let is_on = |channel| self.obstacle(channel).is_none();
        Policy {
            delay: delay.and_then(|delay| delay.seconds()).filter(|_| !is_custom),
            channels: Channels {
                inbox: is_on(Channel::Inbox),
                email: is_on(Channel::Email),
                chat: is_on(Channel::Chat),
            },
        }
    }

    /// Why a channel takes no part; chat has no integration.
    pub fn obstacle(&self, channel: Channel) -> Option<Reason> {
        let is_custom = self.kind == EventType::NotificationAdd;
        let (is_service_on, triggers) = match channel {
            Channel::Inbox if is_custom => return None,
            Channel::Inbox => {
                let triggers = &self.notices.notification_service_config.triggers;
                (self.notices.use_notification_service, triggers)
            }
            Channel::Email => {
                (self.mails.use_email_service, &self.mails.email_service_config.triggers)
            }
            Channel::Chat => return Some(Reason::ServiceOff),
        };
        let said = triggers.as_ref().and_then(|it: &Triggers| it.is_on(self.kind.name()));
        match is_service_on {
            false => Some(Reason::ServiceOff),
            true => (!said.unwrap_or(is_custom)).then_some(Reason::TriggerOff),
        }
    }
}

impl TenantStore {
    /// What the configuration said at a time; for some minutes past, that is.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn configured(&self, kind: EventType, then: Millis) -> Result<Configured> {
        let (notices, mails) = (self.notification_config(), self.email_config());
        let (notices, mails) = future::try_join(notices.at(then), mails.at(then)).await?;
        Ok(Configured::new(kind, notices, mails))
    }

    /// The batching that is configured at present (rule N10).
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn batching(&self) -> Result<Limits> {
        let config = self.notification_config().find(&()).await?.unwrap_or_default();
        let batch = config.notification_service_config.batch_config.unwrap_or_default();
        let limits = |window: Option<Window>| {
            let (seconds, max) = window?.limits()?;
            Some(WindowLimits { seconds, max })
        };
        Ok(Limits { document: limits(batch.document), user: limits(batch.user) })
    }
}
