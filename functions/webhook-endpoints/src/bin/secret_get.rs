//! Serves `webhook-endpoints.secret_get`.

service::main!(webhook_endpoints::GetWebhookEndpointSecret);
