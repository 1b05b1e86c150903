//! Deletion of dependent data, and erasure of users.
//!
//! `purge.rs` finds and `items.rs` deletes, in steps, the data of a deleted organization, folder,
//! document, editor, group or membership, until a look finds nothing, and never data of a later
//! life (`fate.rs`). `jobs.rs` has the jobs that erase users. `erasure.rs` erases one user from
//! data of others, as far as rows of the user lead; `walk.rs` erases all users of a job from what
//! no such row leads to, and the crate `webhook` from the ledger of webhooks; both delete what they
//! find of no present life (`gone.rs`). `survivors.rs` finds what deletions of earlier versions left. `user_data.rs` exports the data of a user. The type of
//! a value alone says whom it names ([`model::people::Names`]).

mod erasure;
mod fate;
mod gone;
mod items;
mod jobs;
mod purge;
mod survivors;
mod tenant;
mod user_data;
mod user_lists;
mod walk;

pub use erasure::ErasurePass;
pub use jobs::JobOrganization;
pub use purge::{Progress, Purged};
pub use survivors::Repaired;
pub(crate) use user_data::At;
pub use user_data::UserData;
