//! The rules of webhooks, without I/O: bodies, signatures and encodings, retries, the circuit
//! breaker and the rate limit.

mod basic_body;
mod body;
mod breaker;
mod encoding;
mod operational_body;
mod pace;
mod retry;
mod signature;

pub use body::body;
pub use breaker::{DISABLE_AFTER, Health};
pub use encoding::{Encryption, NoKey, SubscriberKey};
pub use signature::new_secret;

pub(crate) use basic_body::basic_body;
pub(crate) use breaker::{Admission, HealthNotice, Outcome};
pub(crate) use encoding::{encode, encrypt};
pub(crate) use pace::{ReservedSlot, arrival_at_rate, reserve};
pub(crate) use retry::{Verdict, judge, pause_until};
pub(crate) use signature::Proof;
