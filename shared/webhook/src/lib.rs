//! Everything about one webhook request: when it is due, how it is signed, wrapped, sent and judged.
//!
//! Nothing here stores anything, and only [`Sender`] does I/O. [`delivery::deliver`] makes an attempt
//! over the ports of [`delivery::World`]. The way of a request:
//!
//! 1. [`Health::admit`] says whether the endpoint may be called at all, [`reserve`] when its rate
//!    limit allows it.
//! 2. [`encode`] or [`encrypt`] wraps the payload if the subscriber wants that; [`sign`] makes the
//!    signature header over the bytes that go out.
//! 3. [`Sender::post`] sends them, to nothing that [`Egress`] forbids, and tells what happened as
//!    an [`Attempt`].
//! 4. [`judge`] turns the attempt into a [`Verdict`]: delivered, again at a time, or never again.
//!    [`Health::record`] learns from it, and says when the endpoint is to be disabled.
//!
//! | Module | Subject |
//! |---|---|
//! | `signature` | the `webhook-signature` header of Standard Webhooks |
//! | `encoding` | base64 and encryption of payloads |
//! | `address` | which addresses may be called: none inside the own network |
//! | `target` | what a URL means: whom to call, and with what credentials |
//! | `connector` | connections that go to vetted addresses only |
//! | `sender` | one request under one deadline |
//! | `attempt` | what came of it |
//! | `retry` | when to try again |
//! | `breaker` | when to leave an endpoint alone, for a while or for good |
//! | `pace` | strict rate limits |
//! | `delivery` | one attempt with all that goes before and follows, over ports |
//!
//! Times are epoch milliseconds unless a name says otherwise, and always passed in.

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
pub use pace::reserve;
pub use retry::{SCHEDULE, Verdict, judge, pause_until};
pub use sender::{Limits, Sender};
pub use signature::{InvalidSecret, check_secret, sign};
