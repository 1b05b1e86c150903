//! The wire shape every operation shares: `{data}` in, `{result}` or `{error}` out
//! (contract `conventions.envelope`).

#![warn(missing_docs)]

mod batch;
#[cfg(test)]
mod generated;
mod limits;
mod reply;
mod request;
mod strict;
mod text;
mod unknown;

pub use batch::{
    Code, Entries, Entry, EntryId, Items, Outcome, Reported, Said, each, entries, outcome,
};
pub use limits::{MAX_BODY_BYTES, MAX_DEPTH, MAX_NODES};
pub use reply::{Data, ErrorReply, NoData, Success, Written, failure, success};
pub use request::{Body, decode, decode_as, issue, require};
pub use unknown::{Unknown, nearest};
