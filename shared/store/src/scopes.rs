//! Who may reach what. Credentials are exchanged for a scope here (`admission.rs`), and every
//! narrower scope is cut out of a wider one, so no handler can name a partition it was not given.
//!
//! [`Store`] is where a function starts; [`AdminStore`], [`WorkspaceStore`], [`TenantStore`] and
//! [`OrganizationStore`] are what credentials open; the rooms beside this one add their functions to
//! those. Fields are private to the crate. `db.rs` is DynamoDB with retries, bounds and our errors: it
//! drops tombstones and reads what an index lists by its keys. `clock.rs` has the time: a testing key's
//! is ahead of the world's. `once.rs` has calls that are made once, `user_token.rs` end users. `policy.rs` reads what a tenant configured, as it was at a time.

mod admission;
mod budget;
mod clock;
mod db;
mod once;
mod policy;
mod scope;
mod user_token;

pub(crate) use admission::Lately;
pub use budget::Account;
pub use clock::Clock;
pub(crate) use db::{
    ATTEMPTS, Db, FoundInTables, PARALLEL, back_off, place_of, report, report_shared,
};
pub use once::{Answer, Claim, Names, Naming, Once};
pub use policy::Configured;
pub use scope::{
    AdminStore, OrganizationStore, Paging, Store, TenantRef, TenantStore, WorkspaceStore,
};
pub(crate) use user_token::Issued;
pub use user_token::{EndUser, Permissions, Reach};
