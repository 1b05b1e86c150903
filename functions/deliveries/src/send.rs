//! `deliveries.send`: one attempt to deliver a message to an endpoint, and the other work of the
//! same queue. Of two concurrent copies of a message, a process handles one at a time.

use model::ledger::WebhookTask;
use service::{Job, Queue, Result, Trigger, Worker};
use webhook::delivery;

use crate::{debounce, recover, release, spread, world::JobWorld};

pub enum Send {}

impl Worker for Send {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Deliveries);
    type Job = Job;
    type Message = WebhookTask;

    async fn handle(job: Job, task: WebhookTask) -> Result<()> {
        match task {
            WebhookTask::Deliver(task) => {
                let _alone =
                    job.alone_at(&format!("{}\n{}", task.message_id, task.endpoint_id)).await;
                delivery::deliver(&JobWorld(job), &task).await
            }
            WebhookTask::Recover { endpoint_id, since, after } => {
                recover::recover(&job, endpoint_id, since, after).await
            }
            WebhookTask::Release { endpoint_id, revision, after, is_again } => {
                let change = release::Change { endpoint_id, revision, is_again };
                release::release(&job, change, after).await
            }
            WebhookTask::Spread { message_id, after } => {
                spread::spread(&job, message_id, after).await
            }
            WebhookTask::Debounced { editor } => {
                let _alone = job.alone_at(&format!("{editor:?}")).await;
                debounce::release(&job, &editor).await
            }
        }
    }
}
