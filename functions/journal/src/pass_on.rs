//! Where an event goes. One that comes twice goes there twice: who acts on it can be called again.

use std::{collections::BTreeSet, time::Duration};

use delivery::Task;
use model::{
    EndpointId,
    editor::{Compaction, CompactionTask},
    erasure::ErasureTask,
    event::{Event, Removal},
    live::{LiveEvent, LiveTask},
};
use service::{Job, Listeners, Queue, Result, StoredEvent};

/// Bytes of an event in the queue. There it is ASCII, which is up to three times as long; the body of a
/// webhook has no room for more.
const MAX_BYTES: usize = 300_000;
/// Longer than a function believes what it has read of a key.
const BELIEVED: Duration = Duration::from_secs(15);

/// Passes on an event of the stream. One that takes its time goes by itself: those of other tenants
/// wait behind it.
pub(crate) async fn pass_on(job: &Job, stored: StoredEvent) -> Result<()> {
    let Listeners { endpoints, people, live } = job.listeners(&stored).await?;
    if let Event::Domain(event) = &stored.event
        && live
        && LiveEvent::is_news(event)
    {
        let task = LiveTask::Event(Box::new(LiveEvent::new(event, stored.seq)));
        job.send(Queue::Live, &task, Duration::ZERO).await?;
    }
    match (&stored.event, endpoints) {
        // All that became due is woken; once more later, for what is armed meanwhile by somebody
        // who believes the time of before.
        (Event::ClockAdvanced { .. }, _) => {
            for delay in [Duration::ZERO, BELIEVED] {
                job.send(Queue::JournalRetry, &stored, delay).await?;
            }
            Ok(())
        }
        (_, None) => {
            job.send(Queue::JournalRetry, &stored.within(MAX_BYTES)?, Duration::ZERO).await
        }
        (_, Some(endpoints)) => send_on(job, stored, endpoints, people).await,
    }
}

/// Passes on an event that nobody waits behind.
pub(crate) async fn pass_on_alone(job: &Job, stored: StoredEvent) -> Result<()> {
    let _turn = job.turn().await;
    let Listeners { endpoints, people, .. } = job.listeners(&stored).await?;
    let endpoints = match endpoints {
        Some(endpoints) => endpoints,
        None => job.all_listeners(&stored).await?,
    };
    send_on(job, stored, endpoints, people).await
}

/// Keeps an event if it has a subscriber, and then sends it on: who gets the message finds the entry.
async fn send_on(
    job: &Job,
    stored: StoredEvent,
    endpoints: BTreeSet<EndpointId>,
    people: bool,
) -> Result<()> {
    job.offer_to_webhooks(&stored, endpoints).await?;
    if people {
        job.keep_event(&stored).await?;
        let offer = Task::Offer(stored.to_ref());
        job.send(Queue::Notifications, &offer, Duration::ZERO).await?;
    }
    // What follows has all it needs in its message.
    if stored.event.is_deletion() {
        let (mut event, at) = (stored.event, stored.at);
        // A message has no room for a thread, and its ids are enough.
        event.truncate();
        let removal = Removal { event, at, pass: 0 };
        job.send(Queue::Cleanup, &removal, Duration::ZERO).await
    } else if let Event::ClockAdvanced { .. } = stored.event {
        job.release_due().await
    } else if let Some(order) = compaction(&stored) {
        job.send(Queue::Compaction, &order, Duration::ZERO).await
    } else {
        job.send_all(Queue::Erasure, &erasures(stored), Duration::ZERO).await
    }
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
        row: None,
        message: None,
        pass: 0,
    };
    user_ids.into_iter().map(task).collect()
}
