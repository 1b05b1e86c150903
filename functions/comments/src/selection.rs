//! The threads that a request selects, and the outcome of each.

use std::collections::BTreeSet;

use model::{
    AnnotationId,
    comment::{Thread, ThreadFilter},
};
use service::{Edit, prelude::*, store::comments::Comments};

use crate::publish::no_thread;

/// Most threads that one call changes.
const MAX: usize = 1_000;

/// Threads of a document: the named ones or all, restricted by a filter.
pub(crate) struct Selection {
    document: DocumentId,
    ids: Vec<AnnotationId>,
    filter: ThreadFilter,
}

impl Selection {
    /// The threads with these ids, or all without a list.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when the document has too many.
    pub(crate) async fn of(
        annotations: &Comments<'_>,
        document: DocumentId,
        named: Option<Vec<AnnotationId>>,
        filter: ThreadFilter,
    ) -> Result<Self> {
        let ids: BTreeSet<AnnotationId> = match named {
            Some(named) => named.into_iter().collect(),
            None => {
                let all = annotations.all_in(&document, MAX).await?.into_iter();
                let meant = all.filter(|thread| filter.keeps(thread));
                meant.map(|thread| thread.annotation_id).collect()
            }
        };
        Ok(Self { document, ids: ids.into_iter().collect(), filter })
    }

    /// Applies `change` to each selected thread and returns the outcomes. A thread that does not
    /// exist or does not match the filter is not found.
    ///
    /// # Errors
    /// UNAVAILABLE when nothing could be read.
    pub(crate) async fn edit(
        self,
        annotations: &Comments<'_>,
        change: impl Fn(Thread) -> Result<Edit<Thread>> + Send + Sync,
    ) -> Result<Vec<(AnnotationId, Result<Thread>)>> {
        let Self { document, ids, filter } = self;
        let places: Vec<_> = ids.iter().map(|id| (document.clone(), id.clone())).collect();
        let edit = |n: usize, stored: Option<Thread>| {
            let stored = stored.filter(|thread| filter.keeps(thread));
            change(stored.ok_or_else(|| no_thread(&ids[n]))?)
        };
        let results = annotations.all().edit_all(&places, edit).await?;
        Ok(ids.into_iter().zip(results).collect())
    }
}
