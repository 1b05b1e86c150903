//! Fan-out of a message to many endpoints, some of them at a time.

use std::time::Duration;

use model::{EndpointId, MessageId, ledger::WebhookTask};
use service::{Job, Queue, Result};

/// Endpoints per message of the fan-out.
const PAGE: usize = 100;

<<<<<<< HEAD
/// How long an order waits whose turn is further away than a queue delays.
const FAR: Duration = Duration::from_secs(10 * 60);

/// Sends a message to the next of the endpoints it lists, and orders the rest. An order that is
/// repeated sends to the same endpoints; a delivery that was made is not made again. A tenant that
/// is over its limit of deliveries waits, and the order with it.
=======
/// Sends a message to the next endpoints that its entry lists, and enqueues the rest. A repetition
/// sends to the same endpoints; a delivery that was made is not repeated.
>>>>>>> part-d
pub(crate) async fn spread(
    job: &Job,
    message_id: MessageId,
    after: Option<EndpointId>,
) -> Result<()> {
    let _turn = job.turn().await;
    let endpoints = job.message(&message_id).await?.endpoints;
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
