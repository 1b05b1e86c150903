//! `fan-out.events`: each event of the outbox goes to the queues that want it.
//!
//! An event that comes twice is sent twice: who acts on it can be called again.

use std::time::Duration;

use delivery::Task;
use model::{
    editor::{Compaction, CompactionTask},
    erasure::ErasureTask,
    event::{Event, EventType, Removal},
};
use service::{Job, Queue, Result, StoredEvent, Table, Trigger, Worker, try_join};

/// The worker.
pub enum FanOutEvents {}

impl Worker for FanOutEvents {
    const TRIGGER: Trigger = Trigger::Stream(Table::Events);
    type Job = Job;
    type Message = StoredEvent;

    async fn handle(job: Job, stored: StoredEvent) -> Result<()> {
        fan_out(&job, stored).await
    }
}

pub(crate) async fn fan_out(job: &Job, stored: StoredEvent) -> Result<()> {
    let event = stored.to_ref();
    let people = goes_to_people(&stored.event);
    let to_webhooks = async {
        job.offer_to_webhooks(&stored, &job.webhook_setup().await?).await
    };
    let offer = Task::Offer(event.clone());
    let to_people = async {
        if people { job.send(Queue::Notifications, &offer, Duration::ZERO).await } else { Ok(()) }
    };
    try_join(to_webhooks, to_people).await?;
    if stored.event.is_deletion() {
        let removal = Removal { event: stored.event, at: stored.at, pass: 0 };
        job.send(Queue::Cleanup, &removal, Duration::ZERO).await?;
    } else if let Event::ClockAdvanced { .. } = stored.event {
        job.release_due().await?;
    } else if let Some(order) = compaction(&stored) {
        job.send(Queue::Compaction, &order, Duration::ZERO).await?;
    } else {
        job.send_all(Queue::Erasure, &erasures(stored), Duration::ZERO).await?;
    }
    Ok(())
}

/// Whether people may be notified of it.
fn goes_to_people(event: &Event) -> bool {
    let Event::Domain(event) = event else { return false };
    event.notify || event.event == EventType::NotificationAdd
}

/// The order to look at the log of an editor, when the event says that it grew enough.
fn compaction(stored: &StoredEvent) -> Option<Compaction> {
    let Event::Domain(event) = &stored.event else { return None };
    let grown = event.grown.as_ref().filter(|grown| grown.is_due(stored.seq.unwrap_or(0)))?;
    Some(Compaction {
        organization_id: event.organization_id.clone(),
        document_id: event.document_id.clone(),
        editor_id: grown.editor_id.clone(),
        task: CompactionTask::Merge,
    })
}

/// The orders that an event gives: one for each user who is to be erased.
fn erasures(stored: StoredEvent) -> Vec<ErasureTask> {
    let Event::UserErasure { job_id, user_ids, organization_ids } = stored.event else {
        return vec![];
    };
    let task = |user_id| ErasureTask {
        job_id: job_id.clone(),
        user_id,
        organization_ids: organization_ids.clone(),
        at: stored.at,
        after: None,
        message: None,
        pass: 0,
    };
    user_ids.into_iter().map(task).collect()
}
