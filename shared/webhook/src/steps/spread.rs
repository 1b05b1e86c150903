//! Fan-out of a message to many endpoints, some of them at a time.

use std::time::Duration;

use error::Result;
use model::{EndpointId, MessageId};

use super::Runtime;
use crate::{rows::TenantWebhooks, types::WebhookTask};

/// Endpoints per message of the fan-out.
const PAGE: usize = 100;

/// Delay of a message whose turn is beyond the maximum delay of a queue.
const FAR: Duration = Duration::from_secs(10 * 60);

/// Sends a message to the next endpoints that its entry lists, and enqueues the rest. A repetition
/// sends to the same endpoints; a delivery that was made is not repeated. Above the tenant's limit
/// of deliveries, the message waits.
pub(super) async fn spread(
    runtime: &impl Runtime,
    message_id: MessageId,
    after: Option<EndpointId>,
) -> Result<()> {
    let _permit = runtime.permit().await;
    let endpoints = runtime.tenant().webhooks().message(&message_id).await?.endpoints;
    let mut left = endpoints.into_iter().filter(|id| after.as_ref().is_none_or(|after| id > after));
    let page: Vec<EndpointId> = left.by_ref().take(PAGE).collect();
    let Some(wait) = runtime.wait_for_deliveries(page.len()).await else {
        let again = WebhookTask::Spread { message_id, after };
        return runtime.send_task(&again, FAR).await;
    };
    let task = |endpoint: &EndpointId| WebhookTask::deliver(message_id.clone(), endpoint.clone());
    let tasks: Vec<WebhookTask> = page.iter().map(task).collect();
    runtime.send_tasks(&tasks, wait).await?;
    if left.next().is_none() {
        return Ok(());
    }
    let next = WebhookTask::Spread { message_id, after: page.last().cloned() };
    runtime.send_task(&next, wait).await
}
