//! Serves `webhook-endpoints.create`.

service::main!(webhook_endpoints::CreateWebhookEndpoint);
