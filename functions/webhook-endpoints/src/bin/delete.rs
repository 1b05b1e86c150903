//! Serves `webhook-endpoints.delete`.

service::main!(webhook_endpoints::DeleteWebhookEndpoint);
