//! Pending work: rows with a due time, in a sparse index, and the timer that wakes workers for
//! them.
//!
//! A row is authoritative, a delayed message is only a hint for it. `due.rs` arms rows and
//! finds due ones; `rows.rs` stores the rows of the crate `notification` by compare-and-set.

mod due;
mod rows;

use tenancy::scopes::{Store, TenantStore};

pub use due::{Due, DueStart, SystemStore, Wake};

tenancy::features! {
    /// Entry from the scope of a tenant.
    OfTenant for TenantStore:
    /// Pending work.
    schedule: Schedule,
}

/// The entry to the scope of the service itself.
pub trait SystemEntry {
    /// The scope of the service; callable from `service` only.
    fn system(&self) -> SystemStore;
}

impl SystemEntry for Store {
    fn system(&self) -> SystemStore {
        SystemStore::new(self)
    }
}
