//! Runs `deliveries.messages_resend`.

service::main!(deliveries::ResendWebhookMessage);
