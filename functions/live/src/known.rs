//! Updates that change nothing: peers always send all deletions that they know.

use dialects::{Dialect, Message};
use editing::{Lacking, NOTHING};
use service::{Result, prelude::*};

use crate::{refusal::Refusal, room::Room};

/// Refuses the updates of a reader, unless they change nothing: peers always send all deletions.
/// The service asks a reader for them in Hocuspocus only.
pub(crate) async fn refuse(room: &mut Room<'_>, sent: Vec<(Vec<u8>, bool)>) -> Result<(), Refusal> {
    let mut is_denied = false;
    for (update, is_step_2) in sent {
        let is_known = update == NOTHING
            || (is_step_2
                && room.dialect == Dialect::Hocuspocus
                && only_deletes(&update)
                && room.may_compare()
                && knows(room, &update).await?);
        is_denied |= !is_known;
        room.answer(&Message::Saved(is_known), None);
    }
    if is_denied && room.dialect == Dialect::Y {
        let document = &room.address.document_id;
        let denied = Message::Denied(format!("The user may only read the document {document}."));
        room.answer(&denied, None);
    }
    Ok(())
}

/// Whether an update may be one that changes nothing.
pub(crate) fn only_deletes(update: &[u8]) -> bool {
    update != NOTHING && update.first() == Some(&0)
}

/// Whether an update that only deletes has no new deletions.
pub(crate) async fn knows(room: &Room<'_>, update: &[u8]) -> Result<bool> {
    editing::checked([update.to_vec()]).map_err(|(_, error)| error)?;
    let organization = room.tenant.organization(&room.address.organization_id);
    let editors = organization.editors().of(&room.address.document_id);
    let Some(stored) = editors.find(&room.address.editor_id).await? else { return Ok(false) };
    let mut state = editing::load(&stored)?;
    let all = |state: &_| Lacking::for_peer(state, None).map(|all| all.update);
    let before = all(&state)?;
    state.apply(update)?;
    Ok(before == all(&state)?)
}
