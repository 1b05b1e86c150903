//! `editors.compact`: merges updates into a snapshot, and deletes replaced snapshots.
//!
//! The worker writes the snapshot, then the head that names it, and only then removes the merged
//! updates from the log. A crash in between leaves a duplicate or an unreferenced snapshot; both
//! are harmless and deleted later. Updates with missing dependencies, which may never arrive, move
//! out of the log: the log stays short and the editor readable.

use model::{
    Millis,
    editor::{Compaction, CompactionTask},
};
use service::{
    Queue,
    prelude::*,
    store::editors::{EditorStore, SnapshotWrite, StoredEditor},
};

use crate::state::load;

pub enum Compact {}

/// Delay before a replaced snapshot is deleted. The store requires more than 15 minutes.
const SWEPT_AFTER: Millis = 20 * 60 * 1000;

impl Worker for Compact {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Compaction);
    const NEEDS_KEYRING: bool = false;
    type Job = Job;
    type Message = Compaction;

    async fn handle(job: Job, order: Compaction) -> Result<()> {
        let editors = job.organization(&order.organization_id).editors().of(&order.document_id);
        if order.task == CompactionTask::Sweep {
            return editors.sweep(&order.editor_id).await;
        }
        let Some(stored) = editors.find_long(&order.editor_id).await? else { return Ok(()) };
        if stored.is_part() {
            // Writes are refused until the rest is merged: an unreadable log must not grow.
            editors.mark_full(&stored).await?;
        }
        let state = load(&stored)?;
        let (decided, is_open) = editing::content_type(&stored, &state)?;
        // Updates of peers do not always name the root of their text. The document shows it, and
        // it is stored here.
        if stored.is_open() && !is_open {
            editors.keep_type(&stored, decided).await?;
        }
        keep(&job, &order, &editors, &stored, state).await
    }
}

/// Writes the state as the snapshot, and forgets the log that is in it.
async fn keep(
    job: &Job,
    order: &Compaction,
    editors: &EditorStore,
    stored: &StoredEditor,
    state: crdt::State,
) -> Result<()> {
    let (snapshot, waiting) = (state.encode(), state.waiting().clone());
    drop(state);
    if editors.is_storable(&order.editor_id, &snapshot).is_err() {
        return editors.mark_full(stored).await;
    }
    let footprint = crdt::footprint(&snapshot)?;
    // Enqueued first, because a crash may prevent the later steps.
    let sweep = Compaction { task: CompactionTask::Sweep, ..order.clone() };
    job.send_at(Queue::Compaction, &sweep, job.started_at() + SWEPT_AFTER).await?;
    let written = editors.keep_snapshot(stored, &snapshot, footprint, &waiting).await?;
    if written == SnapshotWrite::Current {
        editors.forget_merged(stored, &waiting).await?;
        if stored.is_part() {
            job.send_at(Queue::Compaction, order, job.started_at()).await?;
        }
    }
    Ok(())
}
