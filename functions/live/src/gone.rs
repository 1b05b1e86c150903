//! Connections that end: what they said of their users is taken back.

use dialects::{Epoch, Message};
use model::live::{LivePart, LivePlace};
use service::{Listening, Live, Member, Result, TenantStore};

use crate::audience;

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
    let (own, others): (Vec<Member>, Vec<Member>) =
        members.into_iter().partition(|it| it.connection_id == id);
    for own in own.into_iter().filter(|own| own.is_due(now)) {
        listening.note(&Member { seen: now, ..own }).await?;
    }
    forget(live, sweep(live, tenant, place, &others).await?).await
}

/// Takes back what connections said that have gone without a word; answers with those that are found
/// to have ended.
pub(crate) async fn sweep(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    members: &[Member],
) -> Result<Vec<String>> {
    let (listening, now) = (Listening::at(tenant, place), live.now());
    let said = |member: &&Member| member.client.is_some() || member.present;
    let mut ended = vec![];
    for member in members.iter().filter(said).filter(|member| member.is_silent(now)) {
        if listening.withdraw(member).await? {
            ended.extend(take_back(live, tenant, place, member).await?);
        }
    }
    Ok(ended)
}

/// Takes back what one connection said at a place, unless another of its user says it, too.
pub(crate) async fn take_back(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    member: &Member,
) -> Result<Vec<String>> {
    if member.client.is_none() && !member.present {
        return Ok(vec![]);
    }
    let members = Listening::at(tenant, place).members().await?;
    let others: Vec<Member> =
        members.into_iter().filter(|it| it.connection_id != member.connection_id).collect();
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
        Some(client) if others.iter().all(|it| it.client != Some(client)) => {
            let gone = Epoch::at(member.joined).gone(client).write();
            Ok(audience::tell(live, place, &others, &Message::Awareness(gone)).await)
        }
        _ => Ok(vec![]),
    }
}
