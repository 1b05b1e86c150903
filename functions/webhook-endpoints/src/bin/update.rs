//! Serves `webhook-endpoints.update`.

service::main!(webhook_endpoints::UpdateWebhookEndpoint);
