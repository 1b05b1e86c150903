//! The relay of a large room, a step of the worker.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Millis,
    live::{LivePlace, LiveTask},
};
use rooms::{MAX_DIRECT, Member, Room};
use service::{Job, Result};

use crate::{
    audience, gone, large_room::WINDOW, lockout::expel, posting, states::States, withdrawal::sweep,
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
    let (live, room, now) = (job.live(), Room::at(job, place), job.live().now());
    let (members, left) = room.members_and_left().await?;
    let mut ended = sweep(live, &room, &members, "").await?;
    let all: Vec<Member> = rightful(&members).chain(&left).cloned().collect();
    let (members, refused) = audience::admitted(live, &room, members).await?;
    let needs_all =
        |member: &Member| member.joined >= since || behind.contains(&member.connection_id);
    let there = all.iter().filter(|it| it.left || !it.is_silent(now));
    let there = members.iter().any(needs_all).then(|| States::of(place, there));
    let changed = States::of(place, all.iter().filter(|it| it.seen >= since));
    let (unknown, refused): (Vec<_>, Vec<_>) =
        refused.into_iter().partition(|(_, refusal)| refusal.is_fault());
    let mut failed: Vec<String> = unknown.into_iter().map(|(id, _)| id).collect();
    // In chunks, because all frames together may take a gigabyte.
    for members in members.chunks(MAX_DIRECT) {
        let addressed = members.iter().filter_map(|member| {
            let all = there.as_ref().filter(|_| needs_all(member));
            all.unwrap_or(&changed).to(member)
        });
        let missed = posting::post(live, addressed.collect()).await;
        ended.extend(missed.ended);
        failed.extend(missed.failed);
    }
    let (again, first): (Vec<_>, _) = failed.into_iter().partition(|id| behind.contains(id));
    for id in again {
        let _ = live.close(&id).await;
        ended.push(id);
    }
    if !first.is_empty() {
        let behind = first.into_iter().collect();
        let task = LiveTask::Crowd { place: place.clone(), since: now, behind };
        live.send(job, &task, WINDOW).await?;
    }
    for member in &left {
        room.remove(&member.connection_id).await?;
    }
    expel(live, &room, refused).await?;
    gone::forget(live, ended).await
}

/// Members without those whose client is another's: the first user who claimed a client has it, in
/// the newest connection, also after its lease expired.
fn rightful(members: &[Member]) -> impl Iterator<Item = &Member> {
    let mut by_age: Vec<&Member> = members.iter().collect();
    by_age.sort_by_key(|member| member.joined);
    let mut owners: BTreeMap<u64, &Member> = BTreeMap::new();
    for member in by_age {
        for client in [member.owned, member.client].into_iter().flatten() {
            let owner = owners.entry(client).or_insert(member);
            if owner.user_id == member.user_id {
                *owner = member;
            }
        }
    }
    owners.into_iter().filter(|(client, it)| it.client == Some(*client)).map(|(_, it)| it)
}
