//! Everything that an endpoint missed since a time, sent again.

use std::time::Duration;

use model::{
    EndpointId, Millis,
    ledger::{Delivery, DeliveryStatus, WebhookTask},
};
use service::{Job, Queue, Result};

use crate::keep;

/// Starts what failed, was exhausted or skipped anew; goes on in another message when there is
/// much of it. Messages that were started already are not started again.
pub(crate) async fn recover(
    job: &Job,
    task: &WebhookTask,
    endpoint: &EndpointId,
    since: Millis,
) -> Result<()> {
    use DeliveryStatus::{Exhausted, Failed, Skipped};
    let (found, more) = job.deliveries_since(endpoint, since, task.after.as_ref()).await?;
    let last = found.last().map(|delivery| delivery.message_id.clone());
    let missed = |it: &Delivery| matches!(it.status, Failed | Exhausted | Skipped);
    for delivery in found.into_iter().filter(missed) {
        start(job, &delivery).await?;
    }
    if !more {
        return Ok(());
    }
    let next = WebhookTask { after: last, ..task.clone() };
    job.send(Queue::Webhooks, &next, Duration::ZERO).await
}

async fn start(job: &Job, listed: &Delivery) -> Result<()> {
    use DeliveryStatus::{Exhausted, Failed, Pending, Skipped};
    let seen = job.delivery(&listed.endpoint_id, &listed.message_id).await?;
    let Some(seen) = seen else { return Ok(()) };
    if !matches!(seen.entity.status, Failed | Exhausted | Skipped) {
        return Ok(());
    }
    let anew = Delivery {
        status: Pending,
        failures: 0,
        next_at: Some(job.now()),
        reason: None,
        ..seen.entity.clone()
    };
    let wake = |delivery: &Delivery| keep::wake(job, delivery);
    if job.change_delivery(&seen, anew, wake, (None, None)).await?.is_some() {
        job.send(Queue::Deliveries, &keep::task(listed), Duration::ZERO).await?;
    }
    Ok(())
}
