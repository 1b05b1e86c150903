//! Serves `configuration.webhooks_get`.

service::main!(configuration::GetWebhookConfig);
