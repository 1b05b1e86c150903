//! One webhook request: schedule, signature, encoding, sending and verdict.
//!
//! The crate has no storage, and only [`Sender`] does I/O. [`delivery::deliver`] makes an attempt
//! over the ports of [`delivery::World`]. The steps of a request:
//!
//! 1. [`Health::admit`] decides whether the endpoint may be called, [`reserve`] finds a slot within
//!    its rate limit.
//! 2. [`encode`] or [`encrypt`] encodes the payload if the subscriber configured that; [`sign`]
//!    makes the signature header over the bytes as sent.
//! 3. [`Sender::post`] sends them to an address that [`Egress`] allows, and returns an [`Attempt`].
//! 4. [`judge`] turns the attempt into a [`Verdict`]: delivered, retried at a time, or ended.
//!    [`Health::record`] records it, and reports when the endpoint is to be disabled.
//!
//! | Module | Subject |
//! |---|---|
//! | `signature` | the `webhook-signature` header of Standard Webhooks |
//! | `encoding` | base64 and encryption of payloads |
//! | `address` | allowed addresses: none inside the own network |
//! | `target` | parsing of a URL: address and credentials |
//! | `connector` | connections to vetted addresses only |
//! | `sender` | one request under one deadline |
//! | `attempt` | its result |
//! | `retry` | the retry schedule |
//! | `breaker` | the circuit breaker, and disabling |
//! | `pace` | strict rate limits |
//! | `delivery` | a whole attempt over ports |
//!
//! Times are epoch milliseconds unless named otherwise, and always passed in.

#![warn(missing_docs)]

mod address;
mod attempt;
mod breaker;
mod connector;
pub mod delivery;
mod encoding;
mod networks;
mod pace;
mod retry;
mod sender;
mod signature;
mod target;

pub use bytes::Bytes;
pub use http::{HeaderName, HeaderValue};

pub use address::{Egress, Forbidden};
pub use attempt::{Attempt, Failure, Outcome};
pub use breaker::{Admission, Change, DISABLE_AFTER, DISABLE_MESSAGES, Health};
pub use encoding::{EncodingError, check_public_key, encode, encrypt};
pub use networks::Networks;
pub use pace::{reserve, revised};
pub use retry::{SCHEDULE, Verdict, judge, pause_until};
pub use sender::{Limits, Sender};
pub use signature::{InvalidSecret, check_secret, sign};
