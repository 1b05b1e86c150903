//! Deletion of dependent data.
//!
//! `purge.rs` finds and `items.rs` deletes, in steps, the data of a deleted organization, folder,
//! document, editor, group or membership, until a look finds nothing, and never data of a later
//! life (`fate.rs`). `gone.rs` deletes what an erasure finds of no present life, `tenant.rs` the data
//! of a deleted key. `survivors.rs` finds what deletions of earlier versions left.

mod fate;
mod gone;
mod items;
mod purge;
mod survivors;
mod tenant;

use tenancy::scopes::{AdminStore, OrganizationStore, TenantStore};

pub(crate) use fate::Of;
pub(crate) use items::Purge;
pub use purge::{Progress, Purged};
pub use survivors::Repaired;

tenancy::features! {
    /// Entry from the scope of the operator.
    OfAdmin for AdminStore:
    /// Rows that deletions of earlier versions left.
    survivors: Survivors,
}

tenancy::features! {
    /// Entry from the scope of a tenant.
    OfTenant for TenantStore:
    /// Deletion of the data of the tenant.
    deletion: TenantDeletion,
}

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// Deletion of data.
    deletion: Deletion,
}
