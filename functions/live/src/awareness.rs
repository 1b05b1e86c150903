//! What clients say of themselves, such as their cursors. It is relayed; the row of a connection has
//! its client and one state of that, for newcomers and to withdraw a client that goes silent.

use dialects::{Awareness, Epoch, Message, State};
use service::{Member, Result};

use crate::{gone, room::Room};

/// How many others one message introduces: their states have 1 KB each at most.
const INTRODUCED: usize = 50;

/// Relays what the client of a connection says of itself. What it heard of others, and says again, is
/// left out.
pub(crate) async fn relay(room: &Room<'_>, sent: &[u8]) -> Result<()> {
    let Ok(said) = Awareness::read(sent) else { return Ok(()) };
    let members = room.listening().members().await?;
    let now = room.live().now();
    let (own, others): (Vec<Member>, Vec<Member>) =
        members.into_iter().partition(|member| member.connection_id == room.id());
    // It has left meanwhile.
    let Some(mut own) = own.into_iter().next() else { return Ok(()) };
    let client = own.client.or_else(|| claimed(&said, &own, &others));
    let epoch = Epoch::at(own.joined);
    let states = said.0.into_iter().filter(|state| Some(state.client) == client);
    let states: Vec<State> =
        states.map(|state| State { clock: epoch.clock(state.clock), ..state }).collect();
    // Who has gone is not introduced to others.
    let is_gone = states.iter().any(State::is_gone);
    if client != own.client || own.is_due(now) || is_gone {
        let state = states.last().map(|state| (state.clock, state.json.clone()));
        own = Member { client, state, seen: now, ..own };
        room.listening().note(&own).await?;
    }
    if !states.is_empty() {
        // Stock providers close a connection that tells them nothing.
        room.answer(&Message::Awareness(sent.to_vec()), None).await?;
        let message = Message::Awareness(Awareness(states).write());
        let ended = gone::sweep(room.live(), &room.tenant, &room.place, &others).await?;
        room.tell_others(others, message).await?;
        gone::forget(room.live(), ended).await?;
    }
    Ok(())
}

/// Tells who joins what others last said of themselves, as far as that was kept.
pub(crate) async fn introduce(room: &Room<'_>, others: &[Member]) -> Result<()> {
    let now = room.live().now();
    let there = others.iter().filter(|member| !member.is_silent(now));
    let states: Vec<State> = there
        .filter_map(|member| {
            let (clock, json) = member.state.clone()?;
            Some(State { client: member.client?, clock, json })
        })
        .collect();
    for states in states.chunks(INTRODUCED) {
        let said = Message::Awareness(Awareness(states.to_vec()).write());
        room.answer(&said, None).await?;
    }
    Ok(())
}

/// The client of a connection that has said nothing yet: the first that it speaks of and that is
/// nobody else's. A user who comes back is the same client in a new connection.
fn claimed(said: &Awareness, own: &Member, others: &[Member]) -> Option<u64> {
    let is_free = |state: &&State| {
        !state.is_gone()
            && others.iter().all(|it| {
                it.client != Some(state.client)
                    || (it.user_id == own.user_id && it.joined < own.joined)
            })
    };
    said.0.iter().find(is_free).map(|state| state.client)
}
