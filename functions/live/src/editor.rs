//! What a connection says about an editor, in either dialect.

use dialects::{Dialect, Message, Scope};
use editing::Lacking;
use service::{Edits, Result};

use crate::{awareness, refusal::Refusal, room::Room};

/// Takes a message.
pub(crate) async fn receive(room: &mut Room<'_>, message: Message) -> Result<(), Refusal> {
    match message {
        Message::Step1(vector) => step_1(room, &vector).await,
        Message::Step2(update) => update_with(room, update, true).await,
        Message::Update(update) => update_with(room, update, false).await,
        Message::Awareness(states) => {
            room.join().await?;
            Ok(awareness::relay(room, &states).await?)
        }
        Message::QueryAwareness | Message::Stateless(_) => {
            room.join().await?;
            Ok(room.tell_others(room.others().await?, message).await?)
        }
        Message::Close(_) => Ok(room.leave().await?),
        Message::Ping => Ok(room.answer(&Message::Pong, None).await?),
        _ => Ok(()),
    }
}

/// Answers with what the peer lacks, and asks it for what is lacking here.
async fn step_1(room: &mut Room<'_>, vector: &[u8]) -> Result<(), Refusal> {
    // The row first, then the state: what others write in between comes by the row.
    room.join().await?;
    let organization = room.tenant.organization(&room.address.organization_id);
    let editors = organization.editors(&room.address.document_id);
    let lacking = match editors.find(&room.address.editor_id).await? {
        Some(stored) => Lacking::of(&editing::load(&stored)?, Some(vector))?,
        None => Lacking::nothing(),
    };
    room.answer(&Message::Step2(lacking.update), Some(vector)).await?;
    // A reader of y-websocket would only be told that it may not say what it has.
    if room.scope() == Scope::ReadWrite || room.dialect == Dialect::Hocuspocus {
        room.answer(&Message::Step1(lacking.state_vector), None).await?;
    }
    Ok(())
}

/// Stores what the peer sent, tells others of it, and then says so.
async fn update_with(room: &mut Room<'_>, update: Vec<u8>, is_step_2: bool) -> Result<(), Refusal> {
    let edits = editing::checked([update.clone()]).map_err(|(_, error)| error)?;
    if edits.updates.is_empty() || (is_step_2 && knows(room, &update).await?) {
        return Ok(room.answer(&Message::Saved(true), None).await?);
    }
    let (document, id) = (&room.address.document_id, &room.address.editor_id);
    if room.scope() == Scope::ReadOnly {
        let denied = match room.dialect {
            Dialect::Y => {
                Message::Denied(format!("The user may only read the document {document}."))
            }
            Dialect::Hocuspocus => Message::Saved(false),
        };
        return Ok(room.answer(&denied, None).await?);
    }
    let organization = room.tenant.organization(&room.address.organization_id);
    let edits = Edits { told: true, ..edits };
    let by = room.tenant.end_user().map(|user| &user.user_id);
    editing::append_or_add(&organization, document, id, &edits, by).await?;
    let message = Message::Update(update);
    match room.others().await {
        Ok(others) => room.tell_others(others, message).await?,
        // It is stored, so it has to be told.
        Err(_) => room.relay(&message).await?,
    }
    Ok(room.answer(&Message::Saved(true), None).await?)
}

/// Whether an update that only deletes says nothing new: peers always say all they know deleted.
async fn knows(room: &Room<'_>, update: &[u8]) -> Result<bool> {
    if update.first() != Some(&0) {
        return Ok(false);
    }
    let organization = room.tenant.organization(&room.address.organization_id);
    let editors = organization.editors(&room.address.document_id);
    let Some(stored) = editors.find(&room.address.editor_id).await? else { return Ok(false) };
    let mut state = editing::load(&stored)?;
    let all = |state: &_| Lacking::of(state, None).map(|all| all.update);
    let before = all(&state)?;
    state.apply(update)?;
    Ok(before == all(&state)?)
}
