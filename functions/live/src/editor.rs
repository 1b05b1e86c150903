//! Messages about an editor, in either dialect.

use dialects::{Dialect, MAX_SENT_BYTES, Message, Scope};
use editing::Lacking;
use service::{Edits, prelude::*};

use crate::{
    awareness, frames,
    known::{knows, only_deletes, refuse},
    refusal::Refusal,
    room::Room,
};

/// Handles the messages of a frame. Stored updates are relayed even if another message fails.
pub(crate) async fn receive(room: &mut Room<'_>, messages: Vec<Message>) -> Result<(), Refusal> {
    let taken = take(room, messages).await;
    room.finish().await?;
    taken
}

async fn take(room: &mut Room<'_>, messages: Vec<Message>) -> Result<(), Refusal> {
    let (mut updates, mut states) = (vec![], vec![]);
    let (mut is_asking, mut is_pinging, mut is_over) = (false, false, false);
    for message in messages {
        match message {
            Message::Step1(vector) => step_1(room, &vector).await?,
            Message::Step2(update) => updates.push((update, true)),
            Message::Update(update) => updates.push((update, false)),
            Message::Awareness(sent) => states.push(sent),
            Message::QueryAwareness => is_asking = true,
            Message::Stateless(_) => {
                room.join().await?;
                room.tell(message);
            }
            Message::Close(_) => is_over = true,
            Message::Ping => is_pinging = true,
            _ => {}
        }
    }
    store(room, updates).await?;
    if is_asking {
        room.ask().await?;
    }
    if !states.is_empty() {
        room.join().await?;
        awareness::relay(room, &states).await?;
    }
    if is_pinging {
        room.answer(&Message::Pong, None);
    }
    if is_over { Ok(room.leave().await?) } else { Ok(()) }
}

/// Replies with the updates that the peer lacks, and requests those that the service lacks.
async fn step_1(room: &mut Room<'_>, vector: &[u8]) -> Result<(), Refusal> {
    // The row first, then the state: updates written in between reach the row.
    room.join().await?;
    let organization = room.tenant.organization(&room.address.organization_id);
    let editors = organization.editors().of(&room.address.document_id);
    // A reader of y-websocket would send its updates only to have them refused.
    let is_asked = room.scope() == Scope::ReadWrite || room.dialect == Dialect::Hocuspocus;
    if editors.snapshot_bytes(&room.address.editor_id).await? > MAX_SENT_BYTES {
        // The client reads the editor over HTTPS.
        let fetch = frames::fetch(&room.name, Some(vector), is_asked);
        room.answer_frame(fetch);
        return Ok(());
    }
    let lacking = match editors.find(&room.address.editor_id).await? {
        Some(stored) => Lacking::for_peer(&editing::load(&stored)?, Some(vector))?,
        None => Lacking::nothing(),
    };
    room.answer(&Message::Step2(lacking.update), Some(vector));
    if is_asked {
        room.answer(&Message::Step1(lacking.state_vector), None);
    }
    Ok(())
}

/// Stores updates in one write, queues them for the other members, and acknowledges them.
async fn store(room: &mut Room<'_>, sent: Vec<(Vec<u8>, bool)>) -> Result<(), Refusal> {
    if room.scope() == Scope::ReadOnly {
        return refuse(room, sent).await;
    }
    let (mut news, count) = (vec![], sent.len());
    let mut is_compared = false;
    for (update, is_step_2) in sent {
        // One comparison in a frame: it reads the whole editor.
        let compares = is_step_2 && only_deletes(&update) && !is_compared;
        is_compared |= compares;
        if !compares || !knows(room, &update).await? {
            news.push(update);
        }
    }
    let edits = editing::checked(news).map_err(|(_, error)| error)?;
    if !edits.updates.is_empty() {
        let edits = Edits { relayed: true, ..edits };
        let (document, id) = (&room.address.document_id, &room.address.editor_id);
        let organization = room.tenant.organization(&room.address.organization_id);
        let by = room.tenant.end_user().map(|user| &user.user_id);
        let stored = editing::append_or_add(&organization, document, id, &edits, by).await?;
        room.is_stored();
        stored.into_iter().for_each(|update| room.tell(Message::Update(update)));
    }
    (0..count).for_each(|_| room.answer(&Message::Saved(true), None));
    Ok(())
}
