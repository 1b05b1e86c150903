//! What tenants store, one file for each kind: where it lies, how it is listed, and what changes with it.
//!
//! Most of it is an `impl Entity` and a few functions of a scope. What is more: folders know their parent
//! and move in a transaction with the check of their ancestors; rights are derived from grants on
//! organization, folders and document (`permissions.rs`); agents and production keys are counted in the
//! transaction that adds them; presence expires by itself.

mod activities;
mod agent_versions;
mod agents;
mod api_keys;
mod configs;
mod documents;
mod folders;
mod groups;
mod live_state;
mod permissions;
mod presence;
mod recordings;
mod secrets;
mod users;
mod workspaces;

pub use activities::Deletions;
pub(crate) use activities::about;
pub use folders::{FolderPatch, MAX_FOLDER_DEPTH, Tree};
pub use groups::GroupWithMembers;
pub(crate) use permissions::grants_at;
pub use permissions::{Right, Rights};
pub(crate) use presence::{presence_behind, presence_of};
pub use secrets::Resealed;
pub(crate) use users::{AT_ONCE, merge};
pub use workspaces::InitialConfigs;
