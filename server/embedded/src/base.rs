//! The base of all services: a clock and the account in their names, errors, and replies.

mod environment;
mod error;
mod wire;

pub use environment::{ACCOUNT, Clock, REGION};
pub use error::Error;

pub(crate) use wire::{Outcome, Refusal, Reply};
