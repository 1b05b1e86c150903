//! The notification policy of an event, from the configuration (rules N2, N6).

use aws::Boxed;
use error::Result;
use futures_util::future;
use model::{
    Millis,
    configuration::{EmailConfig, NotificationConfig, Window},
    event::EventType,
    trigger::Triggers,
};
use notification::{BatchLimits, Channel, Channels, Policy, Reason, WindowLimits};

use crate::{notifications::TenantNotifications, prelude::*};

/// The configuration at the time of an event.
pub struct Configured {
    kind: EventType,
    notices: NotificationConfig,
    mails: EmailConfig,
    /// Current text of both configurations.
    now: (NotificationConfig, EmailConfig),
}

impl Configured {
    pub(crate) fn new(
        kind: EventType,
        notices: Option<NotificationConfig>,
        mails: Option<EmailConfig>,
    ) -> Self {
        let (notices, mails) = (notices.unwrap_or_default(), mails.unwrap_or_default());
        Self { kind, notices, mails, now: Default::default() }
    }

    /// Channels and delay. Custom notifications are in the inbox in any case and have no delay.
    pub fn policy(&self) -> Policy {
        let is_custom = self.kind == EventType::NotificationAdd;
        let delay = self.notices.notification_service_config.delay_config;
        let is_on = |channel| self.obstacle(channel).is_none();
        let channels = Channels {
            inbox: is_on(Channel::Inbox),
            email: is_on(Channel::Email),
            chat: is_on(Channel::Chat),
        };
        let (notices, mails) = &self.now;
        let open = Channels {
            inbox: is_custom || notices.use_notification_service,
            email: mails.use_email_service,
            chat: false,
        };
        Policy {
            delay: delay.and_then(|delay| delay.seconds()).filter(|_| !is_custom),
            channels,
            open,
            limits: limits_of(notices),
        }
    }

    /// The reason for excluding a channel; chat has no integration.
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
        let switch =
            triggers.as_ref().and_then(|triggers: &Triggers| triggers.switch(self.kind.name()));
        match is_service_on {
            false => Some(Reason::ServiceOff),
            true => (!switch.unwrap_or(is_custom)).then_some(Reason::TriggerOff),
        }
    }
}

impl<'a> TenantNotifications<'a> {
    /// The configuration at a time of the past minutes.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub fn configured(self, kind: EventType, then: Millis) -> Boxed<'a, Result<Configured>> {
        Box::pin(async move {
            let (notices, mails) =
                (self.0.configuration().notification(), self.0.configuration().email());
            let read = future::try_join(notices.at_and_now(then), mails.at_and_now(then));
            let ((notices, notices_now), (mails, mails_now)) = read.await?;
            let now = (notices_now.unwrap_or_default(), mails_now.unwrap_or_default());
            Ok(Configured { now, ..Configured::new(kind, notices, mails) })
        })
    }

    /// Whether a basic webhook subscribes to processed notifications of a trigger.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) fn is_processed_on(self, trigger: &'a str) -> Boxed<'a, Result<bool>> {
        Box::pin(async move {
            let Some(config) = self.0.configuration().webhook().find().await? else {
                return Ok(false);
            };
            let service = &config.webhook_service_config;
            let url = service.processed_notification_url.as_ref();
            let is_on = service.triggers.as_ref().and_then(|triggers| triggers.switch(trigger));
            let has_url = url.is_some_and(|url| !url.as_str().is_empty());
            Ok(config.use_webhook_service && has_url && is_on == Some(true))
        })
    }

    /// The current batch configuration (rule N10).
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn batching(self) -> Result<BatchLimits> {
        let config = self.0.configuration().notification().find().await?.unwrap_or_default();
        Ok(limits_of(&config))
    }
}

fn limits_of(config: &NotificationConfig) -> BatchLimits {
    let batch = config.notification_service_config.batch_config.unwrap_or_default();
    let limits = |window: Option<Window>| {
        let (seconds, max) = window?.limits()?;
        Some(WindowLimits { seconds, max })
    };
    BatchLimits { document: limits(batch.document), user: limits(batch.user) }
}
