//! Serves `configuration.advanced_webhooks_update`.

service::main!(configuration::UpdateAdvancedWebhookConfig);
