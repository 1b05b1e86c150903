//! Awareness states of many members, as frames for each of them.

use std::collections::BTreeMap;

use dialects::{Awareness, Dialect, Message, State, packed};
use model::live::LivePlace;
use rooms::{ClientState, Member};

use crate::{
    frames::{AddressedFrames, dialect_of, shared},
    place::room_name,
};

/// Maximum number of clients in one message: a state has at most 1 KB.
const MAX_CLIENTS: usize = 50;

/// States of members. A message has the states of several; a member gets all messages as they are,
/// but the one with its own state without that.
pub(crate) struct States<'a> {
    name: String,
    groups: Vec<Group<'a>>,
}

struct Group<'a> {
    members: Vec<&'a Member>,
    frames: BTreeMap<Dialect, Option<Vec<u8>>>,
}

impl<'a> States<'a> {
    pub(crate) fn new(place: &LivePlace, members: impl Iterator<Item = &'a Member>) -> Self {
        let name = room_name(place);
        let members: Vec<&Member> = members.filter(|member| state_of(member).is_some()).collect();
        let group = |members: &[&'a Member]| {
            let message = awareness_message(members.iter().copied());
            let frame = |dialect: Dialect| (dialect, dialect.frame(&name, &message, None));
            let frames = [Dialect::Y, Dialect::Hocuspocus].map(frame).into();
            Group { members: members.to_vec(), frames }
        };
        let groups = members.chunks(MAX_CLIENTS).map(group).collect();
        Self { name, groups }
    }

    /// The frames for a member, if its protocol is one of editors.
    pub(crate) fn for_member<'b>(&self, member: &'b Member) -> Option<AddressedFrames<'b>> {
        let dialect = dialect_of(member.protocol)?;
        let frames = self.groups.iter().filter_map(|group| {
            let is_other = |other: &&&Member| other.connection_id != member.connection_id;
            let others: Vec<&Member> = group.members.iter().filter(is_other).copied().collect();
            match others.len() {
                0 => None,
                all if all == group.members.len() => group.frames.get(&dialect)?.clone(),
                _ => {
                    let message = awareness_message(others.into_iter());
                    dialect.frame(&self.name, &message, None)
                }
            }
        });
        let frames = shared(packed(frames));
        Some(AddressedFrames { connection_id: &member.connection_id, frames })
    }
}

/// Messages with the last states of members.
pub(crate) fn state_messages<'a>(members: impl Iterator<Item = &'a Member>) -> Vec<Message> {
    let members: Vec<&Member> = members.filter(|member| state_of(member).is_some()).collect();
    members.chunks(MAX_CLIENTS).map(|part| awareness_message(part.iter().copied())).collect()
}

fn awareness_message<'a>(members: impl Iterator<Item = &'a Member>) -> Message {
    Message::Awareness(Awareness(members.filter_map(state_of).collect()).write())
}

fn state_of(member: &Member) -> Option<State> {
    let ClientState { clock, json } = member.state.clone()?;
    Some(State { client: member.client?, clock, json })
}
