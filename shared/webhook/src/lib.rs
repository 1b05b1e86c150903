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
//! 1. [`Health::admit`] decides whether the endpoint may be called, [`reserve`] finds a slot within
//!    its rate limit.
//! 2. [`encode`] or [`encrypt`] encodes the payload if the subscriber configured that; [`sign`]
//!    makes the signature header over the bytes as sent.
//! 3. [`Sender::post`] sends them to an address that [`Egress`] allows, and returns an [`Attempt`].
//! 4. [`judge`] turns the attempt into a [`Verdict`]: delivered, retried at a time, or ended.
//!    [`Health::record`] records it, and reports when the endpoint is to be disabled.
//!
//! Times are epoch milliseconds unless named otherwise, and always passed in.

#![warn(missing_docs)]

mod http_client;
mod rows;
mod rules;
pub mod steps;
pub mod types;

pub use http_client::{Attempt, Egress, Failure, Forbidden, Limits, Networks, Outcome, Sender};
pub use rows::{Endpoints, TenantWebhooks, Webhooks, channels_of};
pub use rules::{
    Admission, Change, DISABLE_AFTER, DISABLE_MESSAGES, EncodingError, Health, InvalidSecret,
    SCHEDULE, Verdict, body, check_public_key, check_secret, encode, encrypt, judge, pause_until,
    reserve, revised, sign,
};
