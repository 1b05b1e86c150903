//! The relay of messages in a large room. Messages that come while others are relayed go together:
//! each member gets one frame, whatever their number.

use std::collections::{BTreeMap, BTreeSet};

use dialects::{Dialect, Message, merged};
use model::{
    Base64,
    live::{LivePlace, LiveRelay},
};
use rooms::{Live, Member, Room};
use service::{Job, Result};

use crate::{
    broadcast::{CheckedMembers, check_members},
    departures,
    lockout::expel,
    posting::{self, RoomFrames},
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

/// Relays the messages of a member of a large room.
pub(crate) async fn relay_messages(job: &Job, relay: LiveRelay) -> Result<()> {
    let room = Room::at(job.tenant(), &relay.place);
    room.relay_together(relay, |relays| relay_all(job.live(), &room, relays)).await
}

async fn relay_all(live: &Live, room: &Room, relays: Vec<LiveRelay>) -> Result<()> {
    let sent: Vec<SentMessages> = relays.into_iter().map(SentMessages::read).collect();
    let members = room.members().await?;
    let CheckedMembers { admitted, refused } = check_members(live, room, members).await?;
    let ended = post_merged(live, room.place(), &admitted, &sent).await;
    expel(live, room, refused).await?;
    departures::forget(live, ended).await
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
    let frames = RoomFrames::new(place, &for_all);
    let froms: BTreeSet<&str> = sent.iter().map(|sent| sent.from.as_str()).collect();
    let own = |from: &str| RoomFrames::new(place, &but_of(Some(from)));
    let for_senders: BTreeMap<&str, RoomFrames> =
        froms.into_iter().map(|from| (from, own(from))).collect();
    let addressed = members.iter().filter_map(|member| {
        let own = for_senders.get(member.connection_id.as_str());
        own.unwrap_or(&frames).for_member(member)
    });
    posting::post_as(live, &for_all, addressed.collect()).await
}
