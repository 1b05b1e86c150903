//! Merging the log of an editor into a snapshot.
//!
//! The snapshot is written first, with the entries that it merges, then the head that names it, and
//! only then the merged updates leave the log. A crash in between leaves a duplicate or rows that no
//! head names; both are harmless and removed later. Updates with missing dependencies, which may
//! never arrive, move out of the log: the log stays short and the editor readable.

use std::collections::BTreeMap;

use model::{
    EditorId, Millis,
    editor::{Compaction, CompactionTask},
};
use service::{
    prelude::*,
    store::editors::{EditorStore, MergedState, Prepared, SnapshotWrite, StoredEditor},
};

/// A merge that is ready to be written.
pub(crate) struct Merge {
    prepared: Prepared,
    waiting: BTreeMap<usize, usize>,
}

impl Merge {
    /// Merges an editor; none when the result cannot be stored.
    ///
    /// # Errors
    /// UNAVAILABLE; INTERNAL when the stored data cannot be read.
    pub(crate) async fn of(
        editors: &EditorStore,
        stored: &StoredEditor,
        state: crdt::State,
    ) -> Result<Option<Self>> {
        let users = editors.number_users(stored).await?;
        let authors = editing::history::authors(stored, &users)?;
        let (snapshot, waiting) = (state.encode(), state.waiting().clone());
        drop(state);
        if editors.is_storable(stored.id(), &snapshot).is_err() {
            return Ok(None);
        }
        let merged = MergedState {
            users: &users,
            state: &snapshot,
            authors: &authors,
            footprint: crdt::footprint(&snapshot)?,
            waiting: &waiting,
        };
        let prepared = editors.prepare(stored, &merged)?;
        Ok(Some(Self { prepared, waiting }))
    }

    /// The sweeps to be ordered before it is written, because a crash may prevent what follows: each
    /// with the time in milliseconds after which it is due.
    pub(crate) fn sweeps(&self, order: &Compaction) -> Vec<(Compaction, Millis)> {
        let sweep = |(snapshots, after)| {
            (Compaction { task: CompactionTask::Sweep, snapshots, ..order.clone() }, after)
        };
        self.prepared.sweeps().into_iter().map(sweep).collect()
    }

    /// Writes it, and removes from the log what is in it; returns whether another one came before.
    ///
    /// # Errors
    /// UNAVAILABLE: another run does the rest.
    pub(crate) async fn write(
        self,
        editors: &EditorStore,
        stored: &StoredEditor,
    ) -> Result<SnapshotWrite> {
        let written = editors.keep_snapshot(stored, self.prepared).await?;
        if written == SnapshotWrite::Current {
            editors.forget_merged(stored, &self.waiting).await?;
        }
        Ok(written)
    }
}

/// The task to maintain an editor.
pub(crate) fn order(
    organization: &OrganizationId,
    document: &DocumentId,
    editor: &EditorId,
    task: CompactionTask,
) -> Compaction {
    Compaction {
        organization_id: organization.clone(),
        document_id: document.clone(),
        editor_id: editor.clone(),
        task,
        snapshots: vec![],
    }
}
