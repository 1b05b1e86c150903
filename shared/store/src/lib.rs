//! The store of the features: the only way to the items of a tenant.
//!
//! Credentials are exchanged for a scope ([`TenantStore`] and the others, of the crate `tenancy`); the
//! handle of a feature is entered from its scope (`features.rs`), and a [`Collection`] has its items
//! of one kind. Keys are built from the scope, so a handler cannot name another tenant's items:
//!
//! ```
//! use store::prelude::*;
//!
//! fn of_one_tenant(tenant: &store::TenantStore, id: model::OrganizationId) {
//!     let _ = tenant.organization(&id).documents().all();
//! }
//! ```
//!
//! The traits that reach the tables of a scope or of a collection are not passed on:
//!
//! ```compile_fail,E0599
//! use store::prelude::*;
//!
//! fn read(tenant: &store::TenantStore) {
//!     let _ = tenant.db();
//! }
//! ```
//!
//! ```compile_fail,E0599
//! use store::prelude::*;
//!
//! fn read(tenant: &store::TenantStore) {
//!     let _ = tenant.organizations().all().rows();
//! }
//! ```

#![warn(missing_docs)]

mod editors;
mod features;
mod inbox;
mod journal;
mod removal;
mod resources;
mod scan;
mod threads;
mod waiting;

/// The traits by which features are entered from their scopes.
pub mod prelude {
    pub use crate::features::{
        AdminFeatures, OrganizationFeatures, SystemEntry, TenantFeatures, WorkspaceFeatures,
    };
}

pub use editors::{
    Announced, Appended, ContentType, Decoder, EditorStore, Edits, Extent, NewEditor, Replaced,
    Rooms, SnapshotWrite, StoredEditor,
};
pub use features::Comments;
pub use inbox::{Configured, Create, Preferences, PublishedNotice};
pub use journal::{
    CountedIn, EVENT_BODY, FoundEvents, Lane, LastPosition, LogStart, Recorded, ScanPlace,
    StoredEvent, numbering, recorded,
};
pub use removal::{ErasurePass, JobOrganization, Progress, Purged, Repaired, UserData};
pub use resources::{
    Configuration, Deletions, Facts, FolderPage, FolderPatch, GroupWithMembers, InitialConfigs,
    MAX_FOLDER_DEPTH, Reach, Resealed, Tree, Who,
};
pub use tenancy::layout::{Entity, Index, Indexed, Link, Place, Table};
pub use tenancy::reading::{Collection, DEFAULT_PAGE_SIZE, Page, Paged, Walk, Walked};
pub use tenancy::scopes::{
    Account, AdminStore, Answer, Claim, Clock, Deadline, EndUser, Names, Naming, Once,
    OrganizationStore, Paging, Permissions, Store, TenantRef, TenantStore, WorkspaceStore,
};
pub use tenancy::writing::{Carried, Edit};
pub use threads::{AnnotationList, AnnotationSource, Counted, MayCreate};
pub use waiting::{Due, DueStart, SystemStore, Wake};
