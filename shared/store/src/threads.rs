//! Threads of comments, of any length.
//!
//! A thread is one small item with its first and its newest comments; a reply costs the size of
//! that item (`annotations.rs`). Archived comments are items of their own beside it, in the order
//! of their positions, and found by their numbers (`archive.rs`). `thread_edit.rs` archives
//! comments without a transaction: first the archive, then the thread; until then readers ignore
//! items behind the end of the archive. A change of an archived comment includes the thread, which
//! carries the events.
//!
//! Lists are sorted by creation time, which a reply does not change (`annotation_lists.rs`). A user
//! has one link row for each thread, whatever their involvement.

mod annotation_lists;
mod annotations;
mod archive;
mod archive_rewrite;
mod thread_edit;
mod user_reactions;

pub use annotation_lists::{AnnotationList, AnnotationSource};
pub use annotations::{Counted, MayCreate};
