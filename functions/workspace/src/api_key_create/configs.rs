//! Configurations a key starts with: those that the operations of each would write.

use model::config::{
    EmailConfig, EmailType, NotificationConfig, NotificationService, WebhookConfig,
    default_email_triggers, default_notification_triggers,
};
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
        let enabled = self.enables_email();
        let mut config = self.email_service_config.clone().unwrap_or_default();
        if enabled && self.set_default_email_triggers == Some(true) {
            config.kind.get_or_insert(EmailType::Custom);
            let mut triggers = default_email_triggers();
            triggers.extend(config.triggers.take().unwrap_or_default());
            config.triggers = Some(triggers);
        }
        Some(EmailConfig { use_email_service: enabled, email_service_config: config })
    }

    fn webhook(&self) -> Option<WebhookConfig> {
        if self.use_webhook_service.is_none() && self.webhook_service_config.is_none() {
            return None;
        }
        Some(WebhookConfig {
            use_webhook_service: self.use_webhook_service == Some(true),
            webhook_service_config: self.webhook_service_config.clone().unwrap_or_default(),
        })
    }

    fn notification(&self) -> Option<NotificationConfig> {
        let enabled = self.use_notification_service?;
        let seeded = enabled && self.set_default_notification_triggers == Some(true);
        let triggers = seeded.then(default_notification_triggers);
        Some(NotificationConfig {
            use_notification_service: enabled,
            notification_service_config: NotificationService { triggers },
        })
    }
}
