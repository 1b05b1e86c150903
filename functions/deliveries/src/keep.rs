//! Messages and deliveries, kept and sent on their way.

use std::time::Duration;

use model::{
    EndpointId, MessageId, Millis,
    ledger::{Delivery, DeliveryStatus, DeliveryTask, Message},
};
use service::{Error, Job, Queue, Result, StoredEvent, Wake};

/// The id of the message that tells of an event.
pub(crate) fn message_id(stored: &StoredEvent) -> Result<MessageId> {
    MessageId::try_from(format!("msg_{}", stored.id)).map_err(|e| Error::internal(e.to_string()))
}

/// One of the endpoints that are there for basic webhooks alone.
pub(crate) fn reserved(name: &str) -> Result<EndpointId> {
    EndpointId::try_from(name.to_owned()).map_err(|e| Error::internal(e.to_string()))
}

/// A delivery that is to be made now.
pub(crate) fn delivery(message: &Message, endpoint_id: EndpointId, now: Millis) -> Delivery {
    Delivery {
        message_id: message.id.clone(),
        endpoint_id,
        event_type: message.event_type.clone(),
        status: DeliveryStatus::Pending,
        attempts: 0,
        failures: 0,
        next_at: Some(now),
        reason: None,
        body: None,
        operational: false,
        created_at: now,
    }
}

/// What the sender of a delivery is told.
pub(crate) fn task(delivery: &Delivery) -> DeliveryTask {
    let (message_id, endpoint_id) = (delivery.message_id.clone(), delivery.endpoint_id.clone());
    DeliveryTask { message_id, endpoint_id, order: None, slot: None }
}

/// How a delivery is woken.
pub(crate) fn wake(job: &Job, delivery: &Delivery) -> Result<Wake> {
    job.waking(Queue::Deliveries, &task(delivery), delivery.next_at.unwrap_or_default())
}

/// Keeps a message and where it goes, and has it sent; what is known already stays as it is.
pub(crate) async fn keep(job: &Job, message: &Message, deliveries: &[Delivery]) -> Result<()> {
    job.keep_message(message, deliveries, |delivery| wake(job, delivery)).await?;
    let tasks: Vec<DeliveryTask> = deliveries.iter().map(task).collect();
    job.send_all(Queue::Deliveries, &tasks, Duration::ZERO).await
}
