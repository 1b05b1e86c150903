//! Connections that end: their states and presence are withdrawn.

use dialects::{Epoch, Message};
use model::live::{LivePart, LivePlace};
use service::{Connection, Listening, Live, Member, Result, TenantStore, prelude::*};

use crate::{audience, large_room};

/// Maximum number of connections deleted at once; the next frame finds the others.
const MAX_ENDED: usize = 1_000;

/// Deletes ended connections, and those found to have ended while the others are notified.
pub(crate) async fn forget(live: &Live, ids: Vec<String>) -> Result<()> {
    let mut ended = ids;
    for _ in 0..MAX_ENDED {
        let Some(id) = ended.pop() else { return Ok(()) };
        let Some((tenant, left)) = live.forget(&id).await? else { continue };
        for (place, member) in left {
            ended.extend(take_back(live, &tenant, &place, &member).await?);
        }
    }
    Ok(())
}

/// Sends a connection the reason, closes it and deletes its rows.
pub(crate) async fn throw_out(live: &Live, id: &str, frame: Vec<u8>) -> Result<()> {
    // A connection that has ended needs no reason.
    let _ = live.post(id, frame).await;
    let _ = live.close(id).await;
    forget(live, vec![id.to_owned()]).await
}

/// Ends the subscription of a connection to a place.
pub(crate) async fn leave(
    live: &Live,
    tenant: &TenantStore,
    connection: &Connection,
    place: &LivePlace,
) -> Result<()> {
    let Some(member) = connection.leave(place).await? else { return Ok(()) };
    forget(live, take_back(live, tenant, place, &member).await?).await
}

/// Records that a connection is alive, and withdraws the states of those that are not.
pub(crate) async fn keep(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    id: &str,
) -> Result<()> {
    let (listening, now) = (Listening::at(tenant, place), live.now());
    if audience::is_crowd(&listening) && listening.was_swept() {
        // Reading a large room is expensive.
        return match listening.member(id).await?.filter(|own| own.is_due(now)) {
            Some(own) => listening.note(&Member { seen: now, ..own }).await,
            None => Ok(()),
        };
    }
    let members = listening.members().await?;
    let own = members.iter().find(|it| it.connection_id == id);
    if let Some(own) = own.filter(|own| own.is_due(now)) {
        listening.note(&Member { seen: now, ..own.clone() }).await?;
    }
    forget(live, sweep(live, tenant, place, &members, id).await?).await
}

/// Withdraws the states of silent connections, except that of the sender; returns the connections
/// found to have ended.
pub(crate) async fn sweep(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    members: &[Member],
    speaker: &str,
) -> Result<Vec<String>> {
    let (listening, now) = (Listening::at(tenant, place), live.now());
    listening.note_sweep();
    let said = |member: &&Member| member.client.is_some() || member.present;
    let mut ended = vec![];
    let is_lost = |member: &&Member| member.is_silent(now) && member.connection_id != speaker;
    for member in members.iter().filter(said).filter(is_lost) {
        if listening.withdraw(member).await? {
            ended.extend(take_back_among(live, tenant, place, member, members).await?);
        }
    }
    Ok(ended)
}

/// Withdraws the state of a connection that has left a place, unless another connection of its user
/// has the same. A large room is notified by the next relay.
pub(crate) async fn take_back(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    member: &Member,
) -> Result<Vec<String>> {
    if member.client.is_none() && !member.present {
        return Ok(vec![]);
    }
    let listening = Listening::at(tenant, place);
    let members = listening.members().await?;
    let (Some(client), true) = (member.client, members.len() > audience::MAX_DIRECT) else {
        return take_back_among(live, tenant, place, member, &members).await;
    };
    if is_free(client, member, &members) {
        let states = Epoch::at(member.began()).gone(client).0.into_iter();
        let state = states.map(|state| (state.clock, state.json)).next();
        let left = Member { state, seen: live.now(), left: true, ..member.clone() };
        listening.put(&left).await?;
        large_room::gather(live, tenant, place).await?;
    }
    Ok(vec![])
}

/// Whether no other connection has the client.
fn is_free(client: u64, member: &Member, members: &[Member]) -> bool {
    members.iter().all(|it| it.client != Some(client) || it.connection_id == member.connection_id)
}

async fn take_back_among(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    member: &Member,
    members: &[Member],
) -> Result<Vec<String>> {
    let others = members.iter().filter(|it| it.connection_id != member.connection_id);
    let others: Vec<Member> = others.cloned().collect();
    if let LivePart::Events { document_id } = &place.part {
        let is_there =
            |it: &Member| it.present && it.user_id == member.user_id && !it.is_silent(live.now());
        if member.present && !others.iter().any(is_there) {
            let organization = tenant.organization(&place.organization_id);
            organization
                .presences()
                .remove(document_id, std::slice::from_ref(&member.user_id))
                .await?;
        }
    }
    match member.client {
        Some(client) if is_free(client, member, members) => {
            let gone = Epoch::at(member.began()).gone(client).write();
            Ok(audience::tell(live, place, &others, &[Message::Awareness(gone)]).await)
        }
        _ => Ok(vec![]),
    }
}
