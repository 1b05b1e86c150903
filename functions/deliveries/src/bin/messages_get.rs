//! Runs `deliveries.messages_get`.

service::main!(deliveries::GetWebhookMessages);
