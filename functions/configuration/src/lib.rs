//! Configurations of services, one of each kind for an API key (contract `configuration`).

mod access;

pub use access::ACCESS;

service::operations! {
    /// Changes the email configuration.
    email_update::UpdateEmailConfig,
    /// Shows the email configuration.
    email_get::GetEmailConfig,
    /// Changes the notification configuration.
    notifications_update::UpdateNotificationConfig,
    /// Shows the notification configuration.
    notifications_get::GetNotificationConfig,
    /// Changes the activity configuration.
    activities_update::UpdateActivityConfig,
    /// Shows the activity configuration.
    activities_get::GetActivityConfig,
    /// Changes the basic webhook configuration.
    webhooks_update::UpdateWebhookConfig,
    /// Shows the basic webhook configuration.
    webhooks_get::GetWebhookConfig,
    /// Changes the advanced webhook configuration.
    advanced_webhooks_update::UpdateAdvancedWebhookConfig,
    /// Shows the advanced webhook configuration.
    advanced_webhooks_get::GetAdvancedWebhookConfig,
}
