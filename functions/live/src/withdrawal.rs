//! Withdrawal of what a connection has said: its client and its presence. Each function returns the
//! connections that it found to have ended.

use dialects::{Epoch, Message};
use model::{PresenceStatus, live::LivePart, presence::SentPresence};
use rooms::{ClientState, Live, MAX_DIRECT, Member, Room};
use service::prelude::*;

use crate::{large_room, posting};

/// Withdraws the states of silent connections, except that of the sender.
pub(crate) async fn sweep(
    live: &Live,
    room: &Room,
    members: &[Member],
    sender: &str,
) -> Result<Vec<String>> {
    let now = live.now();
    room.record_sweep();
    let has_spoken = |member: &&Member| member.client.is_some() || member.present;
    let mut ended = vec![];
    let is_lost = |member: &&Member| member.is_silent(now) && member.connection_id != sender;
    for member in members.iter().filter(has_spoken).filter(is_lost) {
        if room.withdraw(member).await? {
            ended.extend(withdraw_among(live, room, member, members).await?);
        }
    }
    Ok(ended)
}

/// Withdraws the state of a connection that has left a place, unless another connection of its user
/// has the same. A large room is notified by the next relay.
pub(crate) async fn withdraw(live: &Live, room: &Room, member: &Member) -> Result<Vec<String>> {
    if member.client.is_none() && !member.present {
        return Ok(vec![]);
    }
    let members = room.members().await?;
    let (Some(client), true) = (member.client, members.len() > MAX_DIRECT) else {
        return withdraw_among(live, room, member, &members).await;
    };
    if is_free(client, member, &members) {
        let states = Epoch::at(member.epoch_start()).gone(client).0.into_iter();
        let state = states.map(|state| ClientState { clock: state.clock, json: state.json }).next();
        let left = Member { state, seen: live.now(), left: true, ..member.clone() };
        room.put(&left).await?;
        large_room::schedule_relay(live, room).await?;
    }
    Ok(vec![])
}

/// Whether no other connection has the client.
fn is_free(client: u64, member: &Member, members: &[Member]) -> bool {
    members
        .iter()
        .all(|other| other.client != Some(client) || other.connection_id == member.connection_id)
}

/// The status that a connection set.
fn said(member: &Member) -> Option<&PresenceStatus> {
    member.status.as_ref().map(|(status, _)| status)
}

async fn withdraw_among(
    live: &Live,
    room: &Room,
    member: &Member,
    members: &[Member],
) -> Result<Vec<String>> {
    let others = members.iter().filter(|other| other.connection_id != member.connection_id);
    let others: Vec<Member> = others.cloned().collect();
    if let LivePart::Events { document_id } = &room.place().part {
        let is_there = |other: &Member| {
            other.present && other.user_id == member.user_id && !other.is_silent(live.now())
        };
        let left = others.iter().filter(|other| is_there(other));
        let presences = room.organization().presence();
        match left.max_by_key(|other| other.status.as_ref().map_or(0, |(_, at)| *at)) {
            _ if !member.present => {}
            None => {
                presences.remove(document_id, std::slice::from_ref(&member.user_id)).await?;
            }
            // The status that an ended connection gave for its user is not true any more.
            Some(other) if said(other) != said(member) => {
                let (user_id, status) = (member.user_id.clone(), said(other).cloned());
                let sent = SentPresence { user_id, name: None, email: None, status, data: None };
                presences.update(document_id, &[sent], room.organization().tenant().now()).await?;
            }
            Some(_) => {}
        }
    }
    match member.client {
        Some(client) if is_free(client, member, members) => {
            let gone = Epoch::at(member.epoch_start()).gone(client).write();
            let gone = [Message::Awareness(gone)];
            Ok(posting::post_messages(live, room.place(), &others, &gone).await)
        }
        _ => Ok(vec![]),
    }
}
