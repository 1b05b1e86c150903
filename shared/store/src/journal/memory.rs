//! Caches of a process between the batches of a stream, to save reads.

use model::{ApiKeyId, Millis, OrganizationId};
use tenancy::scopes::Kept;

use crate::journal::{counter::CountedIn, numbering::Counter};

/// Maximum number of entries of each cache.
const MAX_ENTRIES: usize = 1024;

/// Counters of documents, and known organizations with the end of their cache time.
pub(crate) struct Memory {
    pub(super) counters: Kept<CountedIn, Counter>,
    /// End of the subscriptions of a document, read with its last number.
    pub(super) listened: Kept<CountedIn, Millis>,
    pub(crate) organizations: Kept<(ApiKeyId, OrganizationId), Millis>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            counters: Kept::new(MAX_ENTRIES),
            listened: Kept::new(MAX_ENTRIES),
            organizations: Kept::new(MAX_ENTRIES),
        }
    }
}
