//! Frames to connections, in the dialect of each. The sender learns which connections did not get
//! them, and decides what follows.

use std::collections::BTreeMap;

use dialects::{Dialect, Message, packed};
use model::live::LivePlace;
use rooms::{Live, MAX_DIRECT, Member, PostFailure, Protocol};
use service::join_all;

use crate::place::room_name;

/// Maximum number of concurrent reads for members.
pub(crate) const PARALLEL: usize = MAX_DIRECT;

/// The dialect of a protocol that editors speak.
pub(crate) fn dialect_of(protocol: Protocol) -> Option<Dialect> {
    match protocol {
        Protocol::Y => Some(Dialect::Y),
        Protocol::Hocuspocus => Some(Dialect::Hocuspocus),
        Protocol::Events => None,
    }
}

/// Frames for a connection, in order.
pub(crate) struct AddressedFrames<'a> {
    pub(crate) connection_id: &'a str,
    pub(crate) frames: Vec<Vec<u8>>,
}

/// Frames of messages to an editor's room, in each dialect.
pub(crate) struct RoomFrames(BTreeMap<Dialect, Vec<Vec<u8>>>);

impl RoomFrames {
    pub(crate) fn new(place: &LivePlace, messages: &[Message]) -> Self {
        let name = room_name(place);
        let frames = |dialect: Dialect| {
            let frame = |message| dialect.frame(&name, message, None);
            packed(messages.iter().filter_map(frame))
        };
        Self([Dialect::Y, Dialect::Hocuspocus].map(|dialect| (dialect, frames(dialect))).into())
    }

    /// The frames for a member, if its protocol is one of editors.
    pub(crate) fn for_member<'a>(&self, member: &'a Member) -> Option<AddressedFrames<'a>> {
        let frames = self.0.get(&dialect_of(member.protocol)?)?.clone();
        Some(AddressedFrames { connection_id: &member.connection_id, frames })
    }
}

/// Connections that did not get their frames.
#[derive(Default)]
pub(crate) struct Unreached {
    /// Connections that have ended.
    pub(crate) ended: Vec<String>,
    /// Connections that may get their frames later.
    pub(crate) failed: Vec<String>,
}

/// Posts messages of editors to members; returns the connections found to have ended.
pub(crate) async fn post_messages(
    live: &Live,
    place: &LivePlace,
    members: &[Member],
    messages: &[Message],
) -> Vec<String> {
    let frames = RoomFrames::new(place, messages);
    let addressed = members.iter().filter_map(|member| frames.for_member(member)).collect();
    post_as(live, messages, addressed).await
}

/// Posts frames of messages, which clients may miss if they may miss all of these.
pub(crate) async fn post_as(
    live: &Live,
    messages: &[Message],
    addressed: Vec<AddressedFrames<'_>>,
) -> Vec<String> {
    let is_droppable =
        |message: &Message| matches!(message, Message::Awareness(_) | Message::QueryAwareness);
    match messages.iter().all(is_droppable) {
        true => post_droppable(live, addressed).await,
        false => post_or_close(live, addressed).await,
    }
}

/// Posts frames that clients may miss; returns the connections found to have ended.
pub(crate) async fn post_droppable(
    live: &Live,
    addressed: Vec<AddressedFrames<'_>>,
) -> Vec<String> {
    post(live, addressed).await.ended
}

/// Posts frames; returns the connections found to have ended. If a frame cannot be posted, the
/// connection is closed: the client reconnects and syncs.
pub(crate) async fn post_or_close(live: &Live, addressed: Vec<AddressedFrames<'_>>) -> Vec<String> {
    let Unreached { mut ended, failed } = post(live, addressed).await;
    for id in failed {
        let _ = live.close(&id).await;
        ended.push(id);
    }
    ended
}

/// Posts frames; the frames of a connection in order, until one fails.
pub(crate) async fn post(live: &Live, addressed: Vec<AddressedFrames<'_>>) -> Unreached {
    let mut unreached = Unreached::default();
    for chunk in addressed.chunks(live.posts_at_once()) {
        let posts = chunk.iter().map(|addressed| post_in_order(live, addressed));
        for (addressed, posted) in chunk.iter().zip(join_all(posts).await) {
            let id = || addressed.connection_id.to_owned();
            match posted {
                Ok(()) => {}
                Err(PostFailure::Gone) => unreached.ended.push(id()),
                Err(_) => unreached.failed.push(id()),
            }
        }
    }
    unreached
}

async fn post_in_order(live: &Live, addressed: &AddressedFrames<'_>) -> Result<(), PostFailure> {
    for frame in &addressed.frames {
        live.post(addressed.connection_id, frame.clone()).await?;
    }
    Ok(())
}
