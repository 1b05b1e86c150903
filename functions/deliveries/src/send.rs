//! `deliveries.send`: one attempt to deliver a message to an endpoint, and the other work of the
//! same queue.

use service::{Queue, prelude::*};
use webhook::{steps, types::WebhookTask};

use crate::contents::Contents;

pub enum Send {}

impl Worker for Send {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Deliveries);
    type Job = Job;
    type Message = WebhookTask;

    async fn handle(job: Job, task: WebhookTask) -> Result<()> {
        steps::run(&job, &Contents(&job), task).await
    }
}
