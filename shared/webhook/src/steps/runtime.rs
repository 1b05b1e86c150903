//! The port from the steps to the worker that runs them.

use std::time::Duration;

use error::Result;
use model::Millis;
use store::{TenantStore, schedule::Wake};

use crate::{http_client::Sender, types::WebhookTask};

/// Outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptOutcome {
    /// Whether the receiver took the message.
    pub is_success: bool,
    /// Time since the event; none if a caller ordered the attempt, or if the clock of the tenant was
    /// moved.
    pub delay: Option<Duration>,
}

/// The job of a worker: its tenant, its clock, the queue of deliveries and the HTTP client.
pub trait Runtime: Send + Sync {
    /// The right to work at something; it ends when dropped.
    type Permit: Send;

    /// The tenant.
    fn tenant(&self) -> &TenantStore;

    /// The time at which the job began, by the tenant's clock.
    fn began_at(&self) -> Millis;

    /// The HTTP client, restricted to allowed addresses.
    fn sender(&self) -> &Sender;

    /// A body with the names that the deployment gives to words.
    fn named(&self, body: String) -> String;

    /// Takes note of an attempt.
    fn attempted(&self, outcome: AttemptOutcome);

    /// Sends tasks to the queue of deliveries after a delay.
    ///
    /// # Errors
    /// UNAVAILABLE when one of them was not sent; others may be.
    fn send_tasks(
        &self,
        tasks: &[WebhookTask],
        delay: Duration,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Sends a task to the queue of deliveries after a delay.
    ///
    /// # Errors
    /// UNAVAILABLE.
    fn send_task(
        &self,
        task: &WebhookTask,
        delay: Duration,
    ) -> impl Future<Output = Result<()>> + Send {
        self.send_tasks(std::slice::from_ref(task), delay)
    }

    /// Sends a task at a time, however far away that is. It cannot get lost.
    ///
    /// # Errors
    /// UNAVAILABLE.
    fn send_task_at(
        &self,
        task: &WebhookTask,
        at: Millis,
    ) -> impl Future<Output = Result<()>> + Send;

    /// The hint for a row that is due at a time. The writer sends the first one, by
    /// [`Runtime::hint_task`].
    ///
    /// # Errors
    /// INTERNAL.
    fn wake_for(&self, task: &WebhookTask, at: Millis) -> Result<Wake>;

    /// Sends the first hint of a row that was written with [`Runtime::wake_for`].
    ///
    /// # Errors
    /// UNAVAILABLE.
    fn hint_task(&self, task: &WebhookTask, at: Millis) -> impl Future<Output = Result<()>> + Send;

    /// Waits.
    fn wait(&self, time: Duration) -> impl Future<Output = ()> + Send;

    /// Waits until no other job of the tenant in this process works at this name.
    fn alone_at(&self, name: &str) -> impl Future<Output = Self::Permit> + Send;

    /// Waits until the process has room for another job of the tenant.
    fn permit(&self) -> impl Future<Output = Self::Permit> + Send;

    /// Takes the tokens of deliveries from the limit of the tenant, and returns the time to wait
    /// before they are sent; none when that is too long for a queue.
    fn wait_for_deliveries(&self, count: usize) -> impl Future<Output = Option<Duration>> + Send;
}
