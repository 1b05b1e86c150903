//! Frames to the members of a room, in the dialect of each.

use std::collections::BTreeMap;

use dialects::{Dialect, MAX_SENT_BYTES, Message, control, packed, text};
use model::{Base64, live::LivePlace};
use rooms::{Member, Protocol};
use serde_json::json;

use crate::place::room_name;

/// The dialect of a protocol that editors speak.
pub(crate) fn dialect_of(protocol: Protocol) -> Option<Dialect> {
    match protocol {
        Protocol::Y => Some(Dialect::Y),
        Protocol::Hocuspocus => Some(Dialect::Hocuspocus),
        Protocol::Events => None,
    }
}

/// A message as a frame; for one that is too large, the order to fetch it.
pub(crate) fn message_frame(
    dialect: Dialect,
    room_name: &str,
    message: &Message,
    state_vector: Option<&[u8]>,
) -> Option<Vec<u8>> {
    let sent = text(&dialect.write(room_name, message)?);
    if sent.len() <= MAX_SENT_BYTES {
        return Some(sent);
    }
    Some(fetch_frame(room_name, state_vector, false))
}

/// A frame that directs a client to read the editor over HTTPS. If it `is_asked`, it then sends what
/// the service lacks.
pub(crate) fn fetch_frame(room_name: &str, state_vector: Option<&[u8]>, is_asked: bool) -> Vec<u8> {
    let mut fetch = json!({ "type": "fetch", "document": room_name });
    if let Some(state_vector) = state_vector {
        fetch["stateVector"] = json!(Base64::from(state_vector.to_vec()));
    }
    if is_asked {
        fetch["asks"] = json!(true);
    }
    control(&fetch)
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
        let frames = |dialect| {
            let frame = |message| message_frame(dialect, &name, message, None);
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
