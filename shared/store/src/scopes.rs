//! Authorization. Credentials are exchanged for a scope (`admission.rs`), and every narrower scope
//! is derived from a wider one, so no handler can name a partition it was not given.
//!
//! [`Store`] is the entry point of a function; [`AdminStore`], [`WorkspaceStore`], [`TenantStore`]
//! and [`OrganizationStore`] are the scopes of credentials, to which the other modules add their
//! functions. Fields are private to the crate. `db.rs` is DynamoDB with retries, bounds and our
//! errors: it drops tombstones and reads the items that an index lists. `clock.rs` has the time,
//! with the offset of testing keys. `once.rs` has idempotent calls, `user_token.rs` end users.

mod admission;
mod budget;
mod caches;
mod clock;
mod db;
mod once;
mod scope;
mod user_token;

pub(crate) use admission::Lately;
pub use budget::Account;
pub use clock::Clock;
pub(crate) use db::{
    ATTEMPTS, Db, FoundInTables, PARALLEL, back_off, place_of, report, report_shared,
};
pub use once::{Answer, Claim, Names, Naming, Once};
pub use scope::{
    AdminStore, OrganizationStore, Paging, Store, TenantRef, TenantStore, WorkspaceStore,
};
pub use user_token::{EndUser, Permissions};
pub(crate) use user_token::{Issued, Viewer};
