//! Serves `configuration.webhooks_update`.

service::main!(configuration::UpdateWebhookConfig);
