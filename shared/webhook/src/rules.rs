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
mod target;

pub use body::body;
pub use breaker::{Admission, Change, DISABLE_AFTER, DISABLE_MESSAGES, Health};
pub use encoding::{EncodingError, check_public_key, encode, encrypt};
pub use pace::{reserve, revised};
pub use retry::{SCHEDULE, Verdict, judge, pause_until};
pub use signature::{InvalidSecret, check_secret, sign};

pub(crate) use basic_body::basic_body;
pub(crate) use target::{EndpointTarget, Proof, basic_url, target_of};
