//! The relay of messages in a large room. Messages that come while others are relayed go together:
//! each member gets one frame, whatever their number.

use std::{collections::BTreeSet, time::Duration};

use dialects::{Dialect, Message, merged};
use model::{
    Base64,
    live::{LivePlace, LiveRelay, LiveTask},
};
use rooms::{Live, MAX_DIRECT, Member, Room};
use service::prelude::*;

use crate::{
    broadcast::{CheckedMembers, check_members},
    departures,
    frames::{self, RoomFrames},
    lockout::expel,
    posting::{self, PARALLEL},
    refusal::RefusedConnection,
};

/// Messages of a connection.
struct SentMessages {
    from: String,
    messages: Vec<Message>,
}

impl SentMessages {
    fn read(LiveRelay { from, messages, .. }: LiveRelay) -> Self {
        let read = |message: &Base64| Some(Dialect::Y.read(message.as_ref()).ok()?.message);
        Self { from, messages: messages.iter().filter_map(read).collect() }
    }
}

/// Relays the messages of a member of a large room, as a worker.
pub(crate) async fn relay_messages(job: &Job, relay: LiveRelay) -> Result<()> {
    let (live, room) = (job.live(), &Room::at(job.tenant(), &relay.place));
    let work = |relays| async move {
        let Lost { refused, ended } = relay_all(live, room, relays).await?;
        expel(live, room, refused).await?;
        departures::forget(live, ended).await
    };
    room.relay_together(relay, work).await
}

/// Relays the messages of a member of a large room while the sender waits. What a queue protects is
/// lost anyway when this process ends, which has all connections: they come back and sync.
pub(crate) async fn relay_now(live: &Live, room: &Room, relay: LiveRelay) -> Result<()> {
    let of_all = &live.of_several();
    let work = |relays| async move {
        let Lost { refused, mut ended } = relay_all(of_all, room, relays).await?;
        if refused.len() > MAX_DIRECT {
            // Nobody waits for so many: they get nothing more, and the worker ends them.
            let (place, from) = (room.place().clone(), String::new());
            let nothing = LiveTask::Relay(LiveRelay { place, from, messages: vec![] });
            of_all.send(room.organization().tenant(), &nothing, Duration::ZERO).await?;
        } else {
            expel(of_all, room, refused).await?;
        }
        // Others forget themselves, or are found again.
        ended.truncate(MAX_DIRECT);
        departures::forget(of_all, ended).await
    };
    live.free_of_charge(room.relay_together(relay, work)).await
}

/// Members that a relay did not reach.
struct Lost {
    refused: Vec<RefusedConnection>,
    /// Connections found to have ended.
    ended: Vec<String>,
}

async fn relay_all(live: &Live, room: &Room, relays: Vec<LiveRelay>) -> Result<Lost> {
    let sent: Vec<SentMessages> = relays.into_iter().map(SentMessages::read).collect();
    let members = room.members().await?;
    let CheckedMembers { admitted, refused } = check_members(live, room, members).await?;
    let ended = post_merged(live, room.place(), &admitted, &sent).await;
    Ok(Lost { refused, ended })
}

/// Posts messages of several members to all, as few as do the same; nobody gets its own. Returns the
/// connections found to have ended.
async fn post_merged(
    live: &Live,
    place: &LivePlace,
    members: &[Member],
    sent: &[SentMessages],
) -> Vec<String> {
    let but_of = |own: Option<&str>| {
        let others = sent.iter().filter(|sent| Some(sent.from.as_str()) != own);
        merged(others.flat_map(|sent| sent.messages.clone()).collect(), editing::joined)
    };
    let for_all = but_of(None);
    let froms: BTreeSet<&str> = sent.iter().map(|sent| sent.from.as_str()).collect();
    let (senders, others): (Vec<&Member>, Vec<_>) =
        members.iter().partition(|member| froms.contains(member.connection_id.as_str()));
    let frames = RoomFrames::new(place, &for_all);
    let addressed = others.into_iter().filter_map(|member| frames.for_member(member));
    let mut ended = posting::post_as(live, &for_all, addressed.collect()).await;
    // In chunks, because what is made for one sender alone is shared with nobody.
    for senders in senders.chunks(PARALLEL) {
        let addressed = senders.iter().filter_map(|member| {
            frames::frames_for(place, &but_of(Some(&member.connection_id)), member)
        });
        ended.extend(posting::post_as(live, &for_all, addressed.collect()).await);
    }
    ended
}
