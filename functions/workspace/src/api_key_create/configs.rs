//! Initial configurations of a key: the same that the update operations would write.

use model::configuration::{
    EmailConfig, Mailer, NotificationConfig, NotificationService, Usable, WebhookConfig,
};
use service::{Encryption, prelude::*, store::workspace::InitialConfigs, usable};

use super::Request;

impl Request {
    pub(super) fn configs(&self) -> Result<InitialConfigs> {
        Ok(InitialConfigs {
            email: self.email()?,
            webhook: self.webhook()?,
            notification: self.notification()?,
        })
    }

    fn email(&self) -> Result<Option<Usable<EmailConfig>>> {
        if self.use_email_service.is_none() && self.email_service_config.is_none() {
            return Ok(None);
        }
        let enabled = Some(self.enables_email());
        let (mut config, sent) = (EmailConfig::default(), self.email_service_config.clone());
        match self.set_default_email_triggers {
            Some(true) => config.update(enabled, sent.unwrap_or_default()),
            _ => config.merge(enabled, sent.unwrap_or_default()),
        }
        usable::<Mailer, _>(config).map(Some)
    }

    /// Enabling webhooks sets default triggers, because no flag says whether it should.
    fn webhook(&self) -> Result<Option<Usable<WebhookConfig>>> {
        if self.use_webhook_service.is_none() && self.webhook_service_config.is_none() {
            return Ok(None);
        }
        let mut config = WebhookConfig::default();
        let sent = self.webhook_service_config.clone().unwrap_or_default();
        config.update(self.use_webhook_service, sent);
        usable::<Encryption, _>(config).map(Some)
    }

    fn notification(&self) -> Result<Option<Usable<NotificationConfig>>> {
        let Some(enabled) = self.use_notification_service else { return Ok(None) };
        let enabled = Some(enabled);
        let (mut config, nothing) = (NotificationConfig::default(), NotificationService::default());
        match self.set_default_notification_triggers {
            Some(true) => config.update(enabled, nothing),
            _ => config.merge(enabled, nothing),
        }
        usable::<NotificationConfig, _>(config).map(Some)
    }
}
