//! Constrained values: a value that exists is valid.
//!
//! `id.rs` has the ids of everything; `text.rs`, `number.rs`, `sequence.rs` and `bytes.rs` bounded texts,
//! numbers, lists and data; `metadata.rs` free JSON; `patch.rs` members that may be left out, set or
//! cleared; `time.rs` and `timestamp.rs` moments as they are sent and shown; `template.rs` texts with
//! variables.

pub(crate) mod bytes;
pub(crate) mod domain;
pub(crate) mod id;
pub(crate) mod metadata;
pub(crate) mod number;
pub(crate) mod patch;
pub(crate) mod sequence;
pub mod template;
pub(crate) mod text;
pub mod time;
pub(crate) mod timestamp;
