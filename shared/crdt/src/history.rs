//! The past of an editor: its versions, who wrote what, and taking changes back.
//!
//! A version is a kept snapshot and the entries of the log behind it. [`Past`] reads them into a
//! document that keeps the content of what is deleted. Its items are put in order once more, each is
//! to be there or not, and the update that makes it so is written by hand: what is to go is deleted,
//! and what is to come back is copied to where it was. Content is copied as bytes, so that a value
//! comes back exactly as it was.
//!
//! Everything here reads what strangers wrote. It was checked before it was stored, and what is
//! read here went through [`crate::State`], which leaves out what Yjs would not take.

use model::Millis;

pub use authors::{AuthorRange, Authors, MAX_AUTHOR_RANGES};
pub use changes::{Attribution, Changes};
pub use erase::{Erasure, erase, erased};
pub use past::{MAX_PAST_FOOTPRINT, Past};

mod authors;
mod changes;
mod content_map;
mod cut;
mod emit;
mod erase;
mod past;
mod ranges;
mod revert;
mod steps;
mod tree;

/// An entry of the log of an editor, as its history keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The time of the write, in milliseconds.
    pub at: Millis,
    /// The user who sent it; none for the tenant's own server.
    pub by: Option<String>,
    /// The updates, as they were stored.
    pub updates: Vec<Vec<u8>>,
}

/// Successive ids of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdRange {
    /// The Yjs client.
    pub client: u64,
    /// The first clock.
    pub clock: u32,
    /// Number of the clocks.
    pub length: u32,
}

impl IdRange {
    fn end(&self) -> u32 {
        self.clock.saturating_add(self.length)
    }
}
