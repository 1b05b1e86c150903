//! Withdrawal of what a connection has said: its client and its presence. Each function returns the
//! connections that it found to have ended.

use dialects::{Epoch, Message};
use model::live::{LivePart, LivePlace};
use rooms::{Listening, Live, Member};
use service::{Result, TenantStore, prelude::*};

use crate::{audience, large_room, posting};

/// Withdraws the states of silent connections, except that of the sender.
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
            ended.extend(withdraw_among(live, tenant, place, member, members).await?);
        }
    }
    Ok(ended)
}

/// Withdraws the state of a connection that has left a place, unless another connection of its user
/// has the same. A large room is notified by the next relay.
pub(crate) async fn withdraw(
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
        return withdraw_among(live, tenant, place, member, &members).await;
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

async fn withdraw_among(
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
            let gone = [Message::Awareness(gone)];
            Ok(posting::post_messages(live, place, &others, &gone).await)
        }
        _ => Ok(vec![]),
    }
}
