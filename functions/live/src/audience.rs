//! Telling those who listen to an editor what somebody said.

use std::collections::BTreeMap;

use dialects::{Dialect, MAX_SENT_BYTES, Message, control, text};
use model::{Base64, live::LivePlace};
use serde_json::json;
use service::{Listening, Live, Member, PostFailure, Protocol, Result, TenantStore, join_all};

use crate::{gone, refusal::Refusal, room};

/// Posts under way at once.
const PARALLEL: usize = 50;
/// Most members that one function tells by itself.
pub(crate) const MAX_DIRECT: usize = PARALLEL;

/// The dialect of a protocol that editors speak.
pub(crate) fn dialect(protocol: Protocol) -> Option<Dialect> {
    match protocol {
        Protocol::Y => Some(Dialect::Y),
        Protocol::Hocuspocus => Some(Dialect::Hocuspocus),
        Protocol::Events => None,
    }
}

/// A message as a frame. One that is too large is fetched by the client, behind what it has seen.
pub(crate) fn frame(
    dialect: Dialect,
    name: &str,
    message: &Message,
    seen: Option<&[u8]>,
) -> Option<Vec<u8>> {
    let sent = text(&dialect.write(name, message)?);
    if sent.len() <= MAX_SENT_BYTES {
        return Some(sent);
    }
    let mut fetch = json!({ "type": "fetch", "document": name });
    if let Some(seen) = seen {
        fetch["stateVector"] = json!(Base64::from(seen.to_vec()));
    }
    Some(control(&fetch))
}

/// Tells members a message; answers with the connections that are found to have ended.
pub(crate) async fn tell(
    live: &Live,
    place: &LivePlace,
    members: &[Member],
    message: &Message,
) -> Vec<String> {
    let name = room::name_of(place);
    let frames: BTreeMap<Dialect, Vec<u8>> = [Dialect::Y, Dialect::Hocuspocus]
        .into_iter()
        .filter_map(|dialect| Some((dialect, frame(dialect, &name, message, None)?)))
        .collect();
    let is_needed = !matches!(message, Message::Awareness(_) | Message::QueryAwareness);
    let addressed = members.iter().filter_map(|member| {
        Some((member.connection_id.as_str(), frames.get(&dialect(member.protocol)?)?.clone()))
    });
    post_all(live, addressed.collect(), is_needed).await
}

/// Sends frames; answers with the connections that are found to have ended. A connection that
/// cannot be told what it needs is closed: it comes back and asks for what it lacks.
pub(crate) async fn post_all(
    live: &Live,
    addressed: Vec<(&str, Vec<u8>)>,
    is_needed: bool,
) -> Vec<String> {
    let mut ended = vec![];
    for chunk in addressed.chunks(PARALLEL) {
        let posts = chunk.iter().map(|(id, frame)| async move {
            match live.post(id, frame.clone()).await {
                Ok(()) => None,
                Err(PostFailure::Gone) => Some((*id).to_owned()),
                Err(_) if is_needed => {
                    let _ = live.close(id).await;
                    Some((*id).to_owned())
                }
                Err(_) => None,
            }
        });
        ended.extend(join_all(posts).await.into_iter().flatten());
    }
    ended
}

/// Tells those members a message who may still see a place. Others are told why not, and thrown out.
pub(crate) async fn tell_admitted(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    members: Vec<Member>,
    message: &Message,
) -> Result<()> {
    let (members, refused) = admitted(live, tenant, place, members).await?;
    let ended = tell(live, place, &members, message).await;
    throw_out(live, refused).await?;
    gone::forget(live, ended).await
}

/// Throws out connections.
pub(crate) async fn throw_out(live: &Live, refused: Vec<(String, Refusal)>) -> Result<()> {
    for (id, refusal) in refused {
        refusal.close(live, &id).await?;
    }
    Ok(())
}

/// Those members who may still see a place, and why others may not.
pub(crate) async fn admitted(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    members: Vec<Member>,
) -> Result<(Vec<Member>, Vec<(String, Refusal)>)> {
    let judged = join_all(members.iter().map(|member| judge(live, place, member))).await;
    let (mut ok, mut refused) = (vec![], vec![]);
    for (member, judged) in members.into_iter().zip(judged) {
        match judged {
            Ok(true) => ok.push(member),
            // It ended while it joined: its row is left over.
            Ok(false) => {
                Listening::at(tenant, place).remove(&member.connection_id).await?;
            }
            // Also where rights cannot be read: who is not told has to come back and ask.
            Err(refusal) => refused.push((member.connection_id, refusal.for_another())),
        }
    }
    Ok((ok, refused))
}

async fn judge(live: &Live, place: &LivePlace, member: &Member) -> Result<bool, Refusal> {
    let Some(connection) = live.connection(&member.connection_id).await? else { return Ok(false) };
    let tenant = connection.tenant().await.map_err(Refusal::of_token)?;
    connection.role_at(&tenant, place).await?;
    Ok(true)
}
