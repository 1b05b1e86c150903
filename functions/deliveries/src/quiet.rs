//! Changes of an editor become one message when no other came for five seconds (siblings 14.6).

use std::time::Duration;

use model::{
    Millis,
    event::{DomainEvent, Event, EventRef},
    ledger::{EditorRef, Quieting, WebhookTask},
};
use service::{Error, Job, Queue, Result, StoredEvent};

use crate::domain::{self, Wanted};

/// How long no other change may come.
const QUIET: Millis = 5_000;
/// Who never stops typing is told of this often.
const LONGEST: Millis = 60_000;
/// How often a change is noted against others.
const ATTEMPTS: u32 = 20;

/// Takes note of a change, to be told when the editor is quiet.
pub(crate) async fn note(job: &Job, stored: &StoredEvent, event: &DomainEvent) -> Result<()> {
    let Some(editor) = editor(event) else { return Ok(()) };
    let wanted = Wanted::of(job, stored, event).await?;
    if !wanted.is_asked_for(job, stored, event).await? {
        return Ok(());
    }
    for _ in 0..ATTEMPTS {
        let seen = job.quieting(&editor).await?;
        let known = seen.as_ref().map(|seen| &seen.entity);
        let is_old = |known: &Quieting| (known.at, &known.event_id) >= (stored.at, &stored.id);
        let quieting = match known {
            // It came before, or a later one did.
            Some(known) if is_old(known) => return hint(job, known).await,
            known => {
                let since = known.map_or(stored.at, |known| known.since);
                let until = (stored.at + QUIET).min(since + LONGEST);
                let (editor, event_id) = (editor.clone(), stored.id.clone());
                Quieting { editor, event_id, at: stored.at, since, until }
            }
        };
        let wake = job.waking(Queue::Webhooks, &task(&quieting), quieting.until)?;
        if job.keep_quieting(seen.as_ref(), &quieting, wake).await? {
            return hint(job, &quieting).await;
        }
        job.wait(Duration::from_millis(20)).await;
    }
    Err(Error::aborted())
}

async fn hint(job: &Job, quieting: &Quieting) -> Result<()> {
    job.hint(Queue::Webhooks, &task(quieting), quieting.until).await
}

fn task(quieting: &Quieting) -> WebhookTask {
    let event_id = quieting.event_id.clone();
    let organization_id = Some(quieting.editor.organization_id.clone());
    let event = EventRef { organization_id, event_id };
    WebhookTask { event, quiet: Some(quieting.editor.clone()), after: None }
}

fn editor(event: &DomainEvent) -> Option<EditorRef> {
    let editor_id = event.grown.as_ref()?.editor_id.clone();
    let (organization_id, document_id) = (event.organization_id.clone(), event.document_id.clone());
    Some(EditorRef { organization_id, document_id, editor_id })
}

/// Tells the last change of an editor, if it is quiet.
pub(crate) async fn release(job: &Job, editor: &EditorRef) -> Result<()> {
    let Some(seen) = job.quieting(editor).await? else { return Ok(()) };
    if seen.entity.until > service::TenantStore::now(job) {
        return Ok(());
    }
    let organization_id = Some(editor.organization_id.clone());
    let event = EventRef { organization_id, event_id: seen.entity.event_id.clone() };
    if let Some(stored) = job.event(&event).await?
        && let Event::Domain(event) = &stored.event
    {
        domain::deliver(job, &stored, event).await?;
    }
    job.forget_quieting(&seen).await
}
