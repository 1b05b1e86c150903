//! `editors.compact`: makes one snapshot of many updates, and removes snapshots that nobody reads
//! anymore.
//!
//! The snapshot is written, then named by the head, and only then what is in it is removed from
//! the log. A crash in between leaves something twice, or something that nobody names; neither
//! does harm, and both go later. Updates that wait for one that is missing, which may never come,
//! are put aside: the log stays short, and the editor can be read.

use model::{
    Millis,
    editor::{Compaction, CompactionTask},
};
use service::{Job, Queue, Result, Trigger, Worker};

use crate::state::load;

/// The worker.
pub enum Compact {}

/// How long after it was replaced a snapshot is removed. More than 15 minutes, which the store
/// insists on.
const SWEPT_AFTER: Millis = 20 * 60 * 1000;

impl Worker for Compact {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Compaction);
    const NEEDS_KEYRING: bool = false;
    type Job = Job;
    type Message = Compaction;

    async fn handle(job: Job, order: Compaction) -> Result<()> {
        let editors = job.organization(&order.organization_id).editors(&order.document_id);
        if order.task == CompactionTask::Sweep {
            return editors.sweep(&order.editor_id).await;
        }
        let Some(stored) = editors.find_oldest(&order.editor_id).await? else { return Ok(()) };
        if !stored.is_long() {
            return Ok(());
        }
        if stored.is_part() {
            // Until the rest is merged, too: what cannot be read must not grow.
            editors.mark_full(&stored).await?;
        }
        let state = load(&stored)?;
        let (snapshot, waiting) = (state.encode(), state.waiting().clone());
        drop(state);
        let footprint = crdt::footprint(&snapshot)?;
        if editors.is_storable(&order.editor_id, &snapshot).is_err() {
            return editors.mark_full(&stored).await;
        }
        // Ordered first: whatever comes after it may not come.
        let sweep = Compaction { task: CompactionTask::Sweep, ..order.clone() };
        job.send_at(Queue::Compaction, &sweep, job.now() + SWEPT_AFTER).await?;
        if editors.keep_snapshot(&stored, &snapshot, footprint, &waiting).await? {
            editors.forget_merged(&stored, &waiting).await?;
            if stored.is_part() {
                job.send_at(Queue::Compaction, &order, job.now()).await?;
            }
        }
        Ok(())
    }
}
