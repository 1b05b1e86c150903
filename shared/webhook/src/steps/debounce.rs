//! Changes of an editor become one message, after five seconds without a change or after a minute
//! (contract `deliveries.types`): each change is held, and the last one is released.

use std::time::Duration;

use error::{Error, Result};
use model::{
    Millis,
    event::{DomainEvent, Event},
};
use serde_json::Value;
use store::journal::StoredEvent;

use super::{
    Runtime,
    offer::{all_subscribers, publish},
};
use crate::{
    rows::{Debounce, TenantWebhooks},
    types::{EditorRef, WebhookTask},
};

/// Debounce time of an editor.
const DEBOUNCE: Millis = 5_000;
/// Maximum time between messages under continuous typing.
const LONGEST: Millis = 60_000;
/// Attempts to write a change under contention.
const ATTEMPTS: u32 = 20;

/// The content of an editor in a message (contract `deliveries.body`).
pub enum EditorContent {
    /// The editor was deleted.
    Deleted,
    /// The content is too large or unreadable, so the message goes without it.
    Omitted,
    /// The content, as the message shows it.
    Shown(Value),
}

/// Reads the contents of editors, which another feature stores.
pub trait EditorContents: Send + Sync {
    /// The present content of the editor of an event.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    fn content(&self, event: &DomainEvent) -> impl Future<Output = Result<EditorContent>> + Send;
}

/// Holds the last change of an editor for the debounce time.
pub(super) async fn hold(
    runtime: &impl Runtime,
    stored: &StoredEvent,
    event: &DomainEvent,
) -> Result<()> {
    let Some(editor) = editor_of(event) else { return Ok(()) };
    let webhooks = runtime.tenant().webhooks();
    for _ in 0..ATTEMPTS {
        let seen = webhooks.debounced(&editor).await?;
        let known = seen.as_ref().map(|seen| &seen.entity);
        let is_old =
            |known: &Debounce| (known.event.at, &known.event.id) >= (stored.at, &stored.id);
        let debounce = match known {
            // A duplicate, or superseded.
            Some(known) if is_old(known) => return hint(runtime, known).await,
            known => {
                let since = known.map_or(stored.at, |known| known.since);
                let until = (stored.at + DEBOUNCE).min(since + LONGEST);
                Debounce { editor: editor.clone(), event: stored.clone(), since, until }
            }
        };
        let wake = runtime.wake_for(&task(&debounce), debounce.until)?;
        if webhooks.write_debounce(seen.as_ref(), &debounce, wake).await? {
            return hint(runtime, &debounce).await;
        }
        runtime.wait(Duration::from_millis(20)).await;
    }
    Err(Error::aborted())
}

/// Publishes the last change of an editor with its current content, if the debounce has ended. The
/// entry stored first stays, so that every attempt sends the same body. A process releases an editor
/// once at a time.
pub(super) async fn release(
    runtime: &impl Runtime,
    editors: &impl EditorContents,
    editor: &EditorRef,
) -> Result<()> {
    let _alone = runtime.alone_at(&format!("{editor:?}")).await;
    let webhooks = runtime.tenant().webhooks();
    let Some(seen) = webhooks.debounced(editor).await? else { return Ok(()) };
    if seen.entity.until > runtime.tenant().now() {
        return Ok(());
    }
    let stored = &seen.entity.event;
    let endpoints = all_subscribers(runtime, stored).await?;
    if let Event::Domain(event) = &stored.event
        && !endpoints.is_empty()
    {
        let mut context = webhooks.context_of(&stored.event).await?;
        match editors.content(event).await? {
            EditorContent::Deleted => {}
            EditorContent::Omitted => context.is_partial = true,
            EditorContent::Shown(content) => context.editor = Some(content),
        }
        publish(runtime, stored, endpoints, context).await?;
    }
    webhooks.remove_debounce(&seen).await
}

async fn hint(runtime: &impl Runtime, debounce: &Debounce) -> Result<()> {
    runtime.hint_task(&task(debounce), debounce.until).await
}

fn task(debounce: &Debounce) -> WebhookTask {
    WebhookTask::Debounced { editor: debounce.editor.clone() }
}

fn editor_of(event: &DomainEvent) -> Option<EditorRef> {
    let editor_id = event.grown.as_ref()?.editor_id.clone();
    let (organization_id, document_id) = (event.organization_id.clone(), event.document_id.clone());
    Some(EditorRef { organization_id, document_id, editor_id })
}
