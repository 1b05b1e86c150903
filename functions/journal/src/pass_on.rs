//! Dispatch of an event. Repeated dispatch is safe, because all consumers are idempotent.

use std::{collections::BTreeSet, time::Duration};

use model::{
    EndpointId,
    editor::{Compaction, CompactionTask},
    event::{Event, Reading, Removal},
    live::{LiveEvent, LivePart, LivePlace, LiveTask},
    user_data::{ErasureStep, ErasureTask},
};
use notification::NotificationTask;
use service::{Queue, prelude::*, store::journal::StoredEvent};
use webhook::{
    Endpoints,
    steps::{all_subscribers, offer},
    types::WebhookTask,
};

/// A time after which no function has the old record of a key in its cache.
const KEY_CACHE_TIME: Duration = Duration::from_secs(15);

/// Dispatches an event of the stream. An event that takes long gets its own message, because events
/// of other tenants wait behind it.
pub(crate) async fn pass_on(job: &Job, stored: StoredEvent) -> Result<()> {
    let is_listened = job.tenant().events().is_listened(&stored);
    let endpoints = job.tenant().webhooks().subscribers(&stored).await?;
    if let Event::Domain(event) = &stored.event
        && is_listened
        && LiveEvent::is_news(event)
    {
        let task = LiveTask::Event(Box::new(LiveEvent::new(event, stored.seq, stored.at)));
        job.send(Queue::Live, &task, Duration::ZERO).await?;
    }
    if let Event::EditorDeleted { organization_id, document_id, editor_id, ended_at, .. } =
        &stored.event
    {
        let (document_id, editor_id) = (document_id.clone(), editor_id.clone());
        let part = LivePart::Editor { document_id, editor_id };
        let place = LivePlace { organization_id: organization_id.clone(), part };
        let task = LiveTask::Gone { place, at: *ended_at };
        job.send(Queue::Live, &task, Duration::ZERO).await?;
    }
    if let Event::Read(reading) = &stored.event {
        let task = LiveTask::Read(Reading::clone(reading));
        job.send(Queue::Live, &task, Duration::ZERO).await?;
    }
    match (&stored.event, endpoints) {
        // Wakes all due rows, and once more later for rows that a function with a cached clock
        // schedules meanwhile.
        (Event::ClockAdvanced { .. }, _) => {
            for delay in [Duration::ZERO, KEY_CACHE_TIME] {
                job.send(Queue::JournalRetry, &stored, delay).await?;
            }
            Ok(())
        }
        (_, Endpoints::Many) => job.dispatch_alone(&stored).await,
        (_, Endpoints::Few(endpoints)) => send_on(job, stored, endpoints).await,
    }
}

/// Dispatches an event that blocks no others.
pub(crate) async fn pass_on_alone(job: &Job, stored: StoredEvent) -> Result<()> {
    let _permit = job.permit().await;
    let endpoints = match job.tenant().webhooks().subscribers(&stored).await? {
        Endpoints::Few(endpoints) => endpoints,
        Endpoints::Many => all_subscribers(job, &stored).await?,
    };
    send_on(job, stored, endpoints).await
}

/// Stores an event with subscribers, then sends its messages, so that consumers find the entry.
async fn send_on(job: &Job, stored: StoredEvent, endpoints: BTreeSet<EndpointId>) -> Result<()> {
    offer(job, &stored, endpoints).await?;
    if stored.is_for_people() {
        job.tenant().events().keep(&stored).await?;
        let offer = NotificationTask::Offer(stored.to_ref());
        job.send(Queue::Notifications, &offer, Duration::ZERO).await?;
    }
    // The messages below contain all data that their workers need.
    if stored.event.is_deletion() {
        let (mut event, at) = (stored.event, stored.at);
        // A thread exceeds a message; its ids suffice.
        event.truncate();
        let removal = Removal { event, at, pass: 0, found: false };
        job.send(Queue::Cleanup, &removal, Duration::ZERO).await
    } else if let Event::ClockAdvanced { .. } = stored.event {
        job.release_due().await
    } else if let Event::EndpointChanged { endpoint_id, revision: Some(revision), .. } =
        stored.event
    {
        let task = WebhookTask::Release { endpoint_id, revision, after: None, is_again: false };
        job.send(Queue::Deliveries, &task, Duration::ZERO).await
    } else if let Some(order) = compaction(&stored) {
        job.send(Queue::Compaction, &order, Duration::ZERO).await
    } else {
        job.send_all(Queue::Erasure, &erasures(stored), Duration::ZERO).await
    }
}

/// The compaction of the editor, if its log grew enough.
fn compaction(stored: &StoredEvent) -> Option<Compaction> {
    let Event::Domain(event) = &stored.event else { return None };
    let grown = event.grown.as_ref().filter(|grown| grown.is_due(stored.seq.unwrap_or(0)))?;
    Some(Compaction {
        organization_id: event.organization_id.clone(),
        document_id: event.document_id.clone(),
        editor_id: grown.editor_id.clone(),
        task: CompactionTask::Merge,
        snapshots: vec![],
    })
}

/// One erasure task for each user.
fn erasures(stored: StoredEvent) -> Vec<ErasureStep> {
    let Event::UserErasure { job_id, user_ids, organization_ids } = stored.event else {
        return vec![];
    };
    let task = |user_id| {
        ErasureStep::User(ErasureTask {
            job_id: job_id.clone(),
            user_id,
            organization_ids: organization_ids.clone(),
            at: stored.at,
            after: None,
            row: None,
            pass: 0,
        })
    };
    user_ids.into_iter().map(task).collect()
}
