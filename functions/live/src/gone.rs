//! Connections that end: what they said of their users is taken back.

use dialects::{Epoch, Message};
use model::live::{LivePart, LivePlace};
use service::{Listening, Live, Member, Result, TenantStore};

use crate::{audience, awareness};

/// Most connections that are forgotten at once; others are found the next time.
const MAX_ENDED: usize = 1_000;

/// Forgets connections that have ended, and those that are found to have ended when others are told.
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

/// Tells a connection why it is closed, closes it and forgets it.
pub(crate) async fn throw_out(live: &Live, id: &str, frame: Vec<u8>) -> Result<()> {
    // One that has ended already hears nothing, and needs not.
    let _ = live.post(id, frame).await;
    let _ = live.close(id).await;
    forget(live, vec![id.to_owned()]).await
}

/// Notes that a connection is alive, and takes back what others said at a place that are not.
pub(crate) async fn keep(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    id: &str,
) -> Result<()> {
    let listening = Listening::at(tenant, place);
    let (members, now) = (listening.members().await?, live.now());
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
        let states = Epoch::at(member.joined).gone(client).0.into_iter();
        let state = states.map(|state| (state.clock, state.json)).next();
        let left = Member { state, seen: live.now(), left: true, ..member.clone() };
        listening.put(&left).await?;
        awareness::gather(live, tenant, place).await?;
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
                .remove_presence(document_id, std::slice::from_ref(&member.user_id))
                .await?;
        }
    }
    match member.client {
        Some(client) if is_free(client, member, members) => {
            let gone = Epoch::at(member.joined).gone(client).write();
            Ok(audience::tell(live, place, &others, &[Message::Awareness(gone)]).await)
        }
        _ => Ok(vec![]),
    }
}
