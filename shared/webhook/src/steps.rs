//! The steps of webhooks from an event to the receiver, as the workers of the journal and of the
//! deliveries take them. Each may be repeated and may stop anywhere: a message of the queue, or a
//! row with a due time, holds the remaining work.

mod attempt;
mod debounce;
pub mod delivery;
mod offer;
mod recover;
mod release;
mod runtime;
mod spread;

use error::Result;

pub use debounce::{EditorContent, EditorContents};
pub use offer::{all_subscribers, offer};
pub use runtime::{AttemptOutcome, Runtime};

use crate::types::WebhookTask;

/// Does what a message of the queue asks for.
///
/// # Errors
/// UNAVAILABLE, INTERNAL; to be repeated.
pub async fn run(
    runtime: &impl Runtime,
    editors: &impl EditorContents,
    task: WebhookTask,
) -> Result<()> {
    match task {
        WebhookTask::Deliver(task) => attempt::attempt(runtime, &task).await,
        WebhookTask::Recover { endpoint_id, since, after } => {
            recover::recover(runtime, endpoint_id, since, after).await
        }
        WebhookTask::Release { endpoint_id, revision, after, is_again } => {
            let change = release::EndpointRevised { endpoint_id, revision, is_again };
            release::release(runtime, change, after).await
        }
        WebhookTask::Spread { message_id, after } => {
            spread::spread(runtime, message_id, after).await
        }
        WebhookTask::Debounced { editor } => debounce::release(runtime, editors, &editor).await,
    }
}
