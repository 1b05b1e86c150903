//! Sends all messages again that an endpoint missed since a time.

use std::time::Duration;

use error::Result;
use model::{EndpointId, MessageId, Millis};

use super::{Runtime, delivery::DeliveryWrite};
use crate::{
    rows::TenantWebhooks,
    types::{Delivery, DeliveryStatus, WebhookTask},
};

/// Restarts failed, exhausted and skipped deliveries, and continues in another message if there are
/// many. Deliveries that were restarted already are skipped.
pub(super) async fn recover(
    runtime: &impl Runtime,
    endpoint_id: EndpointId,
    since: Millis,
    after: Option<MessageId>,
) -> Result<()> {
    let webhooks = runtime.tenant().webhooks();
    let (found, more) = webhooks.deliveries_since(&endpoint_id, since, after.as_ref()).await?;
    let after = found.last().map(|delivery| delivery.message_id.clone());
    for delivery in found.into_iter().filter(is_missed) {
        start(runtime, &delivery).await?;
    }
    if !more {
        return Ok(());
    }
    let next = WebhookTask::Recover { endpoint_id, since, after };
    runtime.send_task(&next, Duration::ZERO).await
}

fn is_missed(delivery: &Delivery) -> bool {
    use DeliveryStatus::{Exhausted, Failed, Skipped};
    matches!(delivery.status, Failed | Exhausted | Skipped)
}

async fn start(runtime: &impl Runtime, listed: &Delivery) -> Result<()> {
    let webhooks = runtime.tenant().webhooks();
    let seen = webhooks.delivery(&listed.endpoint_id, &listed.message_id).await?;
    let Some(seen) = seen.filter(|seen| is_missed(&seen.entity)) else { return Ok(()) };
    let restarted = Delivery {
        status: DeliveryStatus::Pending,
        failures: 0,
        next_at: Some(runtime.began_at()),
        reason: None,
        ..seen.entity.clone()
    };
    let task = WebhookTask::deliver(restarted.message_id.clone(), restarted.endpoint_id.clone());
    let wake = |at| runtime.wake_for(&task, at);
    let written = webhooks.write_delivery(Some(&seen), restarted, wake).await?;
    if let DeliveryWrite::Written(_) = written {
        runtime.send_task(&task, Duration::ZERO).await?;
    }
    Ok(())
}
