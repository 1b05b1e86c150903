//! Debounces changes of an editor into one message, after five seconds without a change
//! (contract `deliveries.types`).

use model::{event::Event, ledger::EditorRef};
use service::{Job, Result, prelude::*};

use crate::content;

/// Publishes the last change of an editor with its current content, if the debounce has ended. The
/// entry stored first stays, so that every attempt sends the same body.
pub(crate) async fn release(job: &Job, editor: &EditorRef) -> Result<()> {
    let Some(seen) = job.webhooks().debounced(editor).await? else { return Ok(()) };
    if seen.entity.until > service::TenantStore::now(job) {
        return Ok(());
    }
    let stored = &seen.entity.event;
    let endpoints = job.all_subscribers(stored).await?;
    if let Event::Domain(event) = &stored.event
        && !endpoints.is_empty()
    {
        let mut context = job.webhooks().context_of(&stored.event).await?;
        content::add(job, event, &mut context).await?;
        job.publish(stored, endpoints, context).await?;
    }
    job.webhooks().remove_debounce(&seen).await
}
