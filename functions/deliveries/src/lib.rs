//! Webhooks from the event to the receiver, and the ledger of their outcomes (spec 6;
//! siblings 14; decisions 4 and 5, "Delivery ledger").
//!
//! The journal keeps an event that somebody listens to, and sends a task for each endpoint to the
//! queue; `send` makes the request and writes what came of it. It may be given the same twice, and may
//! stop anywhere: the task, or a row with a due time, says what is left to be done.

mod basic;
mod content;
mod debounce;
mod names;
mod other;
mod payload;
mod recover;
mod request;
mod spread;
mod target;
mod world;

service::operations! {
    /// Lists webhook messages, newest first.
    messages_get::GetWebhookMessages,
    /// Lists attempts to deliver webhook messages, newest first.
    attempts_get::GetWebhookAttempts,
    /// Sends a webhook message to an endpoint once more.
    messages_resend::ResendWebhookMessage,
    /// Sends again what an endpoint missed since a time.
    endpoints_recover::RecoverWebhookEndpoint,
}

service::workers! {
    /// Sends a webhook message to an endpoint.
    send::Send,
}
