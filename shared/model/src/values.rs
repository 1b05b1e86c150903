//! Constrained values: a value that exists is valid.
//!
//! `id.rs` has all ids; `text.rs`, `number.rs`, `sequence.rs` and `bytes.rs` bounded texts,
//! numbers, lists and data; `only.rs` filters; `metadata.rs` free JSON; `patch.rs` nullable members of updates;
//! `time.rs` and `timestamp.rs` times as sent and shown; `clock.rs` real time beside that of
//! tenants; `template.rs` texts with variables; `mark_name.rs` names of marks;
//! `surrogates.rs` halves of characters in JSON.

pub(crate) mod bytes;
pub mod clock;
pub(crate) mod domain;
pub(crate) mod id;
pub(crate) mod mark_name;
pub(crate) mod metadata;
pub(crate) mod number;
pub(crate) mod only;
pub(crate) mod patch;
pub(crate) mod sequence;
pub mod surrogates;
pub mod template;
pub(crate) mod text;
pub mod time;
pub(crate) mod timestamp;
