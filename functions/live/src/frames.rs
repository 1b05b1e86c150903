//! Frames to the members of a room, in the dialect of each.

use std::collections::BTreeMap;

use dialects::{Dialect, MAX_SENT_BYTES, Message, control, packed, text};
use model::{Base64, live::LivePlace};
use rooms::{Member, Protocol};
use serde_json::json;

use crate::place::name_of;

/// The dialect of a protocol that editors speak.
pub(crate) fn dialect(protocol: Protocol) -> Option<Dialect> {
    match protocol {
        Protocol::Y => Some(Dialect::Y),
        Protocol::Hocuspocus => Some(Dialect::Hocuspocus),
        Protocol::Events => None,
    }
}

/// A message as a frame; for one that is too large, the order to fetch it.
pub(crate) fn frame(
    dialect: Dialect,
    name: &str,
    message: &Message,
    seen: Option<&[u8]>,
) -> Option<Vec<u8>> {
    let sent = text(&dialect.write(name, message)?);
    if sent.len() <= MAX_SENT_BYTES {
        return Some(sent);
    }
    Some(fetch(name, seen, false))
}

/// Directs a client to read the editor over HTTPS. If it `is_asked`, it then sends what the service
/// lacks.
pub(crate) fn fetch(name: &str, seen: Option<&[u8]>, is_asked: bool) -> Vec<u8> {
    let mut fetch = json!({ "type": "fetch", "document": name });
    if let Some(seen) = seen {
        fetch["stateVector"] = json!(Base64::from(seen.to_vec()));
    }
    if is_asked {
        fetch["asks"] = json!(true);
    }
    control(&fetch)
}

/// A connection id with its frames, in order.
pub(crate) type Addressed<'a> = (&'a str, Vec<Vec<u8>>);

/// Frames of messages in each dialect.
pub(crate) struct Frames(BTreeMap<Dialect, Vec<Vec<u8>>>);

impl Frames {
    pub(crate) fn of(place: &LivePlace, messages: &[Message]) -> Self {
        let name = name_of(place);
        let frames = |dialect| {
            packed(messages.iter().filter_map(|message| frame(dialect, &name, message, None)))
        };
        Self([Dialect::Y, Dialect::Hocuspocus].map(|dialect| (dialect, frames(dialect))).into())
    }

    /// The frames for a member, if its protocol is one of editors.
    pub(crate) fn to<'a>(&self, member: &'a Member) -> Option<Addressed<'a>> {
        Some((&member.connection_id, self.0.get(&dialect(member.protocol)?)?.clone()))
    }
}
