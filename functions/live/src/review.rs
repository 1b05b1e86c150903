//! Connections whose rights may have changed: lost subscriptions end, and editors are told who may
//! write.

use dialects::{Message, Scope};
use editing::Lacking;
use model::{
    live::{LivePart, LivePlace},
    permissions::AccessRole,
};
use rooms::{Live, Member, Room};
use service::{TenantStore, join_all, prelude::*};

use crate::{
    departures,
    lockout::{close, expel_one},
    posting::{self, PARALLEL},
    refusal::Refusal,
};

/// Checks all subscriptions of connections as of now.
///
/// # Errors
/// UNAVAILABLE, INTERNAL when rights could not be read.
pub(crate) async fn review_connections(
    live: &Live,
    tenant: &TenantStore,
    ids: &[String],
) -> Result<()> {
    for ids in ids.chunks(PARALLEL) {
        let checked = join_all(ids.iter().map(|id| reviewed_places(live, id))).await;
        for (id, places) in ids.iter().zip(checked) {
            match places {
                Ok(places) => {
                    for ReviewedPlace { place, role } in places {
                        let room = Room::at(tenant, &place);
                        match role {
                            Ok(role) => tell_scope(live, &room, id, role).await?,
                            Err(refusal) => expel_one(live, &room, id, refusal).await?,
                        }
                    }
                }
                Err(refusal) => close(live, id, refusal.or_fault()?).await?,
            }
        }
    }
    Ok(())
}

/// A subscription, with the role of its user now.
struct ReviewedPlace {
    place: LivePlace,
    role: Result<AccessRole, Refusal>,
}

/// The subscriptions of a connection; or the refusal of its token.
async fn reviewed_places(live: &Live, id: &str) -> Result<Vec<ReviewedPlace>, Refusal> {
    let Some(connection) = live.connection_now(id).await? else { return Ok(vec![]) };
    let tenant = connection.tenant().await.map_err(Refusal::from_token)?;
    let mut reviewed = vec![];
    for place in connection.places() {
        let role = match connection.role_now(&tenant, place).await {
            Ok(role) => Ok(role),
            Err(error) => Err(Refusal::from(error).or_fault()?),
        };
        reviewed.push(ReviewedPlace { place: place.clone(), role });
    }
    Ok(reviewed)
}

/// Tells the connection of an editor that its user may write from now on, or may only read.
async fn tell_scope(live: &Live, room: &Room, id: &str, role: AccessRole) -> Result<()> {
    let LivePart::Editor { document_id, editor_id } = &room.place().part else { return Ok(()) };
    let is_reader = role != AccessRole::Editor;
    let member = room.member(id).await?.filter(|member| member.is_reader != is_reader);
    let Some(member) = member else { return Ok(()) };
    room.note_scope(&member, is_reader).await?;
    let scope = if is_reader { Scope::ReadOnly } else { Scope::ReadWrite };
    let mut messages = vec![Message::Authenticated(scope)];
    if !is_reader {
        // Asks for changes that were refused before: later changes need them.
        let editors = room.organization().editors().of(document_id);
        let lacking = match editors.find(editor_id).await? {
            Some(stored) => Lacking::for_peer(&editing::load(&stored)?, None)?,
            None => Lacking::nothing(),
        };
        messages.push(Message::Step1(lacking.state_vector));
    }
    let members: [Member; 1] = [member];
    departures::forget(live, posting::post_messages(live, room.place(), &members, &messages).await)
        .await
}
