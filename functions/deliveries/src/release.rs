//! Attempts what waits for an endpoint because of its former URL or rate.

use std::time::Duration;

use model::{
    EndpointId, MessageId, Millis,
    ledger::{Delivery, DeliveryTask, WebhookTask},
    revision::Revision,
};
use service::{Job, Queue, Receiver, Result, prelude::*};

/// Age of the oldest message that may wait: one that was recovered at the age of 14 days, with ten
/// attempts that are a day and a fifth apart at most.
const LONGEST: Millis = 30 * 24 * 60 * 60 * 1000;
/// Pages of deliveries per message of the queue.
const PAGES: usize = 10;
/// Longer than a function runs: an attempt that began before the change may write until then that
/// it waits.
const SETTLED: Duration = Duration::from_mins(1);

/// A change of an endpoint.
pub(crate) struct Change {
    pub(crate) endpoint_id: EndpointId,
    /// Its revision after the change.
    pub(crate) revision: Revision,
    /// Whether it is the second pass.
    pub(crate) is_again: bool,
}

/// Sends a task for each delivery that the change concerns, and continues in another message if
/// there are many. Stops at a later change, which has its own tasks. A repetition is harmless: the
/// row of a delivery says whether it still waits.
pub(crate) async fn release(job: &Job, change: Change, after: Option<MessageId>) -> Result<()> {
    let Change { endpoint_id, revision, is_again } = change;
    let task = |after, is_again| WebhookTask::Release {
        endpoint_id: endpoint_id.clone(),
        revision,
        after,
        is_again,
    };
    if after.is_none() && !is_again {
        job.send(Queue::Deliveries, &task(None, true), SETTLED).await?;
    }
    let Receiver::Endpoint(Some(endpoint), _) = job.webhooks().receiver(&endpoint_id).await? else {
        return Ok(());
    };
    if endpoint.disabled || endpoint.revision != revision {
        return Ok(());
    }
    let (since, mut after) = (job.now().saturating_sub(LONGEST), after);
    for _ in 0..PAGES {
        let (found, more) =
            job.webhooks().deliveries_since(&endpoint_id, since, after.as_ref()).await?;
        let tasks: Vec<_> = found.iter().flat_map(|row| tasks(row, revision)).collect();
        job.send_all(Queue::Deliveries, &tasks, Duration::ZERO).await?;
        if !more {
            return Ok(());
        }
        after = found.last().map(|row| row.message_id.clone()).or(after);
    }
    job.send(Queue::Deliveries, &task(after, is_again), Duration::ZERO).await
}

/// The attempt that a delivery waits for, and those that callers ordered.
fn tasks(row: &Delivery, revision: Revision) -> impl Iterator<Item = WebhookTask> {
    let task = DeliveryTask::new(row.message_id.clone(), row.endpoint_id.clone());
    let scheduled = row.is_outdated(revision).then(|| task.clone());
    let ordered = row.orders.iter().cloned();
    let ordered = ordered.map(move |order| DeliveryTask { order: Some(order), ..task.clone() });
    scheduled.into_iter().chain(ordered).map(WebhookTask::Deliver)
}
