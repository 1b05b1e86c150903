//! `editors.compact`: merges updates into a snapshot, and deletes snapshots that nothing needs.

use model::editor::{Compaction, CompactionTask};
use service::{
    Queue,
    prelude::*,
    store::editors::{EditorStore, SnapshotWrite, StoredEditor},
};

use crate::{merging::Merge, state::load};

pub enum Compact {}

impl Worker for Compact {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Compaction);
    const NEEDS_KEYRING: bool = false;
    type Job = Job;
    type Message = Compaction;

    async fn handle(job: Job, order: Compaction) -> Result<()> {
        let editors = job.organization(&order.organization_id).editors().of(&order.document_id);
        if order.task == CompactionTask::Sweep {
            return editors.sweep(&order.editor_id, &order.snapshots).await;
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
    let Some(merge) = Merge::of(editors, stored, state).await? else {
        return editors.mark_full(stored).await;
    };
    for (sweep, after) in merge.sweeps(order) {
        job.send_at(Queue::Compaction, &sweep, job.started_at() + after).await?;
    }
    let written = merge.write(editors, stored).await?;
    if written == SnapshotWrite::Current && stored.is_part() {
        job.send_at(Queue::Compaction, order, job.started_at()).await?;
    }
    Ok(())
}
