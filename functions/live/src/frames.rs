//! Frames for connections, in the dialect of each.

use std::{collections::BTreeMap, sync::Arc};

use dialects::{Dialect, Message, packed};
use model::live::LivePlace;
use rooms::{Member, Protocol};

use crate::place::room_name;

/// The dialect of a protocol that editors speak.
pub(crate) fn dialect_of(protocol: Protocol) -> Option<Dialect> {
    match protocol {
        Protocol::Y => Some(Dialect::Y),
        Protocol::Hocuspocus => Some(Dialect::Hocuspocus),
        Protocol::Events => None,
    }
}

/// Frames, in order. Connections share them.
pub(crate) type Frames = Arc<[Arc<str>]>;

/// Frames as they are posted.
pub(crate) fn shared(frames: Vec<Vec<u8>>) -> Frames {
    let text = |frame: Vec<u8>| match String::from_utf8(frame) {
        Ok(text) => text.into(),
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into(),
    };
    frames.into_iter().map(text).collect()
}

/// Frames for a connection, in order.
pub(crate) struct AddressedFrames<'a> {
    pub(crate) connection_id: &'a str,
    pub(crate) frames: Frames,
}

/// Frames of messages to an editor's room, in each dialect.
pub(crate) struct RoomFrames(BTreeMap<Dialect, Frames>);

/// Frames of messages to an editor's room in a dialect.
fn room_frames(place: &LivePlace, messages: &[Message], dialect: Dialect) -> Frames {
    let name = room_name(place);
    let frames = messages.iter().filter_map(|message| dialect.frame(&name, message, None));
    shared(packed(frames))
}

/// Frames of messages for one member, if its protocol is one of editors.
pub(crate) fn frames_for<'a>(
    place: &LivePlace,
    messages: &[Message],
    member: &'a Member,
) -> Option<AddressedFrames<'a>> {
    let frames = room_frames(place, messages, dialect_of(member.protocol)?);
    Some(AddressedFrames { connection_id: &member.connection_id, frames })
}

impl RoomFrames {
    pub(crate) fn new(place: &LivePlace, messages: &[Message]) -> Self {
        let frames = |dialect| (dialect, room_frames(place, messages, dialect));
        Self([Dialect::Y, Dialect::Hocuspocus].map(frames).into())
    }

    /// The frames for a member, if its protocol is one of editors.
    pub(crate) fn for_member<'a>(&self, member: &'a Member) -> Option<AddressedFrames<'a>> {
        let frames = self.0.get(&dialect_of(member.protocol)?)?.clone();
        Some(AddressedFrames { connection_id: &member.connection_id, frames })
    }
}
