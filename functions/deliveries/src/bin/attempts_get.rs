//! Runs `deliveries.attempts_get`.

service::main!(deliveries::GetWebhookAttempts);
