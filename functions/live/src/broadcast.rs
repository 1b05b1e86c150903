//! Messages to the members who have the right to a place, and what follows: subscriptions without it
//! end, and connections that are gone are forgotten.

use dialects::{Message, control};
use rooms::{Live, Member, Room};
use serde_json::Value;
use service::Result;

use crate::{
    audience::{CheckedMembers, check_members},
    departures,
    frames::AddressedFrames,
    lockout::expel,
    posting,
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
    let frames = vec![control(message)];
    let addressed = admitted.iter().map(|member| AddressedFrames {
        connection_id: &member.connection_id,
        frames: frames.clone(),
    });
    departures::forget(live, posting::post_or_close(live, addressed.collect()).await).await
}
