use std::sync::Arc;

use model::{DocumentId, OrganizationId, access::AccessRole};

use super::row::Row;
use crate::scopes::Lately;

/// What a process remembers of connections for some seconds, to save reads: who they are, and what
/// they may do. It refuses nobody.
#[derive(Default)]
pub(crate) struct Memory {
    pub(super) rows: Lately<String, Arc<Row>>,
    pub(super) roles: Lately<(String, OrganizationId, DocumentId), AccessRole>,
    /// Number of members of places.
    pub(super) sizes: Lately<String, usize>,
    /// Open collection windows of large rooms.
    pub(super) gathering: Lately<String, ()>,
}
