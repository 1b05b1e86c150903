//! Threads of comments, of any length.
//!
//! A thread is one small item with its first and its newest comments; a reply costs the size of
//! that item (`threads.rs`). Archived comments are items of their own beside it, in the order
//! of their positions, and found by their numbers (`archive.rs`). `thread_edit.rs` archives
//! comments without a transaction: first the archive, then the thread; until then readers ignore
//! items behind the end of the archive. A change of an archived comment includes the thread, which
//! carries the events.
//!
//! Lists are sorted by creation time, which a reply does not change (`lists.rs`). A user
//! has one link row for each thread, whatever their involvement.

mod archive;
mod archive_rewrite;
mod lists;
mod thread_edit;
mod threads;
mod user_reactions;

use model::comment::Thread;
use tenancy::scopes::OrganizationStore;

pub use lists::{ThreadList, ThreadSource};
pub use threads::{Counted, MayCreate};

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// Threads of comments.
    comments: Comments(Thread),
}
