//! Awareness in large rooms: states are written to the rows of members, and relayed together.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use model::{
    Millis,
    live::{LivePlace, LiveTask},
};
use service::{Job, Listening, Live, Member, Result, TenantStore};

use crate::{audience, gone, lockout::expel, room::Room, states::States};

/// Delay of the relay: longer than a collection window.
const WINDOW: Duration = Duration::from_secs(1);
/// Maximum difference between the clocks of functions, in milliseconds.
const SKEW: Millis = 1_000;
/// Maximum number of writes of one state.
const WRITES: usize = 3;

/// Writes the state of a member of a large room for the next relay, which takes the states of the
/// last second. A slow write may be too late for it, and is repeated.
pub(crate) async fn contribute(room: &Room<'_>, own: &Member) -> Result<()> {
    for _ in 0..WRITES {
        let seen = room.live().now();
        room.listening().note(&Member { seen, ..own.clone() }).await?;
        gather(room.live(), &room.tenant, &room.place).await?;
        if room.live().now().saturating_sub(seen) < SKEW / 2 {
            break;
        }
    }
    Ok(())
}

/// Schedules the relay of a large room.
pub(crate) async fn gather(live: &Live, tenant: &TenantStore, place: &LivePlace) -> Result<()> {
    let since = live.now().saturating_sub(SKEW);
    if !Listening::at(tenant, place).opens_window().await? {
        return Ok(());
    }
    let task = LiveTask::Crowd { place: place.clone(), since, behind: BTreeSet::new() };
    live.send(tenant, &task, WINDOW).await
}

/// Relays the states that changed in a large room, and all states to those who joined or are
/// `behind`; each member gets all but its own. A member that cannot be reached is behind, and is
/// disconnected the second time.
pub(crate) async fn relay(
    job: &Job,
    place: &LivePlace,
    since: Millis,
    behind: BTreeSet<String>,
) -> Result<()> {
    let (live, listening, now) = (job.live(), Listening::at(job, place), job.live().now());
    let (members, left) = listening.members_and_left().await?;
    let mut ended = gone::sweep(live, job, place, &members, "").await?;
    let all: Vec<Member> = rightful(&members).chain(&left).cloned().collect();
    let (members, refused) = audience::admitted(live, job, place, members).await?;
    let needs_all =
        |member: &Member| member.joined >= since || behind.contains(&member.connection_id);
    let there = all.iter().filter(|it| it.left || !it.is_silent(now));
    let there = members.iter().any(needs_all).then(|| States::of(place, there));
    let changed = States::of(place, all.iter().filter(|it| it.seen >= since));
    let (unknown, refused): (Vec<_>, Vec<_>) =
        refused.into_iter().partition(|(_, refusal)| refusal.is_fault());
    let mut failed: Vec<String> = unknown.into_iter().map(|(id, _)| id).collect();
    // In chunks, because all frames together may take a gigabyte.
    for members in members.chunks(audience::MAX_DIRECT) {
        let addressed = members.iter().filter_map(|member| {
            let all = there.as_ref().filter(|_| needs_all(member));
            all.unwrap_or(&changed).to(member)
        });
        let missed = audience::post(live, addressed.collect()).await;
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
        listening.remove(&member.connection_id).await?;
    }
    expel(live, job, place, refused).await?;
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
