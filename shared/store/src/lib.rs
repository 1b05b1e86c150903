//! The store of the features: the only way to the items of a tenant.
//!
//! Credentials are exchanged for a scope ([`TenantStore`] and the others, of the crate `tenancy`); the
//! handle of a feature is entered from its scope, and a [`Collection`] has its items of one kind. A
//! feature is a module with the word of its family: it declares its handles, and its files know
//! others by theirs. Keys are built from the scope, so a handler cannot name another tenant's items:
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

pub mod activities;
pub mod agents;
pub mod comments;
pub mod configuration;
pub mod deletion;
pub mod documents;
pub mod editors;
pub mod end_users;
pub mod folders;
pub mod journal;
pub mod live_state;
pub mod notifications;
pub mod organizations;
pub mod permissions;
pub mod presence;
pub mod recordings;
mod room;
mod scan;
pub mod schedule;
pub mod secrets;
pub mod user_data;
pub mod user_groups;
pub mod users;
pub mod workspace;

/// The traits by which features are entered from their scopes.
pub mod prelude {
    pub use crate::activities::OfOrganization as _;
    pub use crate::agents::OfTenant as _;
    pub use crate::comments::OfOrganization as _;
    pub use crate::configuration::OfTenant as _;
    pub use crate::deletion::{OfAdmin as _, OfOrganization as _, OfTenant as _};
    pub use crate::documents::OfOrganization as _;
    pub use crate::editors::OfOrganization as _;
    pub use crate::end_users::OfTenant as _;
    pub use crate::folders::OfOrganization as _;
    pub use crate::journal::{OfOrganization as _, OfTenant as _};
    pub use crate::live_state::OfOrganization as _;
    pub use crate::notifications::{OfOrganization as _, OfTenant as _};
    pub use crate::organizations::{OfOrganization as _, OfTenant as _};
    pub use crate::permissions::{OfOrganization as _, OfTenant as _};
    pub use crate::presence::OfOrganization as _;
    pub use crate::recordings::OfOrganization as _;
    pub use crate::schedule::{OfTenant as _, SystemEntry as _};
    pub use crate::secrets::OfAdmin as _;
    pub use crate::user_data::{OfOrganization as _, OfTenant as _};
    pub use crate::user_groups::OfOrganization as _;
    pub use crate::users::OfOrganization as _;
    pub use crate::workspace::{OfAdmin as _, OfTenant as _, OfWorkspace as _};
}

pub use tenancy::aside;
pub use tenancy::layout::{Entity, Index, Indexed, Link, Place, Table};
pub use tenancy::reading::{Collection, DEFAULT_PAGE_SIZE, Page, Paged, Walk, Walked};
pub use tenancy::scopes::{
    Account, AdminStore, Answer, Claim, Clock, Deadline, EndUser, Names, Naming, Once,
    OrganizationStore, Paging, Permissions, Store, TenantRef, TenantStore, WorkspaceStore,
};
pub use tenancy::writing::{Carried, Edit};
