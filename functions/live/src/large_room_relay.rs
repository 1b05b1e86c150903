//! The relay of a large room, a step of the worker.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Millis,
    live::{LivePlace, LiveTask},
};
use rooms::{AllMembers, Keeper, MAX_DIRECT, Member, Room};
use service::prelude::*;

use crate::{
    broadcast::{CheckedMembers, check_members},
    departures,
    large_room::RELAY_DELAY,
    lockout::expel,
    posting,
    states::States,
    withdrawal::sweep,
};

/// Relays the states that changed in a large room, and all states to those who joined or are
/// `behind`; each member gets all but its own. A member that cannot be reached is behind, and is
/// disconnected the second time.
pub(crate) async fn relay(
    job: &Job,
    place: &LivePlace,
    since: Millis,
    behind: BTreeSet<String>,
) -> Result<()> {
    let (live, room, now) = (job.live(), Room::at(job.tenant(), place), job.live().now());
    let AllMembers { members, departed } = room.all_members().await?;
    let mut ended = sweep(live, &room, &members, "").await?;
    let keepers = room.keepers(&contested(&members)).await?;
    let speakers: Vec<Member> = rightful(&members, &keepers).chain(&departed).cloned().collect();
    let CheckedMembers { admitted, refused } = check_members(live, &room, members).await?;
    let needs_all =
        |member: &Member| member.joined >= since || behind.contains(&member.connection_id);
    let current = speakers.iter().filter(|speaker| speaker.left || !speaker.is_silent(now));
    let all = admitted.iter().any(needs_all).then(|| States::new(place, current));
    let changed = States::new(place, speakers.iter().filter(|speaker| speaker.seen >= since));
    let (unknown, refused): (Vec<_>, Vec<_>) =
        refused.into_iter().partition(|refused| refused.refusal.is_fault());
    let mut failed: Vec<String> =
        unknown.into_iter().map(|refused| refused.connection_id).collect();
    // In chunks, because all frames together may take a gigabyte.
    for members in admitted.chunks(MAX_DIRECT) {
        let addressed = members.iter().filter_map(|member| {
            let states = all.as_ref().filter(|_| needs_all(member)).unwrap_or(&changed);
            states.for_member(member)
        });
        let unreached = posting::post(live, addressed.collect()).await;
        ended.extend(unreached.ended);
        failed.extend(unreached.failed);
    }
    let (failed_again, failed_once): (Vec<_>, _) =
        failed.into_iter().partition(|id| behind.contains(id));
    for id in failed_again {
        let _ = live.close(&id).await;
        ended.push(id);
    }
    if !failed_once.is_empty() {
        let behind = failed_once.into_iter().collect();
        let task = LiveTask::Crowd { place: place.clone(), since: now, behind };
        live.send(job.tenant(), &task, RELAY_DELAY).await?;
    }
    for member in &departed {
        room.remove(&member.connection_id).await?;
    }
    expel(live, &room, refused).await?;
    departures::forget(live, ended).await
}

/// Up to 100 clients that connections of two users claim.
fn contested(members: &[Member]) -> BTreeSet<u64> {
    let mut first: BTreeMap<u64, &UserId> = BTreeMap::new();
    let claims = members.iter().flat_map(|member| {
        let clients = [member.owned, member.client].into_iter().flatten();
        clients.map(|client| (client, &member.user_id))
    });
    let seconds = claims.filter_map(|(client, user)| {
        let claimed_by = *first.entry(client).or_insert(user);
        (claimed_by != user).then_some(client)
    });
    seconds.take(100).collect()
}

/// Members without those whose client is another's: the user for whom a client is kept, or else the
/// first user who claimed it, has it, in the newest connection, also after its lease expired. A
/// user who may write comes before one who may only read.
fn rightful<'a>(
    members: &'a [Member],
    keepers: &BTreeMap<u64, Keeper>,
) -> impl Iterator<Item = &'a Member> {
    let mut by_age: Vec<&Member> = members.iter().collect();
    by_age.sort_by_key(|member| (member.is_reader, member.joined));
    let mut owners: BTreeMap<u64, &Member> = BTreeMap::new();
    for member in by_age {
        for client in [member.owned, member.client].into_iter().flatten() {
            let owner = owners.entry(client).or_insert(member);
            let is_kept =
                keepers.get(&client).is_some_and(|keeper| keeper.user_id == member.user_id);
            if is_kept || owner.user_id == member.user_id {
                *owner = member;
            }
        }
    }
    let speaks = owners.into_iter().filter(|(client, owner)| owner.client == Some(*client));
    speaks.map(|(_, owner)| owner)
}
