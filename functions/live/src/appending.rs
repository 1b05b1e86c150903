//! Updates that are appended to an editor, and the answer to each: a refusal names its change, and
//! what comes with it or after it is stored.

use std::collections::BTreeSet;

use dialects::{Close, Dialect, Message, Scope};
use editing::Writer;
use service::{Status, prelude::*, store::editors::Edits};

use crate::{
    change::{Change, Refused},
    refusal::Refusal,
    session::EditorSession,
    unchanged::{SentUpdate, changes_nothing, only_deletes, refuse_updates},
};

/// Stores updates, as a rule in one write, queues them for the other members, and acknowledges each.
pub(crate) async fn store_updates(
    session: &mut EditorSession<'_>,
    sent: Vec<SentUpdate>,
) -> Result<(), Refusal> {
    if session.scope() == Scope::ReadOnly {
        return refuse_updates(session, sent).await;
    }
    let mut changes = vec![];
    let mut is_compared = false;
    for SentUpdate { bytes, is_step_2 } in sent {
        // One comparison in a frame: it reads the whole editor.
        let compares = is_step_2 && only_deletes(&bytes) && !is_compared;
        is_compared |= compares;
        let change = Change::read(bytes, is_step_2);
        let is_known = compares && changes_nothing(session, &change).await?;
        changes.push(if is_known { Change::known(is_step_2) } else { change });
    }
    if let Err(refusal) = append_all(session, &mut changes).await {
        if refusal.is_gone() {
            changes.iter().for_each(|_| session.queue_for_sender(&Message::Saved(false), None));
        }
        return Err(refusal);
    }
    for change in &changes {
        let refusal = change.refused.as_ref().map(|refused| refused.refusal.unsaved());
        session.queue_for_sender(&refusal.unwrap_or(Message::Saved(true)), None);
    }
    let refused = changes.into_iter().filter_map(|change| change.refused);
    match (refused.max_by_key(|refused| refused.closes), session.dialect) {
        // Nothing else would tell the client.
        (Some(Refused { refusal, closes: true }), Dialect::Y) => Err(refusal),
        (Some(Refused { refusal, closes: false }), Dialect::Y) => {
            session.queue_for_sender(&Message::Denied(refusal.reason), None);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Appends updates in one write, or if that is refused each on its own.
async fn append_all(
    session: &mut EditorSession<'_>,
    changes: &mut [Change],
) -> Result<(), Refusal> {
    let mut news: Vec<&mut Change> = changes.iter_mut().filter(|change| change.brings()).collect();
    if news.is_empty() {
        return Ok(());
    }
    let Err(error) = append(session, &mut news).await else { return Ok(()) };
    if !is_of_change(&error) {
        return Err(of_editor(session, error));
    }
    if let [only] = news.as_mut_slice() {
        only.refuse(error, true);
        return Ok(());
    }
    for change in news {
        // One is paid for.
        session.charge().await?;
        match append(session, &mut [&mut *change]).await {
            Err(error) if is_of_change(&error) => change.refuse(error, true),
            appended => appended.map_err(|error| of_editor(session, error))?,
        }
    }
    Ok(())
}

/// Appends updates in one write. Structs under clients of other users are left out, and the updates
/// that have them refused.
async fn append(session: &mut EditorSession<'_>, news: &mut [&mut Change]) -> Result<(), Error> {
    let mut edits = Edits { relayed: true, ..Edits::default() };
    news.iter().for_each(|change| edits.extend(change.edits.clone()));
    let (document, id) = (&session.address.document_id, &session.address.editor_id);
    let organization = session.tenant.organization(&session.address.organization_id);
    let user = session.tenant.end_user().map(|user| &user.user_id);
    let by = Writer { user, connection: Some(session.connection()) };
    let appended = editing::append_or_add(&organization, document, id, &edits, by).await?;
    for change in news {
        let clients: BTreeSet<u64> = change.edits.clients.keys().copied().collect();
        if let Some(error) = appended.refusal(clients.iter()) {
            // Who compares has what others wrote; who writes under such a client has to know it.
            let closes = !change.is_step_2 && clients.is_subset(&appended.foreign);
            change.refuse(error, closes);
        }
    }
    session.forget_members();
    for update in appended.updates {
        session.queue_for_others(Message::Update(update));
    }
    Ok(())
}

/// Whether an error is about the change, and not about the right to make changes.
fn is_of_change(error: &Error) -> bool {
    matches!(error.status, Status::InvalidArgument | Status::ResourceExhausted)
}

/// The refusal of what is of a deleted editor, or lacks others.
pub(crate) fn of_editor(session: &EditorSession<'_>, error: Error) -> Refusal {
    match error.status {
        Status::NotFound => Refusal::gone(session.room.place()),
        // The client comes back with all it has.
        Status::Aborted => Refusal::new(Close::Unavailable, error.message),
        _ => error.into(),
    }
}
