//! Sends all messages again that an endpoint missed since a time.

use std::time::Duration;

use model::{
    EndpointId, MessageId, Millis,
    ledger::{Delivery, DeliveryStatus, WebhookTask},
};
use service::{Job, Queue, Result, prelude::*};

/// Restarts failed, exhausted and skipped deliveries, and continues in another message if there are
/// many. Deliveries that were restarted already are skipped.
pub(crate) async fn recover(
    job: &Job,
    endpoint_id: EndpointId,
    since: Millis,
    after: Option<MessageId>,
) -> Result<()> {
    let (found, more) =
        job.webhooks().deliveries_since(&endpoint_id, since, after.as_ref()).await?;
    let after = found.last().map(|delivery| delivery.message_id.clone());
    for delivery in found.into_iter().filter(is_missed) {
        start(job, &delivery).await?;
    }
    if !more {
        return Ok(());
    }
    let next = WebhookTask::Recover { endpoint_id, since, after };
    job.send(Queue::Deliveries, &next, Duration::ZERO).await
}

fn is_missed(delivery: &Delivery) -> bool {
    use DeliveryStatus::{Exhausted, Failed, Skipped};
    matches!(delivery.status, Failed | Exhausted | Skipped)
}

async fn start(job: &Job, listed: &Delivery) -> Result<()> {
    let seen = job.webhooks().delivery(&listed.endpoint_id, &listed.message_id).await?;
    let Some(seen) = seen.filter(|seen| is_missed(&seen.entity)) else { return Ok(()) };
    let anew = Delivery {
        status: DeliveryStatus::Pending,
        failures: 0,
        next_at: Some(job.now()),
        reason: None,
        ..seen.entity.clone()
    };
    let task = WebhookTask::deliver(anew.message_id.clone(), anew.endpoint_id.clone());
    let wake = |at| job.waking(Queue::Deliveries, &task, at);
    if job.webhooks().write_delivery(Some(&seen), anew, wake).await?.is_some() {
        job.send(Queue::Deliveries, &task, Duration::ZERO).await?;
    }
    Ok(())
}
