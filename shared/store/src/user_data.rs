//! Data of users: export and erasure.
//!
//! `jobs.rs` has the jobs that erase users. `erasure.rs` erases one user from data of others, as far
//! as rows of the user lead; `walk.rs` erases all users of a job from what no such row leads to, and
//! the crate `webhook` from the ledger of webhooks; both delete what they find of no present life.
//! `export.rs` has the data of a user. The type of a value alone says whom it names
//! ([`model::people::Names`]).

mod erasure;
mod export;
mod jobs;
mod lists;
mod walk;

use tenancy::scopes::{OrganizationStore, TenantStore};

pub use erasure::ErasurePass;
pub(crate) use export::At;
pub use export::UserData;
pub use jobs::JobOrganization;

tenancy::features! {
    /// Entry from the scope of a tenant.
    OfTenant for TenantStore:
    /// Jobs that erase users.
    user_data: TenantUserData,
}

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// Export of the data of users, and their erasure.
    user_data: OrganizationUserData,
}
