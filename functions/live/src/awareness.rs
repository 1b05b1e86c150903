//! Awareness: states of clients, such as cursors. States are relayed. The row of a connection has its
//! client and one state, for newcomers and to withdraw a silent client.

use std::time::Duration;

use dialects::{Awareness, Epoch, Message, State};
use model::{
    Millis,
    live::{LivePlace, LiveTask},
};
use service::{Job, Listening, Live, Member, Result, TenantStore};

use crate::{audience, frames::Frames, gone, room::Room};

/// Delay of the relay in a large room: longer than a collection window.
const WINDOW: Duration = Duration::from_secs(1);
/// Maximum difference between the clocks of functions, in milliseconds.
const SKEW: Millis = 1_000;
/// Maximum number of clients in one message: a state has at most 1 KB.
const TOGETHER: usize = 50;

/// Relays the newest state of the client of a connection. Repeated states of other clients are
/// dropped.
pub(crate) async fn relay(room: &mut Room<'_>, sent: &[Vec<u8>]) -> Result<()> {
    let said: Vec<Awareness> = sent.iter().filter_map(|sent| Awareness::read(sent).ok()).collect();
    let said: Vec<State> = said.into_iter().flat_map(|said| said.0).collect();
    if !room.is_crowd() {
        // The size may be unknown; reading the members sets it.
        room.members().await?;
    }
    let (is_crowd, id) = (room.is_crowd(), room.id().to_owned());
    let own = match is_crowd {
        true => room.listening().member(&id).await?,
        false => room.members().await?.iter().find(|it| it.connection_id == id).cloned(),
    };
    // The connection has left meanwhile.
    let Some(own) = own else { return Ok(()) };
    let now = room.live().now();
    let client = match own.client {
        None => claimed(&said, &own, &room.others().await?),
        known => known,
    };
    let epoch = Epoch::at(own.joined);
    let states = said.into_iter().filter(|state| Some(state.client) == client);
    let newest = states.max_by_key(|state| state.clock);
    let newest = newest.map(|state| State { clock: epoch.clock(state.clock), ..state });
    // A client that left must not be introduced to newcomers.
    let is_gone = newest.as_ref().is_some_and(State::is_gone);
    let is_news = is_crowd && newest.is_some();
    if client != own.client || own.is_due(now) || is_gone || is_news {
        let state = newest.as_ref().map(|state| (state.clock, state.json.clone()));
        room.listening().note(&Member { client, state, seen: now, ..own }).await?;
    }
    let Some(newest) = newest else { return Ok(()) };
    if is_crowd {
        return gather(room.live(), &room.tenant, &room.place).await;
    }
    // Stock providers disconnect from a silent server.
    if let Some(last) = sent.last() {
        room.answer(&Message::Awareness(last.clone()), None);
    }
    room.tell(Message::Awareness(Awareness(vec![newest]).write()));
    let members = room.members().await?.to_vec();
    let ended = gone::sweep(room.live(), &room.tenant, &room.place, &members, &id).await?;
    gone::forget(room.live(), ended).await
}

/// Schedules the relay of a large room.
pub(crate) async fn gather(live: &Live, tenant: &TenantStore, place: &LivePlace) -> Result<()> {
    if !Listening::at(tenant, place).opens_window().await? {
        return Ok(());
    }
    let (place, since) = (place.clone(), live.now().saturating_sub(SKEW));
    live.send(tenant, &LiveTask::Crowd { place, since }, WINDOW).await
}

/// Sends the stored states of the others to a newcomer.
pub(crate) fn introduce(room: &mut Room<'_>, others: &[Member]) {
    let now = room.live().now();
    let there = others.iter().filter(|member| !member.is_silent(now));
    for message in messages(there) {
        room.answer(&message, None);
    }
}

/// Relays the states that changed in a large room, and all states to those who joined; each member
/// gets all but its own.
pub(crate) async fn relay_large_room(job: &Job, place: &LivePlace, since: Millis) -> Result<()> {
    let listening = Listening::at(job, place);
    let (members, left) = listening.members_and_left().await?;
    let mut ended = gone::sweep(job.live(), job, place, &members, "").await?;
    let said = members.iter().chain(&left).filter(|it| it.seen >= since);
    let said: Vec<Member> = said.cloned().collect();
    let (members, refused) = audience::admitted(job.live(), job, place, members).await?;
    let to_all = Frames::of(place, &messages(said.iter()));
    let is_new = |member: &Member| member.joined >= since;
    let now = job.live().now();
    let there: Vec<Member> = match members.iter().any(is_new) {
        true => members.iter().filter(|it| !it.is_silent(now)).chain(&left).cloned().collect(),
        false => vec![],
    };
    // In chunks, because all frames together may take a gigabyte.
    for members in members.chunks(audience::MAX_DIRECT) {
        let addressed = members.iter().filter_map(|member| {
            let is_own = |it: &&Member| it.connection_id == member.connection_id;
            let to_it = if is_new(member) { &there } else { &said };
            let own = to_it.iter().any(|it| is_own(&it)).then(|| {
                let others = to_it.iter().filter(|it| !is_own(it));
                Frames::of(place, &messages(others))
            });
            own.as_ref().unwrap_or(&to_all).to(member)
        });
        ended.extend(audience::post_all(job.live(), addressed.collect(), false).await);
    }
    for member in &left {
        listening.remove(&member.connection_id).await?;
    }
    audience::throw_out(job.live(), refused).await?;
    gone::forget(job.live(), ended).await
}

/// The last states of members.
fn messages<'a>(members: impl Iterator<Item = &'a Member>) -> Vec<Message> {
    let state = |member: &Member| {
        let (clock, json) = member.state.clone()?;
        Some(State { client: member.client?, clock, json })
    };
    let states: Vec<State> = members.filter_map(state).collect();
    let message = |states: &[State]| Message::Awareness(Awareness(states.to_vec()).write());
    states.chunks(TOGETHER).map(message).collect()
}

/// The client of a connection that has none: the first one in its states that no other connection
/// has claimed. A returning user keeps the client in a new connection.
fn claimed(said: &[State], own: &Member, others: &[Member]) -> Option<u64> {
    let is_free = |state: &&State| {
        !state.is_gone()
            && others.iter().all(|it| {
                it.client != Some(state.client)
                    || (it.user_id == own.user_id && it.joined < own.joined)
            })
    };
    said.iter().find(is_free).map(|state| state.client)
}
