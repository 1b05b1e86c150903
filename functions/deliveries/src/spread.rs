//! Fan-out of a message to many endpoints, some of them at a time.

use std::time::Duration;

use model::{EndpointId, MessageId, ledger::WebhookTask};
use service::{Job, Queue, Result, prelude::*};

/// Endpoints per message of the fan-out.
const PAGE: usize = 100;

/// Delay of a message whose turn is beyond the maximum delay of a queue.
const FAR: Duration = Duration::from_secs(10 * 60);

/// Sends a message to the next endpoints that its entry lists, and enqueues the rest. A repetition
/// sends to the same endpoints; a delivery that was made is not repeated. Above the tenant's limit
/// of deliveries, the message waits.
pub(crate) async fn spread(
    job: &Job,
    message_id: MessageId,
    after: Option<EndpointId>,
) -> Result<()> {
    let _turn = job.turn().await;
    let endpoints = job.webhooks().message(&message_id).await?.endpoints;
    let mut left = endpoints.into_iter().filter(|id| after.as_ref().is_none_or(|after| id > after));
    let page: Vec<EndpointId> = left.by_ref().take(PAGE).collect();
    let Some(wait) = job.wait_for_deliveries(page.len()).await else {
        let again = WebhookTask::Spread { message_id, after };
        return job.send(Queue::Deliveries, &again, FAR).await;
    };
    let task = |endpoint: &EndpointId| WebhookTask::deliver(message_id.clone(), endpoint.clone());
    let tasks: Vec<WebhookTask> = page.iter().map(task).collect();
    job.send_all(Queue::Deliveries, &tasks, wait).await?;
    if left.next().is_none() {
        return Ok(());
    }
    let next = WebhookTask::Spread { message_id, after: page.last().cloned() };
    job.send(Queue::Deliveries, &next, wait).await
}
