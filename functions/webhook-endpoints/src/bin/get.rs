//! Serves `webhook-endpoints.get`.

service::main!(webhook_endpoints::GetWebhookEndpoints);
