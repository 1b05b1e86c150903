//! The kernel of the store: no item without a scope, no scope without credentials.
//!
//! Credentials are exchanged for a scope (`scopes`); a [`Collection`](reading::Collection) has the
//! entities of one kind in it (`reading`), whose keys are built here (`layout`), and whose changes
//! are conditional writes with their events (`writing`). Features are in crates above, which enter
//! the tables of a scope by the traits of the [`prelude`]. Only `store`, `rooms` and `webhook` depend
//! on this crate, and they do not pass these traits on. Everything else has scopes and collections
//! without their tables:
//!
//! ```compile_fail,E0599
//! fn read(tenant: &tenancy::scopes::TenantStore) {
//!     let _ = tenant.db();
//! }
//! ```
//!
//! ```compile_fail,E0599
//! fn read(documents: &tenancy::reading::Collection<model::document::Document>) {
//!     let _ = documents.rows();
//! }
//! ```
//!
//! A scope cannot be made without credentials, nor from another scope:
//!
//! ```compile_fail,E0616
//! fn forge(tenant: &tenancy::scopes::TenantStore) {
//!     let _ = tenant.key.clone();
//! }
//! ```
//!
//! ```compile_fail,E0624
//! fn forge(store: &tenancy::scopes::Store, key: model::api_key::ApiKey) {
//!     let _ = tenancy::scopes::TenantStore::new(todo!(), key.into(), Default::default());
//! }
//! ```
//!
//! A collection cannot be pointed at another partition:
//!
//! ```compile_fail,E0616
//! fn redirect<E>(
//!     mut to: tenancy::reading::Collection<E>,
//!     from: tenancy::reading::Collection<E>,
//! ) {
//!     to.partition = from.partition;
//! }
//! ```

mod aside;
mod handles;
pub mod layout;
pub mod reading;
pub mod scopes;
mod together;
pub mod writing;

pub use aside::aside;
pub use together::Together;

/// The traits by which features enter the tables of a scope.
pub mod prelude {
    pub use crate::{
        reading::AsRows,
        scopes::{Readmission, Scoped, Tables},
    };
}
