//! Attempts what waits for an endpoint because of its former URL or rate.

use std::time::Duration;

use error::Result;
use model::{EndpointId, MessageId, Millis, revision::Revision};

use super::Runtime;
use crate::{
    rows::{Receiver, TenantWebhooks},
    types::{Delivery, DeliveryTask, WebhookTask},
};

/// Age of the oldest message that may wait: one that was recovered at the age of 14 days, with ten
/// attempts that are a day and a fifth apart at most.
const LONGEST: Millis = 30 * 24 * 60 * 60 * 1000;
/// Pages of deliveries per message of the queue.
const PAGES: usize = 10;
/// Longer than a function runs: an attempt that began before the change may write until then that
/// it waits.
const SETTLED: Duration = Duration::from_mins(1);

/// A change of an endpoint.
pub(super) struct EndpointRevised {
    pub(super) endpoint_id: EndpointId,
    /// Revision of the endpoint after the change.
    pub(super) revision: Revision,
    /// Whether it is the second pass.
    pub(super) is_again: bool,
}

/// Sends a task for each delivery that the change concerns, and continues in another message if
/// there are many. Stops at a later change, which has its own tasks. A repetition is harmless: the
/// row of a delivery says whether it still waits.
pub(super) async fn release(
    runtime: &impl Runtime,
    change: EndpointRevised,
    after: Option<MessageId>,
) -> Result<()> {
    let EndpointRevised { endpoint_id, revision, is_again } = change;
    let task = |after, is_again| WebhookTask::Release {
        endpoint_id: endpoint_id.clone(),
        revision,
        after,
        is_again,
    };
    if after.is_none() && !is_again {
        runtime.send_task(&task(None, true), SETTLED).await?;
    }
    let webhooks = runtime.tenant().webhooks();
    let Receiver::Endpoint(Some(endpoint), _) = webhooks.receiver(&endpoint_id).await? else {
        return Ok(());
    };
    if endpoint.disabled || endpoint.revision != revision {
        return Ok(());
    }
    let (since, mut after) = (runtime.began_at().saturating_sub(LONGEST), after);
    for _ in 0..PAGES {
        let (found, more) = webhooks.deliveries_since(&endpoint_id, since, after.as_ref()).await?;
        let tasks: Vec<_> = found.iter().flat_map(|row| tasks(row, revision)).collect();
        runtime.send_tasks(&tasks, Duration::ZERO).await?;
        if !more {
            return Ok(());
        }
        after = found.last().map(|row| row.message_id.clone()).or(after);
    }
    runtime.send_task(&task(after, is_again), Duration::ZERO).await
}

/// The attempt that a delivery waits for, and those that callers ordered.
fn tasks(row: &Delivery, revision: Revision) -> impl Iterator<Item = WebhookTask> {
    let task = DeliveryTask::new(row.message_id.clone(), row.endpoint_id.clone());
    let scheduled = row.is_outdated(revision).then(|| task.clone());
    let ordered = row.orders.iter().cloned();
    let ordered = ordered.map(move |order| DeliveryTask { order: Some(order), ..task.clone() });
    scheduled.into_iter().chain(ordered).map(WebhookTask::Deliver)
}
