//! Deletion of dependent data, and erasure of users.
//!
//! `purge.rs` finds and `items.rs` deletes, in steps, the data of a deleted organization, folder,
//! document, editor, group or membership, twice, and never newer data. `erasure.rs` erases a user
//! from data of others, the crate `webhook` from the ledger of webhooks; `user_data.rs` exports the
//! data of a user.

mod erasure;
mod items;
mod purge;
mod tenant;
mod user_data;

pub use purge::Progress;
pub(crate) use user_data::At;
pub use user_data::UserData;
