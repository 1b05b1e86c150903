//! Users who lose a right: their subscriptions end, or their connections.

use dialects::{Dialect, control};
use model::{
    Millis,
    live::{LivePart, LivePlace},
};
use rooms::{Connection, Live, Protocol, Room};
use serde_json::json;
use service::prelude::*;

use crate::{
    departures, place,
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

/// Ends a subscription; the connection, too, if its token is refused, or it is one of editors without
/// another.
pub(crate) async fn expel_one(live: &Live, room: &Room, id: &str, refusal: Refusal) -> Result<()> {
    let place = room.place();
    let stays = |connection: &Connection| {
        connection.protocol() == Protocol::Events
            || connection.places().iter().any(|other| other != place)
    };
    let connection = live.connection_now(id).await?;
    let connection = connection.filter(|found| refusal.is_of_place() && stays(found));
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
            let denied = refusal.denial();
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

/// Tells the peers of an editor that was deleted, except those who joined a later one.
pub(crate) async fn expel_from_deleted(job: &Job, place: &LivePlace, at: Millis) -> Result<()> {
    let room = Room::at(job.tenant(), place);
    let mut members = room.members().await?;
    members.retain(|member| member.joined <= at);
    let refused = members.into_iter().map(|member| {
        let connection_id = member.connection_id;
        RefusedConnection { connection_id, refusal: Refusal::gone(place) }
    });
    expel(job.live(), &room, refused.collect()).await
}
