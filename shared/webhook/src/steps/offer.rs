//! An event becomes a message for its subscribers.

use std::{collections::BTreeSet, time::Duration};

use error::Result;
use model::{
    EndpointId,
    event::{Event, EventType},
};
use store::journal::StoredEvent;

use super::{Runtime, debounce};
use crate::{
    rows::{FEW_ENDPOINTS, MessageContent, TenantWebhooks},
    types::{Context, WebhookTask},
};

/// Dispatches an event to the subscribed endpoints. Idempotent: finished deliveries are not
/// repeated.
///
/// # Errors
/// UNAVAILABLE, INTERNAL; to be repeated.
pub async fn offer(
    runtime: &impl Runtime,
    stored: &StoredEvent,
    endpoints: BTreeSet<EndpointId>,
) -> Result<()> {
    match &stored.event {
        _ if endpoints.is_empty() => Ok(()),
        Event::Domain(event) if event.event == EventType::CrdtUpdateData => {
            debounce::hold(runtime, stored, event).await
        }
        event => {
            let context = runtime.tenant().webhooks().context_of(event).await?;
            publish(runtime, stored, endpoints, context).await
        }
    }
}

/// Stores the entry of an event and dispatches it to endpoints; to many of them by one message.
///
/// # Errors
/// UNAVAILABLE, INTERNAL; to be repeated.
pub(super) async fn publish(
    runtime: &impl Runtime,
    stored: &StoredEvent,
    endpoints: BTreeSet<EndpointId>,
    context: Context,
) -> Result<()> {
    let id = stored.message_id()?;
    let task = |endpoint: &EndpointId| WebhookTask::deliver(id.clone(), endpoint.clone());
    let tasks: Vec<WebhookTask> = match endpoints.len() {
        0..=FEW_ENDPOINTS => endpoints.iter().map(task).collect(),
        _ => vec![WebhookTask::Spread { message_id: id.clone(), after: None }],
    };
    let content = MessageContent { endpoints, context };
    runtime.tenant().webhooks().keep_message(stored, &content).await?;
    runtime.send_tasks(&tasks, Duration::ZERO).await
}

/// The subscribed endpoints of an event, however many. Concurrent events share one read.
///
/// # Errors
/// UNAVAILABLE, INTERNAL.
pub async fn all_subscribers(
    runtime: &impl Runtime,
    stored: &StoredEvent,
) -> Result<BTreeSet<EndpointId>> {
    let _alone = runtime.alone_at("endpoints").await;
    runtime.tenant().webhooks().all_subscribers(stored).await
}
