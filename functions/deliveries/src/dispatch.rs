//! `deliveries.dispatch`: who wants an event, decided once and by the configuration of its time.
//!
//! A message has the id of its event, so an event that comes twice is the same message.

use model::{
    event::{Event, EventType},
    ledger::{DeliveryTask, WebhookTask},
};
use service::{Error, Job, Queue, Result, Trigger, Worker};

use crate::{basic, domain, operational, quiet, recover};

/// The worker.
pub enum Dispatch {}

impl Worker for Dispatch {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Webhooks);
    type Job = Job;
    type Message = WebhookTask;

    async fn handle(job: Job, task: WebhookTask) -> Result<()> {
        if let Some(editor) = &task.quiet {
            return quiet::release(&job, editor).await;
        }
        let stored = job.event(&task.event).await?;
        let stored = stored.ok_or_else(|| Error::not_found("the event is kept no more"))?;
        match &stored.event {
            Event::Domain(event) if event.event == EventType::CrdtUpdateData => {
                quiet::note(&job, &stored, event).await
            }
            Event::Domain(event) => domain::deliver(&job, &stored, event).await,
            Event::EndpointChanged { .. } | Event::AttemptTold { .. } => {
                operational::deliver(&job, &stored).await
            }
            Event::NoticeDelivered(notice) => basic::deliver_notice(&job, &stored, notice).await,
            Event::ResendOrdered { message_id, endpoint_id } => {
                let order = Some(stored.id.clone());
                let (message_id, endpoint_id) = (message_id.clone(), endpoint_id.clone());
                let task = DeliveryTask { message_id, endpoint_id, order, slot: None };
                job.send_at(Queue::Deliveries, &task, 0).await
            }
            Event::RecoverOrdered { endpoint_id, since } => {
                recover::recover(&job, &task, endpoint_id, *since).await
            }
            _ => Ok(()),
        }
    }
}
