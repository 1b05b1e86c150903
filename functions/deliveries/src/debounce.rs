//! Changes of an editor become one message when no other came for five seconds (siblings 14.6).

use model::{event::Event, ledger::EditorRef};
use service::{Job, Result};

use crate::content;

/// Publishes the last change of an editor with what the editor holds by now, if its time is over.
/// What was kept first stays, so that every attempt sends the same.
pub(crate) async fn release(job: &Job, editor: &EditorRef) -> Result<()> {
    let Some(seen) = job.debounced(editor).await? else { return Ok(()) };
    if seen.entity.until > service::TenantStore::now(job) {
        return Ok(());
    }
    let stored = &seen.entity.event;
    let endpoints = job.all_listeners(stored).await?;
    if let Event::Domain(event) = &stored.event
        && !endpoints.is_empty()
    {
        let mut context = job.context_of(&stored.event).await?;
        content::add(job, event, &mut context).await?;
        job.publish(stored, endpoints, context).await?;
    }
    job.remove_debounce(&seen).await
}
