//! From an event to the queue of deliveries: the journal's part of webhooks.

use std::{collections::BTreeSet, ops::Deref, time::Duration};

use error::{Error, Result};
use model::{
    EndpointId, Millis,
    event::{DomainEvent, Event, EventType},
    ledger::{Context, EditorRef, WebhookTask},
};
use queue::Queue;
use store::{Debounce, FEW_ENDPOINTS, StoredEvent, Wanted, message_id};
use webhook::Sender as WebhookSender;

use crate::worker::Job;

/// How long no other change of an editor may come (siblings 14.6).
const DEBOUNCE: Millis = 5_000;
/// Who never stops typing makes a message this often.
const LONGEST: Millis = 60_000;
/// How often a change is written against others.
const ATTEMPTS: u32 = 20;

impl Job {
    /// What webhooks are sent with; it reaches the addresses that they may go to.
    pub fn webhook_sender(&self) -> &WebhookSender {
        self.webhook_sender.get_or_init(|| WebhookSender::new(self.egress))
    }

    /// Sends an event to the endpoints that listen to it. May be done again; what has ended by then
    /// is not sent once more.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; it is to be done again.
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
                let context = self.context_of(event).await?;
                self.publish(stored, endpoints, context).await
            }
        }
    }

    /// Keeps an event as the message that it is, and sends it to endpoints; to many of them by one
    /// order.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; it is to be done again.
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
        self.keep_message(stored, &Wanted { endpoints, context }).await?;
        self.send_all(Queue::Deliveries, &tasks, Duration::ZERO).await
    }

    /// The endpoints that listen to an event, however many the tenant has. For events that come
    /// at once they are read once.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn all_listeners(&self, stored: &StoredEvent) -> Result<BTreeSet<EndpointId>> {
        let _alone = self.alone_at("endpoints").await;
        self.deref().all_listeners(stored).await
    }

    /// Keeps the last change of an editor until no other comes for a while.
    async fn debounce(&self, stored: &StoredEvent, event: &DomainEvent) -> Result<()> {
        let Some(editor) = editor_of(event) else { return Ok(()) };
        for _ in 0..ATTEMPTS {
            let seen = self.debounced(&editor).await?;
            let known = seen.as_ref().map(|seen| &seen.entity);
            let is_old =
                |known: &Debounce| (known.event.at, &known.event.id) >= (stored.at, &stored.id);
            let debounce = match known {
                // It came before, or a later one did.
                Some(known) if is_old(known) => return self.wake_debounced(known).await,
                known => {
                    let since = known.map_or(stored.at, |known| known.since);
                    let until = (stored.at + DEBOUNCE).min(since + LONGEST);
                    Debounce { editor: editor.clone(), event: stored.clone(), since, until }
                }
            };
            let wake = self.waking(Queue::Deliveries, &task(&debounce), debounce.until)?;
            if self.write_debounce(seen.as_ref(), &debounce, wake).await? {
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
