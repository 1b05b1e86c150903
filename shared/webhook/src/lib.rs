//! Webhooks, from the configuration of an endpoint to the reply of the receiver: types, rows, rules
//! and the steps of workers.
//!
//! The crate stands on the scopes of `tenancy` and on the features of `store`, which do not know it.
//! It is entered from the scope of a tenant, by `tenant.webhooks()` ([`TenantWebhooks`]).
//!
//! | Module | Subject |
//! |---|---|
//! | [`types`] | endpoints, the ledger of messages, deliveries and attempts, messages of the queue |
//! | `rows` | their rows in the tables of a tenant, and the subscribers of an event |
//! | `rules` | bodies, signature, encoding, retry schedule, circuit breaker, rate limit; no I/O |
//! | `http_client` | one request to a vetted address, under one deadline |
//! | [`steps`] | from an event to its deliveries; [`steps::delivery`] is the driver of one delivery over ports, which the simulator runs |
//!
//! The steps of a request:
//!
//! 1. The circuit breaker (`rules/breaker.rs`) decides whether the endpoint may be called; the rate
//!    limit (`rules/pace.rs`) reserves a slot.
//! 2. The payload is encoded or encrypted if the subscriber configured that (`rules/encoding.rs`),
//!    and the bytes as sent are signed (`rules/signature.rs`).
//! 3. [`Sender::post`] sends them to an address that [`Egress`] allows, and returns an [`Attempt`].
//! 4. A verdict (`rules/retry.rs`) delivers the message, retries it at a time, or ends it. The
//!    breaker records the attempt, and reports when the endpoint is to be disabled.
//!
//! Times are epoch milliseconds unless named otherwise, and always passed in.

#![warn(missing_docs)]

mod http_client;
mod rows;
mod rules;
pub mod steps;
pub mod types;

pub use http_client::{Attempt, Egress, Failure, Limits, Sender};
pub use rows::{Endpoints, TenantWebhooks, Webhooks, channels_of};
pub use rules::{DISABLE_AFTER, Encryption, Health, NoKey, SubscriberKey, body, new_secret};
