//! Removing the dependent data of deleted resources, and records of a person.
//!
//! `purge.rs` says where lies, and `items.rs` removes in steps, what is below a deleted organization, folder, document, editor, group or
//! membership, twice, and never what was written since. `erasure.rs` takes a user out of what others share;
//! `expunge.rs` out of the ledger of webhooks; `user_data.rs` gathers records of a user.

mod erasure;
mod expunge;
mod items;
mod purge;
mod tenant;
mod user_data;

pub use purge::Progress;
pub(crate) use user_data::At;
pub use user_data::UserData;
