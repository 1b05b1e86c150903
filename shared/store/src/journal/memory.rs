//! Caches of a process between the batches of a stream, to save reads.

use model::{ApiKeyId, Millis, OrganizationId};
use tenancy::scopes::SizedCache;

use crate::journal::{counter::CountedIn, numbering::Counter};

/// Maximum number of entries of each cache.
const MAX_ENTRIES: usize = 1024;

/// Counters of documents, and known organizations with the end of their cache time.
pub(crate) struct Memory {
    pub(super) counters: SizedCache<CountedIn, Counter>,
    /// End of the subscriptions of a document, read with its last number.
    pub(super) listened: SizedCache<CountedIn, Millis>,
    pub(crate) organizations: SizedCache<(ApiKeyId, OrganizationId), Millis>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            counters: SizedCache::new(MAX_ENTRIES),
            listened: SizedCache::new(MAX_ENTRIES),
            organizations: SizedCache::new(MAX_ENTRIES),
        }
    }
}
