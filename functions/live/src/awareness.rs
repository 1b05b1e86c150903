//! Awareness: states of clients, such as cursors. States are relayed. The row of a connection has its
//! client and one state, for newcomers and to withdraw a silent client.

use std::collections::BTreeMap;

use dialects::{Awareness, Epoch, Message, State};
use rooms::{ClientState, Keeper, Member};
use service::prelude::*;

use crate::{departures, large_room, session::EditorSession, withdrawal::sweep};

/// Maximum number of clients of which it is asked for whom they are kept.
const MAX_KEPT: usize = 100;

/// Relays the newest state of the client of a connection. Repeated states of other clients are
/// dropped.
pub(crate) async fn relay(session: &mut EditorSession<'_>, sent: &[Vec<u8>]) -> Result<()> {
    let read = sent.iter().filter_map(|sent| Awareness::read(sent).ok());
    let sent_states: Vec<State> = read.flat_map(|awareness| awareness.0).collect();
    if !session.room.is_large() {
        // The size may be unknown; reading the members sets it.
        session.members().await?;
    }
    let (is_large, id) = (session.room.is_large(), session.id().to_owned());
    let own = match is_large {
        true => session.room.member(&id).await?,
        false => session.members().await?.iter().find(|member| member.connection_id == id).cloned(),
    };
    let own = match own {
        None => session.own_row().await?,
        own => own,
    };
    // The connection has left meanwhile.
    let Some(own) = own else { return Ok(()) };
    let now = session.live().now();
    let client = match own.client {
        // The worker has all members, and drops the states of clients of others.
        None if is_large => claimed_client(&sent_states, &own, &[], &BTreeMap::new()),
        None => {
            let spoken = sent_states.iter().filter(|state| !state.is_gone());
            let spoken: Vec<State> = spoken.take(MAX_KEPT).cloned().collect();
            let clients = spoken.iter().map(|state| state.client).collect();
            let keepers = session.room.keepers(&clients).await?;
            claimed_client(&spoken, &own, &session.others().await?, &keepers)
        }
        known => known,
    };
    let is_new = client != own.client;
    let own = match client.filter(|_| is_new) {
        Some(client) => begin(session, own, client).await?,
        None => own,
    };
    let epoch = Epoch::at(own.epoch_start());
    // In a large room the worker drops them.
    let is_overruled = match client.filter(|_| !is_large) {
        Some(client) => is_overruled(session, &own, client).await?,
        None => false,
    };
    let is_own = |state: &State| Some(state.client) == client && !is_overruled;
    let states = sent_states.into_iter().filter(is_own);
    let newest = states.max_by_key(|state| state.clock);
    let newest = newest.map(|state| State { clock: epoch.clock(state.clock), ..state });
    let state = newest.as_ref();
    let state = state.map(|state| ClientState { clock: state.clock, json: state.json.clone() });
    let own = Member { client, state, ..own };
    if is_large && newest.is_some() {
        return large_room::contribute(session.live(), &session.room, &own, is_new).await;
    }
    // A client that left must not be introduced to newcomers.
    let is_gone = newest.as_ref().is_some_and(State::is_gone);
    if is_new {
        session.room.begin(&Member { seen: now, ..own }).await?;
    } else if own.is_renewal_due(now) || is_gone {
        session.room.renew(&Member { seen: now, ..own }).await?;
    }
    // Stock providers disconnect from a silent server, also those whose states are dropped.
    if let Some(last) = sent.last() {
        session.queue_for_sender(&Message::Awareness(last.clone()), None);
    }
    let Some(newest) = newest else { return Ok(()) };
    session.queue_for_others(Message::Awareness(Awareness(vec![newest]).write()));
    let members = session.members().await?.to_vec();
    let ended = sweep(session.live(), &session.room, &members, &id).await?;
    departures::forget(session.live(), ended).await
}

/// A member whose client begins here: with clocks behind those of earlier connections of the client,
/// which this process has seen, or whose rows are still there because their process died.
async fn begin(session: &mut EditorSession<'_>, own: Member, client: u64) -> Result<Member> {
    let others = if session.room.is_large() { vec![] } else { session.others().await? };
    let earlier = others.iter().filter(|other| other.owns(client)).map(Member::next_start).max();
    let start = own.epoch_start().max(earlier.unwrap_or_default());
    let place = session.room.place();
    let start = session.live().clocks_begin(&session.tenant, place, client, start);
    Ok(own.beginning_at(start))
}

/// Whether another connection has the better claim to the client of a connection.
async fn is_overruled(session: &mut EditorSession<'_>, own: &Member, client: u64) -> Result<bool> {
    let others = session.others().await?;
    let mut rivals =
        others.iter().filter(|other| other.user_id != own.user_id && other.owns(client));
    let Some(first) = rivals.next() else { return Ok(false) };
    let keepers = session.room.keepers(&[client].into()).await?;
    let keeper = keepers.get(&client);
    let keeper = keeper.map(|keeper| &keeper.user_id);
    Ok([first].into_iter().chain(rivals).any(|rival| rival.overrules(own, client, keeper)))
}

/// The client of a connection that has none: the first one in its states that is kept for its user,
/// or that is kept for nobody and no other connection has claimed. A returning user keeps the client
/// in a new connection, and a user who may write takes it from one who may only read.
fn claimed_client(
    sent_states: &[State],
    own: &Member,
    others: &[Member],
    keepers: &BTreeMap<u64, Keeper>,
) -> Option<u64> {
    let is_unclaimed = |client: u64| {
        others.iter().all(|other| {
            let is_of_user = other.user_id == own.user_id;
            !other.owns(client)
                || (is_of_user && other.joined < own.joined)
                || (other.is_reader && !own.is_reader)
        })
    };
    let is_free = |state: &&State| match keepers.get(&state.client) {
        _ if state.is_gone() => false,
        Some(keeper) if keeper.user_id != own.user_id => false,
        Some(_) if !own.is_reader => true,
        _ => is_unclaimed(state.client),
    };
    sent_states.iter().find(is_free).map(|state| state.client)
}
