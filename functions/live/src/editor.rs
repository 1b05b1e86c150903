//! Messages about an editor, in either dialect.

use dialects::{Dialect, MAX_SENT_BYTES, Message, Scope};
use editing::Lacking;
use service::{Edits, prelude::*};

use crate::{
    awareness, frames,
    known::{knows, only_deletes, refuse},
    refusal::Refusal,
    session::EditorSession,
};

/// Handles the messages of a frame. Stored updates are relayed even if another message fails.
pub(crate) async fn receive(
    session: &mut EditorSession<'_>,
    messages: Vec<Message>,
) -> Result<(), Refusal> {
    let taken = take(session, messages).await;
    session.finish().await?;
    taken
}

async fn take(session: &mut EditorSession<'_>, messages: Vec<Message>) -> Result<(), Refusal> {
    let (mut updates, mut states) = (vec![], vec![]);
    let (mut is_asking, mut is_pinging, mut is_over) = (false, false, false);
    for message in messages {
        match message {
            Message::Step1(vector) => step_1(session, &vector).await?,
            Message::Step2(update) => updates.push((update, true)),
            Message::Update(update) => updates.push((update, false)),
            Message::Awareness(sent) => states.push(sent),
            Message::QueryAwareness => is_asking = true,
            Message::Stateless(_) => {
                session.join().await?;
                session.tell(message);
            }
            Message::Close(_) => is_over = true,
            Message::Ping => is_pinging = true,
            _ => {}
        }
    }
    store(session, updates).await?;
    if is_asking {
        session.ask().await?;
    }
    if !states.is_empty() {
        session.join().await?;
        awareness::relay(session, &states).await?;
    }
    if is_pinging {
        session.answer(&Message::Pong, None);
    }
    if is_over { Ok(session.leave().await?) } else { Ok(()) }
}

/// Replies with the updates that the peer lacks, and requests those that the service lacks.
async fn step_1(session: &mut EditorSession<'_>, vector: &[u8]) -> Result<(), Refusal> {
    // The row first, then the state: updates written in between reach the row.
    session.join().await?;
    let organization = session.tenant.organization(&session.address.organization_id);
    let editors = organization.editors().of(&session.address.document_id);
    // A reader of y-websocket would send its updates only to have them refused.
    let is_asked = session.scope() == Scope::ReadWrite || session.dialect == Dialect::Hocuspocus;
    if editors.snapshot_bytes(&session.address.editor_id).await? > MAX_SENT_BYTES {
        // The client reads the editor over HTTPS.
        let fetch = frames::fetch(&session.name, Some(vector), is_asked);
        session.answer_frame(fetch);
        return Ok(());
    }
    let lacking = match editors.find(&session.address.editor_id).await? {
        Some(stored) => Lacking::of(&editing::load(&stored)?, Some(vector))?,
        None => Lacking::nothing(),
    };
    session.answer(&Message::Step2(lacking.update), Some(vector));
    if is_asked {
        session.answer(&Message::Step1(lacking.state_vector), None);
    }
    Ok(())
}

/// Stores updates in one write, queues them for the other members, and acknowledges them.
async fn store(session: &mut EditorSession<'_>, sent: Vec<(Vec<u8>, bool)>) -> Result<(), Refusal> {
    if session.scope() == Scope::ReadOnly {
        return refuse(session, sent).await;
    }
    let (mut news, count) = (vec![], sent.len());
    let mut is_compared = false;
    for (update, is_step_2) in sent {
        // One comparison in a frame: it reads the whole editor.
        let compares = is_step_2 && only_deletes(&update) && !is_compared;
        is_compared |= compares;
        if !compares || !knows(session, &update).await? {
            news.push(update);
        }
    }
    let edits = editing::checked(news).map_err(|(_, error)| error)?;
    if !edits.updates.is_empty() {
        let edits = Edits { relayed: true, ..edits };
        let (document, id) = (&session.address.document_id, &session.address.editor_id);
        let organization = session.tenant.organization(&session.address.organization_id);
        let by = session.tenant.end_user().map(|user| &user.user_id);
        let stored = editing::append_or_add(&organization, document, id, &edits, by).await?;
        session.is_stored();
        stored.into_iter().for_each(|update| session.tell(Message::Update(update)));
    }
    (0..count).for_each(|_| session.answer(&Message::Saved(true), None));
    Ok(())
}
