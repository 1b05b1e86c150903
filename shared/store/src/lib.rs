//! The only crate that talks to DynamoDB, and the only way to reach a tenant's items.
//!
//! A scope is what credentials were exchanged for ([`TenantStore`] and the others), a
//! [`Collection`] is what lies in it. Keys are built here from the scope, so a handler cannot name
//! another tenant's items:
//!
//! ```
//! fn of_one_tenant(tenant: &store::TenantStore, id: model::OrganizationId) {
//!     let _ = tenant.organization(&id).documents();
//! }
//! ```
//!
//! A scope cannot be made without credentials, nor out of another:
//!
//! ```compile_fail,E0616
//! fn forge(tenant: &store::TenantStore) {
//!     let _ = tenant.db.clone();
//! }
//! ```
//!
//! A collection cannot be pointed at another partition:
//!
//! ```compile_fail,E0616
//! fn redirect<E>(mut to: store::Collection<E>, from: store::Collection<E>) {
//!     to.partition = from.partition;
//! }
//! ```

mod activities;
mod admission;
mod agent_versions;
mod agents;
mod annotation_lists;
mod annotations;
mod archive;
mod archive_rewrite;
mod clock;
mod collection;
mod commit;
mod configs;
mod crowd;
mod db;
mod debounce;
mod documents;
mod edit;
mod editors;
mod eligibility;
mod entities;
mod entity;
mod erasure;
mod event;
mod expunge;
mod facts;
mod folders;
mod groups;
mod item;
mod journal;
mod key;
mod ledger;
mod ledger_lists;
mod listeners;
mod live_state;
mod merged;
mod messages;
mod notices;
mod notifications;
mod page;
mod permissions;
mod policy;
mod preferences;
mod presence;
mod purge;
mod recipients;
mod recordings;
mod schedule;
mod scope;
mod seen;
mod statements;
mod thread_edit;
mod timed;
mod trace;
mod trace_list;
mod trace_mails;
mod unlisted;
mod user_data;
mod user_reactions;
mod user_token;
mod users;
mod walk;
mod webhook_endpoints;
mod work;
mod workspaces;
mod writes;

pub use activities::Deletions;
pub use annotation_lists::{AnnotationList, AnnotationSource};
pub use annotations::Counted;
pub use clock::Clock;
pub use collection::Collection;
pub use debounce::Debounce;
pub use edit::Edit;
pub use editors::{EditorStore, NewEditor, Replaced, StoredEditor};
pub use entity::{Entity, Index, Indexed, Link, Place, Table};
pub use event::{Carried, EVENT_BODY, StoredEvent};
pub use folders::{FolderPatch, MAX_FOLDER_DEPTH, Tree};
pub use groups::GroupWithMembers;
pub use journal::{CountedIn, FoundEvents, Listeners, Recorded, ScanPlace, recorded};
pub use ledger::LoadedDelivery;
pub use listeners::{WebhookSetup, channels_of};
pub use messages::{Wanted, message_id};
pub use notifications::Create;
pub use page::{DEFAULT_PAGE_SIZE, Page, Paged};
pub use permissions::{Right, Rights};
pub use policy::Configured;
pub use preferences::Preferences;
pub use purge::Progress;
pub use schedule::{Due, DueStart, SystemStore, Wake};
pub use scope::{
    AdminStore, OrganizationStore, Paging, Store, TenantRef, TenantStore, WorkspaceStore,
};
pub use user_data::UserData;
pub use user_token::{EndUser, Permissions};
pub use walk::{Walk, Walked};
pub use webhook_endpoints::Receiver;
pub use workspaces::InitialConfigs;
