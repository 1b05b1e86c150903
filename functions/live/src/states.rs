//! Awareness states of many members, as frames for each of them.

use std::collections::BTreeMap;

use dialects::{Awareness, Dialect, Message, State, packed};
use model::live::LivePlace;
use rooms::Member;

use crate::{
    frames::{Addressed, dialect, frame},
    place::name_of,
};

/// Maximum number of clients in one message: a state has at most 1 KB.
const TOGETHER: usize = 50;

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
    pub(crate) fn of(place: &LivePlace, members: impl Iterator<Item = &'a Member>) -> Self {
        let name = name_of(place);
        let members: Vec<&Member> = members.filter(|it| state(it).is_some()).collect();
        let group = |members: &[&'a Member]| {
            let message = message(members.iter().copied());
            let frame = |dialect| (dialect, frame(dialect, &name, &message, None));
            let frames = [Dialect::Y, Dialect::Hocuspocus].map(frame).into();
            Group { members: members.to_vec(), frames }
        };
        let groups = members.chunks(TOGETHER).map(group).collect();
        Self { name, groups }
    }

    /// The frames for a member, if its protocol is one of editors.
    pub(crate) fn to<'b>(&self, member: &'b Member) -> Option<Addressed<'b>> {
        let dialect = dialect(member.protocol)?;
        let frames = self.groups.iter().filter_map(|group| {
            let is_other = |it: &&&Member| it.connection_id != member.connection_id;
            let others: Vec<&Member> = group.members.iter().filter(is_other).copied().collect();
            match others.len() {
                0 => None,
                all if all == group.members.len() => group.frames.get(&dialect)?.clone(),
                _ => frame(dialect, &self.name, &message(others.into_iter()), None),
            }
        });
        Some((&member.connection_id, packed(frames)))
    }
}

/// The last states of members.
pub(crate) fn messages<'a>(members: impl Iterator<Item = &'a Member>) -> Vec<Message> {
    let members: Vec<&Member> = members.filter(|it| state(it).is_some()).collect();
    members.chunks(TOGETHER).map(|some| message(some.iter().copied())).collect()
}

fn message<'a>(members: impl Iterator<Item = &'a Member>) -> Message {
    Message::Awareness(Awareness(members.filter_map(state).collect()).write())
}

fn state(member: &Member) -> Option<State> {
    let (clock, json) = member.state.clone()?;
    Some(State { client: member.client?, clock, json })
}
