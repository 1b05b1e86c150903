//! The runtime of the steps of webhooks, implemented by a job.

use std::time::Duration;

use error::Result;
use model::Millis;
use queue::Queue;
use store::{TenantStore, schedule::Wake};
use webhook::{
    Sender,
    steps::{AttemptOutcome, Runtime},
    types::WebhookTask,
};

use crate::{job::Job, semaphores::Permit};

impl Runtime for Job {
    type Permit = Permit;

    fn tenant(&self) -> &TenantStore {
        self.tenant()
    }

    fn began_at(&self) -> Millis {
        self.started_at()
    }

    fn sender(&self) -> &Sender {
        self.webhook_sender.get_or_init(|| Sender::new(self.egress))
    }

    fn attempted(&self, outcome: AttemptOutcome) {
        if let Some(observer) = &self.deliveries {
            observer.attempted(outcome);
        }
    }

    fn named(&self, body: String) -> String {
        match &self.names {
            Some(names) => names.send(body),
            None => body,
        }
    }

    async fn send_tasks(&self, tasks: &[WebhookTask], delay: Duration) -> Result<()> {
        self.send_all(Queue::Deliveries, tasks, delay).await
    }

    async fn send_task_at(&self, task: &WebhookTask, at: Millis) -> Result<()> {
        self.send_at(Queue::Deliveries, task, at).await
    }

    fn wake_for(&self, task: &WebhookTask, at: Millis) -> Result<Wake> {
        let queue = Queue::Deliveries.name().to_owned();
        Ok(Wake { queue, body: self.tenant().envelope(task)?, hinted: self.sends_hint(at) })
    }

    async fn hint_task(&self, task: &WebhookTask, at: Millis) -> Result<()> {
        match self.sends_hint(at) {
            true => self.send_task_at(task, at).await,
            false => Ok(()),
        }
    }

    async fn wait(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }

    async fn alone_at(&self, name: &str) -> Permit {
        self.in_flight.permit(format!("{}\n{name}", self.tenant().api_key().id), 1).await
    }

    async fn permit(&self) -> Permit {
        Job::permit(self).await
    }

    async fn wait_for_deliveries(&self, count: usize) -> Option<Duration> {
        Job::wait_for_deliveries(self, count).await
    }
}
