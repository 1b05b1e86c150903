//! Resources of tenants, one file for each kind: keys, lists and changes.
//!
//! Most files are an `impl Entity` and a few functions of a scope. Exceptions: folders store their
//! parent and move in a transaction that checks their ancestors; rights are decided by the model from the facts
//! that `permissions.rs` reads (`facts.rs`), and ended in `departures.rs`; those of groups stand with
//! their container (`holders.rs`); agents and production keys are counted in
//! the transaction that adds them, folders, members of groups and editors before (`room.rs`);
//! organizations that were never added are recorded at the first write (`implied.rs`); end users may
//! join with their first access (`joining.rs`); presence expires.

mod activities;
mod agent_versions;
mod agents;
mod api_keys;
mod configs;
mod departures;
mod documents;
mod end_users;
mod facts;
mod folder_lists;
mod folders;
mod group_entries;
mod groups;
mod holders;
mod implied;
mod joining;
mod left;
mod live_state;
mod permissions;
mod presence;
mod recordings;
mod room;
mod secrets;
mod tree;
mod users;
mod workspaces;

pub use activities::Deletions;
pub use configs::Configuration;
pub use end_users::Reach;
pub(crate) use facts::Row;
pub use facts::{Facts, Who};
pub use folder_lists::FolderPage;
pub use folders::FolderPatch;
pub use groups::GroupWithMembers;
pub(crate) use groups::{counter_of, members_of};
pub(crate) use permissions::grants_at;
pub(crate) use presence::presence_behind;
pub(crate) use room::{Limit, give_room, take_room};
pub use secrets::Resealed;
pub use tree::{MAX_FOLDER_DEPTH, Tree};
pub use workspaces::InitialConfigs;
