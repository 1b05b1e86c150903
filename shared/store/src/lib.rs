//! The only crate that accesses DynamoDB, and the only way to the items of a tenant.
//!
//! Credentials are exchanged for a scope ([`TenantStore`] and the others); the handle of a feature is
//! entered from its scope (`features.rs`), and a [`Collection`] has its items of one kind. Keys are built here from the scope, so a handler cannot name another tenant's
//! items:
//!
//! ```
//! use store::prelude::*;
//!
//! fn of_one_tenant(tenant: &store::TenantStore, id: model::OrganizationId) {
//!     let _ = tenant.organization(&id).documents().all();
//! }
//! ```
//!
//! A scope cannot be made without credentials, nor from another scope:
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

mod editors;
mod features;
mod inbox;
mod journal;
mod layout;
mod live;
mod reading;
mod removal;
mod resources;
mod scopes;
mod threads;
mod waiting;
mod webhooks;
mod writing;

/// The traits by which features are entered from their scopes.
pub mod prelude {
    pub use crate::features::{
        AdminFeatures, OrganizationFeatures, StoreFeatures, TenantFeatures, WorkspaceFeatures,
    };
}

pub use editors::{ContentType, Decoder, EditorStore, Edits, NewEditor, Replaced, StoredEditor};
pub use features::Comments;
pub use inbox::{Configured, Create, Preferences};
pub use journal::{
    CountedIn, EVENT_BODY, FoundEvents, Lane, Recorded, ScanPlace, StoredEvent, Subscribers,
    recorded,
};
pub use layout::{Entity, Index, Indexed, Link, Place, Table};
pub use live::{
    Connected, Connection, GRANTS, ListStart, Listed, Listening, LiveChange, LiveChanged, Member,
    Missed, Protocol, RIGHTS, changed, changed_rights,
};
pub use reading::{Collection, DEFAULT_PAGE_SIZE, Page, Paged, Walk, Walked};
pub use removal::{Progress, UserData};
pub use resources::{
    Configuration, Deletions, FolderPage, FolderPatch, GroupWithMembers, InitialConfigs,
    MAX_FOLDER_DEPTH, Reach, Resealed, Right, Rights, Tree,
};
pub use scopes::{
    Account, AdminStore, Answer, Claim, Clock, EndUser, Names, Naming, Once, OrganizationStore,
    Paging, Permissions, Store, TenantRef, TenantStore, WorkspaceStore,
};
pub use threads::{AnnotationList, AnnotationSource, Counted};
pub use waiting::{Due, DueStart, SystemStore, Wake};
pub use webhooks::{
    Debounce, FEW_ENDPOINTS, LoadedDelivery, Receiver, Wanted, channels_of, message_id,
};
pub use writing::{Carried, Edit};
