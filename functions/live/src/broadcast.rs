//! Messages to the members who have the right to a place, and what follows: subscriptions without it
//! end, and connections that are gone are forgotten.

use std::sync::Arc;

use dialects::{Message, control};
use rooms::{Live, Member, Room};
use serde_json::Value;
use service::{join_all, prelude::*};

use crate::{
    departures,
    frames::{self, AddressedFrames},
    lockout::expel,
    posting::{self, PARALLEL},
    refusal::{Refusal, RefusedConnection},
};

/// Sends messages of editors.
pub(crate) async fn send_messages(
    live: &Live,
    room: &Room,
    members: Vec<Member>,
    messages: &[Message],
) -> Result<()> {
    let CheckedMembers { admitted, refused } = check_members(live, room, members).await?;
    let ended = posting::post_messages(live, room.place(), &admitted, messages).await;
    expel(live, room, refused).await?;
    departures::forget(live, ended).await
}

/// Sends a message of the events protocol.
pub(crate) async fn send_event(
    live: &Live,
    room: &Room,
    members: Vec<Member>,
    message: &Value,
) -> Result<()> {
    let CheckedMembers { admitted, refused } = check_members(live, room, members).await?;
    expel(live, room, refused).await?;
    let frames = frames::shared(vec![control(message)]);
    let addressed = admitted.iter().map(|member| AddressedFrames {
        connection_id: &member.connection_id,
        frames: Arc::clone(&frames),
    });
    departures::forget(live, posting::post_or_close(live, addressed.collect()).await).await
}

/// The members of a room, by their right to its place.
#[derive(Default)]
pub(crate) struct CheckedMembers {
    pub(crate) admitted: Vec<Member>,
    /// A refusal is a fault if the rights could not be read: a client that misses a needed message
    /// has to reconnect.
    pub(crate) refused: Vec<RefusedConnection>,
}

/// Finding of the check of a member without a refusal.
enum Found {
    Right,
    /// The connection ended while it joined and left its row behind.
    EndedConnection,
}

/// Checks the rights of members to the place of their room.
pub(crate) async fn check_members(
    live: &Live,
    room: &Room,
    members: Vec<Member>,
) -> Result<CheckedMembers> {
    let mut results = vec![];
    // The rights of all are cached at the same time, and so are read again at the same time.
    for members in members.chunks(PARALLEL) {
        let checks = join_all(members.iter().map(|member| check(live, room, member)));
        // Each process reads them: the sender does not pay for how many processes there are.
        results.extend(live.free_of_charge(checks).await);
    }
    let mut checked = CheckedMembers::default();
    for (member, result) in members.into_iter().zip(results) {
        match result {
            Ok(Found::Right) => checked.admitted.push(member),
            Ok(Found::EndedConnection) => {
                room.remove(&member.connection_id).await?;
            }
            Err(refusal) => {
                let connection_id = member.connection_id;
                checked.refused.push(RefusedConnection { connection_id, refusal });
            }
        }
    }
    Ok(checked)
}

async fn check(live: &Live, room: &Room, member: &Member) -> Result<Found, Refusal> {
    let Some(connection) = live.connection(&member.connection_id).await? else {
        return Ok(Found::EndedConnection);
    };
    let tenant = connection.tenant().await.map_err(Refusal::from_token)?;
    connection.role_at(&tenant, room.place()).await?;
    Ok(Found::Right)
}
