//! Initial configurations of a key: the same that the update operations would write.

use model::config::{EmailConfig, NotificationConfig, NotificationService, WebhookConfig};
use service::InitialConfigs;

use super::Request;

impl Request {
    pub(super) fn configs(&self) -> InitialConfigs {
        InitialConfigs {
            email: self.email(),
            webhook: self.webhook(),
            notification: self.notification(),
        }
    }

    fn email(&self) -> Option<EmailConfig> {
        if self.use_email_service.is_none() && self.email_service_config.is_none() {
            return None;
        }
        let enabled = Some(self.enables_email());
        let (mut config, sent) = (EmailConfig::default(), self.email_service_config.clone());
        match self.set_default_email_triggers {
            Some(true) => config.update(enabled, sent.unwrap_or_default()),
            _ => config.merge(enabled, sent.unwrap_or_default()),
        }
        Some(config)
    }

    /// There is no flag for the default triggers of webhooks.
    fn webhook(&self) -> Option<WebhookConfig> {
        if self.use_webhook_service.is_none() && self.webhook_service_config.is_none() {
            return None;
        }
        let mut config = WebhookConfig::default();
        let sent = self.webhook_service_config.clone().unwrap_or_default();
        config.merge(self.use_webhook_service, sent);
        Some(config)
    }

    fn notification(&self) -> Option<NotificationConfig> {
        let enabled = Some(self.use_notification_service?);
        let (mut config, nothing) = (NotificationConfig::default(), NotificationService::default());
        match self.set_default_notification_triggers {
            Some(true) => config.update(enabled, nothing),
            _ => config.merge(enabled, nothing),
        }
        Some(config)
    }
}
