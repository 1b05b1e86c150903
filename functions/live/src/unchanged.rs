//! Updates that change nothing: peers always send all deletions that they know.

use dialects::{Dialect, Message};
use editing::{Lacking, NOTHING};
use service::prelude::*;

use crate::{change::Change, refusal::Refusal, session::EditorSession};

/// An update that a client has sent.
pub(crate) struct SentUpdate {
    pub(crate) bytes: Vec<u8>,
    /// Whether it is a sync step 2.
    pub(crate) is_step_2: bool,
}

/// Refuses the updates of a reader, unless they change nothing: peers always send all deletions.
/// The service asks a reader for them in Hocuspocus only.
pub(crate) async fn refuse_updates(
    session: &mut EditorSession<'_>,
    sent: Vec<SentUpdate>,
) -> Result<(), Refusal> {
    let mut is_denied = false;
    for SentUpdate { bytes, is_step_2 } in sent {
        let compares = is_step_2
            && session.dialect == Dialect::Hocuspocus
            && only_deletes(&bytes)
            && session.may_compare();
        let is_known = bytes == NOTHING
            || (compares && changes_nothing(session, &Change::read(bytes, is_step_2)).await?);
        is_denied |= !is_known;
        session.queue_for_sender(&Message::Saved(is_known), None);
    }
    if is_denied && session.dialect == Dialect::Y {
        let document = &session.address.document_id;
        let denied = Message::Denied(format!("The user may only read the document {document}."));
        session.queue_for_sender(&denied, None);
    }
    Ok(())
}

/// Whether an update may be one that changes nothing.
pub(crate) fn only_deletes(update: &[u8]) -> bool {
    update != NOTHING && update.first() == Some(&0)
}

/// Whether an update that only deletes has no new deletions. An unreadable one has some.
pub(crate) async fn changes_nothing(session: &EditorSession<'_>, change: &Change) -> Result<bool> {
    let [update] = change.edits.updates.as_slice() else { return Ok(false) };
    let organization = session.tenant.organization(&session.address.organization_id);
    let editors = organization.editors().of(&session.address.document_id);
    let Some(stored) = editors.find(&session.address.editor_id).await? else { return Ok(false) };
    let mut state = editing::load(&stored)?;
    let all = |state: &_| Lacking::for_peer(state, None).map(|all| all.update);
    let before = all(&state)?;
    state.apply(update)?;
    Ok(before == all(&state)?)
}
