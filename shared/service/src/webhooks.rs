//! Dispatch of events to the queue of deliveries.

use std::{collections::BTreeSet, ops::Deref, time::Duration};

use error::{Error, Result};
use model::{
    EndpointId, Millis,
    event::{DomainEvent, Event, EventType},
    ledger::{Context, EditorRef, WebhookTask},
};
use queue::Queue;
use store::{Debounce, FEW_ENDPOINTS, StoredEvent, Wanted, message_id, prelude::*};
use webhook::Sender as WebhookSender;

use crate::worker::Job;

/// Debounce time of an editor (contract `deliveries.types`).
const DEBOUNCE: Millis = 5_000;
/// Maximum time between messages under continuous typing.
const LONGEST: Millis = 60_000;
/// Attempts to write a change under contention.
const ATTEMPTS: u32 = 20;

impl Job {
    /// The HTTP client of webhooks, restricted to allowed addresses.
    pub fn webhook_sender(&self) -> &WebhookSender {
        self.webhook_sender.get_or_init(|| WebhookSender::new(self.egress))
    }

    /// Dispatches an event to the subscribed endpoints. Idempotent: finished deliveries are not
    /// repeated.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; to be repeated.
    pub async fn offer_to_webhooks(
        &self,
        stored: &StoredEvent,
        endpoints: BTreeSet<EndpointId>,
    ) -> Result<()> {
        match &stored.event {
            _ if endpoints.is_empty() => Ok(()),
            Event::Domain(event) if event.event == EventType::CrdtUpdateData => {
                self.debounce(stored, event).await
            }
            event => {
                let context = self.webhooks().context_of(event).await?;
                self.publish(stored, endpoints, context).await
            }
        }
    }

    /// Stores the entry of an event and dispatches it to endpoints; to many of them by one message.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; to be repeated.
    pub async fn publish(
        &self,
        stored: &StoredEvent,
        endpoints: BTreeSet<EndpointId>,
        context: Context,
    ) -> Result<()> {
        let id = message_id(stored)?;
        let task = |endpoint: &EndpointId| WebhookTask::deliver(id.clone(), endpoint.clone());
        let tasks: Vec<WebhookTask> = match endpoints.len() {
            0..=FEW_ENDPOINTS => endpoints.iter().map(task).collect(),
            _ => vec![WebhookTask::Spread { message_id: id.clone(), after: None }],
        };
        self.webhooks().keep_message(stored, &Wanted { endpoints, context }).await?;
        self.send_all(Queue::Deliveries, &tasks, Duration::ZERO).await
    }

    /// The subscribed endpoints of an event, however many. Concurrent events share one read.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn all_subscribers(&self, stored: &StoredEvent) -> Result<BTreeSet<EndpointId>> {
        let _alone = self.alone_at("endpoints").await;
        self.deref().webhooks().all_subscribers(stored).await
    }

    /// Stores the last change of an editor for the debounce time.
    async fn debounce(&self, stored: &StoredEvent, event: &DomainEvent) -> Result<()> {
        let Some(editor) = editor_of(event) else { return Ok(()) };
        for _ in 0..ATTEMPTS {
            let seen = self.webhooks().debounced(&editor).await?;
            let known = seen.as_ref().map(|seen| &seen.entity);
            let is_old =
                |known: &Debounce| (known.event.at, &known.event.id) >= (stored.at, &stored.id);
            let debounce = match known {
                // A duplicate, or superseded.
                Some(known) if is_old(known) => return self.wake_debounced(known).await,
                known => {
                    let since = known.map_or(stored.at, |known| known.since);
                    let until = (stored.at + DEBOUNCE).min(since + LONGEST);
                    Debounce { editor: editor.clone(), event: stored.clone(), since, until }
                }
            };
            let wake = self.waking(Queue::Deliveries, &task(&debounce), debounce.until)?;
            if self.webhooks().write_debounce(seen.as_ref(), &debounce, wake).await? {
                return self.wake_debounced(&debounce).await;
            }
            self.wait(Duration::from_millis(20)).await;
        }
        Err(Error::aborted())
    }

    async fn wake_debounced(&self, debounce: &Debounce) -> Result<()> {
        self.hint(Queue::Deliveries, &task(debounce), debounce.until).await
    }
}

fn task(debounce: &Debounce) -> WebhookTask {
    WebhookTask::Debounced { editor: debounce.editor.clone() }
}

fn editor_of(event: &DomainEvent) -> Option<EditorRef> {
    let editor_id = event.grown.as_ref()?.editor_id.clone();
    let (organization_id, document_id) = (event.organization_id.clone(), event.document_id.clone());
    Some(EditorRef { organization_id, document_id, editor_id })
}
