//! Messages about an editor, in either dialect.

use dialects::{Dialect, MAX_SENT_BYTES, Message, Scope};
use editing::Lacking;
use service::prelude::*;

use crate::{
    appending::{of_editor, store_updates},
    awareness,
    refusal::Refusal,
    session::EditorSession,
    unchanged::SentUpdate,
};

/// Handles the messages of a frame. Stored updates are relayed even if another message fails.
pub(crate) async fn receive(
    session: &mut EditorSession<'_>,
    messages: Vec<Message>,
) -> Result<(), Refusal> {
    let handled = handle(session, messages).await;
    session.send_queued().await?;
    handled
}

async fn handle(session: &mut EditorSession<'_>, messages: Vec<Message>) -> Result<(), Refusal> {
    let (mut updates, mut states) = (vec![], vec![]);
    let (mut is_asking, mut is_pinging, mut is_over) = (false, false, false);
    for message in messages {
        match message {
            Message::Step1(vector) => answer_step_1(session, &vector).await?,
            Message::Step2(bytes) => updates.push(SentUpdate { bytes, is_step_2: true }),
            Message::Update(bytes) => updates.push(SentUpdate { bytes, is_step_2: false }),
            Message::Awareness(sent) => states.push(sent),
            Message::QueryAwareness => is_asking = true,
            Message::Stateless(_) => {
                session.join().await?;
                session.queue_for_others(message);
            }
            Message::Close(_) => is_over = true,
            Message::Ping => is_pinging = true,
            _ => {}
        }
    }
    store_updates(session, updates).await?;
    if is_asking {
        session.ask_for_states().await?;
    }
    if !states.is_empty() {
        session.join().await?;
        awareness::relay(session, &states).await?;
    }
    if is_pinging {
        session.queue_for_sender(&Message::Pong, None);
    }
    if is_over { Ok(session.leave().await?) } else { Ok(()) }
}

/// Replies with the updates that the peer lacks, and requests those that the service lacks.
async fn answer_step_1(session: &mut EditorSession<'_>, vector: &[u8]) -> Result<(), Refusal> {
    // The row first, then the state: updates written in between reach the row.
    let unread = session.join_to_read().await?;
    let organization = session.tenant.organization(&session.address.organization_id);
    let editors = organization.editors().of(&session.address.document_id);
    // A reader of y-websocket would send its updates only to have them refused.
    let is_asked = session.scope() == Scope::ReadWrite || session.dialect == Dialect::Hocuspocus;
    let clients = editing::clients_in(vector)?;
    let bytes = editors.snapshot_bytes_for(&session.address.editor_id, &clients).await;
    let bytes = bytes.map_err(|error| of_editor(session, error))?;
    // Not before it is known that the peer has nothing of a deleted editor.
    if let Some(own) = unread {
        session.room.note_read(&own).await?;
    }
    if bytes > MAX_SENT_BYTES {
        // The client reads the editor over HTTPS.
        let fetch = dialects::fetch(&session.name, Some(vector), is_asked);
        session.queue_frame_for_sender(fetch);
        return Ok(());
    }
    let lacking = match editors.find(&session.address.editor_id).await? {
        Some(stored) => Lacking::for_peer(&editing::load(&stored)?, Some(vector))?,
        None => Lacking::nothing(),
    };
    session.queue_for_sender(&Message::Step2(lacking.update), Some(vector));
    if is_asked {
        session.queue_for_sender(&Message::Step1(lacking.state_vector), None);
    }
    Ok(())
}
