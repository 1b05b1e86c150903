//! Messages to the members who have the right to a place, and what follows: subscriptions without it
//! end, and connections that are gone are forgotten.

use dialects::{Message, control};
use rooms::{Live, Member, Room};
use serde_json::Value;
use service::Result;

use crate::{audience::admitted, gone, lockout::expel, posting};

/// Sends messages of editors.
pub(crate) async fn send_messages(
    live: &Live,
    room: &Room,
    members: Vec<Member>,
    messages: &[Message],
) -> Result<()> {
    let (members, refused) = admitted(live, room, members).await?;
    let ended = posting::post_messages(live, room.place(), &members, messages).await;
    expel(live, room, refused).await?;
    gone::forget(live, ended).await
}

/// Sends a message of the events protocol.
pub(crate) async fn send_event(
    live: &Live,
    room: &Room,
    members: Vec<Member>,
    message: &Value,
) -> Result<()> {
    let (members, refused) = admitted(live, room, members).await?;
    expel(live, room, refused).await?;
    let frame = control(message);
    let addressed =
        members.iter().map(|it| (it.connection_id.as_str(), vec![frame.clone()])).collect();
    gone::forget(live, posting::post_or_close(live, addressed, true).await).await
}
