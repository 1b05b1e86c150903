//! Serves `webhook-endpoints.secret_rotate`.

service::main!(webhook_endpoints::RotateWebhookEndpointSecret);
