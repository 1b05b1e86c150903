//! Serves `configuration.advanced_webhooks_get`.

service::main!(configuration::GetAdvancedWebhookConfig);
