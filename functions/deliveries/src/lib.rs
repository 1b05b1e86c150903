//! Webhooks from the event to the receiver, and the ledger of deliveries
//! (contract `deliveries`).
//!
//! The journal stores an event with subscribers and sends a message for each endpoint to the queue;
//! `send` makes the request and writes the outcome. The steps of both are in the crate `webhook`.

mod access;
mod contents;

pub use access::ACCESS;

service::operations! {
    /// Lists webhook messages, newest first.
    messages_get::GetWebhookMessages,
    /// Lists attempts to deliver webhook messages, newest first.
    attempts_get::GetWebhookAttempts,
    /// Sends a webhook message to an endpoint once more.
    messages_resend::ResendWebhookMessage,
    /// Sends all messages again that an endpoint missed since a time.
    endpoints_recover::RecoverWebhookEndpoint,
}

service::workers! {
    /// Sends a webhook message to an endpoint.
    send::Send,
}
