//! Threads of comments, of any length.
//!
//! A thread is one small item with its first and its newest comments; a reply costs what that item
//! costs (`annotations.rs`). Older comments lie beside it, one item each, in the order of their
//! positions, and are found by their numbers (`archive.rs`). `thread_edit.rs` moves comments out without a
//! transaction: first the archive, then the thread; until then what is behind the end of the archive is
//! there for no reader. A change of an archived comment goes with the thread, which carries the events.
//!
//! Lists are by the time of creation, which a reply does not change (`annotation_lists.rs`). A user finds
//! threads by one row for each thread, whatever the user has to do with it.

mod annotation_lists;
mod annotations;
mod archive;
mod archive_rewrite;
mod thread_edit;
mod user_reactions;

pub use annotation_lists::{AnnotationList, AnnotationSource};
pub use annotations::Counted;
pub(crate) use annotations::{annotations_of, involving, reacted};
pub(crate) use archive::{ThreadId, archived_of, numbers_of};
