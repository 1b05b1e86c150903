//! Webhooks from the event to the receiver, and the ledger of what became of them (spec 6;
//! siblings 14; decisions 4 and 5, "Delivery ledger").
//!
//! `dispatch` decides once who wants an event and keeps that; `send` makes the requests. Both may
//! be told the same twice, and may stop anywhere: a row says what is left to be done, and when.

mod basic;
mod channels;
mod content;
mod domain;
mod gate;
mod health;
mod keep;
mod manual;
mod names;
mod operational;
mod outcome;
mod payload;
mod quiet;
mod recover;
mod request;
mod target;

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
    /// Decides who wants an event, and has it sent to them.
    dispatch::Dispatch,
    /// Sends a webhook message to an endpoint.
    send::Send,
}
