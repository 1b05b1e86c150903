//! Users who lose a right: their subscriptions end, or their connections.

use dialects::{Dialect, Message, control};
use model::live::{LivePart, LivePlace};
use rooms::{Connection, Live, Protocol, Room};
use serde_json::json;
use service::{Result, TenantStore, join_all};

use crate::{
    departures, place,
    posting::PARALLEL,
    refusal::{Refusal, RefusedConnection},
};

/// Sends a connection its refusal, closes it and deletes its rows.
///
/// # Errors
/// A fault of the service, for the log.
pub(crate) async fn close(live: &Live, id: &str, refusal: Refusal) -> Result<()> {
    // A connection that has ended needs no reason.
    let _ = live.post(id, refusal.frame()).await;
    let _ = live.close(id).await;
    departures::forget(live, vec![id.to_owned()]).await?;
    refusal.or_fault().map(drop)
}

/// Ends the subscriptions of connections to a place, each with its refusal.
pub(crate) async fn expel(live: &Live, room: &Room, refused: Vec<RefusedConnection>) -> Result<()> {
    for RefusedConnection { connection_id, refusal } in refused {
        expel_one(live, room, &connection_id, refusal).await?;
    }
    Ok(())
}

/// Ends a subscription; the connection, too, if it has no other, or its token is refused.
pub(crate) async fn expel_one(live: &Live, room: &Room, id: &str, refusal: Refusal) -> Result<()> {
    let place = room.place();
    let has_others =
        |connection: &Connection| connection.places().iter().any(|other| other != place);
    let connection = live.connection_now(id).await?;
    let connection = connection.filter(|found| refusal.is_of_place() && has_others(found));
    let frame = connection.as_ref().and_then(|found| end_notice(found.protocol(), place, &refusal));
    match (connection, frame) {
        (Some(connection), Some(frame)) => {
            // A connection that has ended needs no notice.
            let _ = live.post(id, frame).await;
            departures::leave(live, room, &connection).await
        }
        _ => close(live, id, refusal.for_another()).await,
    }
}

/// The notice that a subscription has ended.
fn end_notice(protocol: Protocol, place: &LivePlace, refusal: &Refusal) -> Option<Vec<u8>> {
    let message = &refusal.reason;
    match protocol {
        Protocol::Y => None,
        Protocol::Hocuspocus => {
            let denied = Message::Denied(message.clone());
            Some(dialects::text(&Dialect::Hocuspocus.write(&place::room_name(place), &denied)?))
        }
        Protocol::Events => {
            let mut notice = json!({
                "type": "unsubscribed", "organizationId": place.organization_id,
                "code": refusal.status().as_str(), "message": message,
            });
            match &place.part {
                LivePart::User { .. } => notice["me"] = json!(true),
                part => notice["documentId"] = json!(part.document()),
            }
            Some(control(&notice))
        }
    }
}

/// Checks all subscriptions of connections as of now, and ends those whose users lost the right.
///
/// # Errors
/// UNAVAILABLE, INTERNAL when rights could not be read.
pub(crate) async fn end_lost_subscriptions(
    live: &Live,
    tenant: &TenantStore,
    ids: &[String],
) -> Result<()> {
    for ids in ids.chunks(PARALLEL) {
        let checked = join_all(ids.iter().map(|id| lost_places(live, id))).await;
        for (id, lost) in ids.iter().zip(checked) {
            match lost {
                Ok(lost) => {
                    for LostPlace { place, refusal } in lost {
                        expel_one(live, &Room::at(tenant, &place), id, refusal).await?;
                    }
                }
                Err(refusal) => close(live, id, refusal.or_fault()?).await?,
            }
        }
    }
    Ok(())
}

/// A place to which a user has lost the right.
struct LostPlace {
    place: LivePlace,
    refusal: Refusal,
}

/// The subscriptions of a connection to which its user has no right now; or the refusal of its
/// token.
async fn lost_places(live: &Live, id: &str) -> Result<Vec<LostPlace>, Refusal> {
    let Some(connection) = live.connection_now(id).await? else { return Ok(vec![]) };
    let tenant = connection.tenant().await.map_err(Refusal::from_token)?;
    let mut lost = vec![];
    for place in connection.places() {
        if let Err(error) = connection.role_now(&tenant, place).await {
            let refusal = Refusal::from(error).or_fault()?;
            lost.push(LostPlace { place: place.clone(), refusal });
        }
    }
    Ok(lost)
}
