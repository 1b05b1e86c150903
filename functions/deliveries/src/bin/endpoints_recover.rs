//! Runs `deliveries.endpoints_recover`.

service::main!(deliveries::RecoverWebhookEndpoint);
