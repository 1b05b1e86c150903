//! Messages of the live channel (docs/LIVE.md): text frames, and the binary messages of the
//! dialects in them. No I/O.

#![warn(missing_docs)]

mod address;
mod awareness;
mod bytes;
mod frame;
#[cfg(test)]
mod generated;
mod merge;
mod message;

pub use address::Address;
pub use awareness::{Awareness, Epoch, State};
pub use frame::{Close, Control, Frame, MAX_SENT_BYTES, control, fetch, packed, text};
pub use merge::merged;
pub use message::{Dialect, Message, Received, Scope, verdict_in};

/// A malformed message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;
