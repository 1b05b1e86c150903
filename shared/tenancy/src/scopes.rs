//! Authorization. Credentials are exchanged for a scope (`admission.rs`), and every narrower scope
//! is derived from a wider one, so no handler can name a partition it was not given.
//!
//! [`Store`] is the entry point of a function; [`AdminStore`], [`WorkspaceStore`], [`TenantStore`]
//! and [`OrganizationStore`] are the scopes of credentials. Their fields are private; features reach
//! the tables by the traits [`Tables`] and [`Scoped`]. `db.rs` is DynamoDB with retries, bounds and
//! our errors: it drops tombstones. `lists.rs` has queries, which read the items that an index lists and
//! drop those of an earlier life of their container (`containers.rs`). `caches.rs` keeps what
//! features have read, `caches/sized.rs` within bounds, `caches/timed.rs` for a time. `clock.rs` has the time, with
//! the offset of testing keys. `once.rs` has idempotent calls, `user_token.rs` the tokens of end users
//! (`viewer.rs`), which a connection keeps and `admission.rs` takes again.

mod admission;
mod beside;
mod budget;
mod caches;
mod clock;
mod containers;
mod db;
mod decided;
mod lists;
mod once;
mod scope;
mod tenant_ref;
mod user_token;
mod viewer;

pub use admission::{Readmission, Readmit};
pub(crate) use beside::WithContainers;
pub use budget::Account;
pub use caches::sized::SizedCache;
pub use caches::timed::TimedCache;
pub use clock::{Clock, Deadline};
pub use containers::{Containers, containers_around};
pub(crate) use db::report_shared;
pub use db::{ATTEMPTS, Currency, Db, Found, FoundInTables, PARALLEL, back_off, place_of, report};
pub use once::{Answer, Claim, Names, Naming, Once};
pub use scope::{
    AdminStore, OrganizationStore, Paging, Scoped, Store, Tables, TenantStore, WorkspaceStore,
};
pub use tenant_ref::TenantRef;
pub use user_token::{AsServer, Issued};
pub use viewer::{EndUser, Permissions, ReadMemberships, Viewer};
