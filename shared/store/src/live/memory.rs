use std::sync::Arc;

use model::{DocumentId, OrganizationId, access::AccessRole};
use tenancy::scopes::Lately;

use super::row::Row;

/// Caches of a process, to save reads: rows and rights of connections. A cached record never refuses
/// a call.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) rows: Lately<String, Arc<Row>>,
    pub(super) roles: Lately<(String, OrganizationId, DocumentId), AccessRole>,
    /// Number of members of places.
    pub(super) sizes: Lately<String, usize>,
    /// Places searched for expired leases.
    pub(super) sweeps: Lately<String, ()>,
    /// Open collection windows of large rooms.
    pub(super) gathering: Lately<String, ()>,
}
