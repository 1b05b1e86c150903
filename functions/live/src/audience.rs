//! Telling those who listen to an editor what somebody said.

use dialects::Message;
use model::live::LivePlace;
use service::{Listening, Live, Member, PostFailure, Result, TenantStore, join_all};

use crate::{
    frames::{Addressed, Frames},
    gone,
    refusal::Refusal,
};

/// Posts under way at once.
const PARALLEL: usize = 50;
/// Most members that one function tells by itself.
pub(crate) const MAX_DIRECT: usize = PARALLEL;

/// Tells members messages; answers with the connections that are found to have ended.
pub(crate) async fn tell(
    live: &Live,
    place: &LivePlace,
    members: &[Member],
    messages: &[Message],
) -> Vec<String> {
    let frames = Frames::of(place, messages);
    let is_needed =
        messages.iter().any(|it| !matches!(it, Message::Awareness(_) | Message::QueryAwareness));
    let addressed = members.iter().filter_map(|member| frames.to(member)).collect();
    post_all(live, addressed, is_needed).await
}

/// Sends frames; answers with the connections that are found to have ended. A connection that
/// cannot be told what it needs is closed: it comes back and asks for what it lacks.
pub(crate) async fn post_all(
    live: &Live,
    addressed: Vec<Addressed<'_>>,
    is_needed: bool,
) -> Vec<String> {
    let mut ended = vec![];
    for chunk in addressed.chunks(PARALLEL) {
        let posts = chunk.iter().map(|(id, frames)| post_each(live, id, frames, is_needed));
        ended.extend(join_all(posts).await.into_iter().flatten());
    }
    ended
}

/// Sends frames in order; returns the connection if it has ended.
async fn post_each(live: &Live, id: &str, frames: &[Vec<u8>], is_needed: bool) -> Option<String> {
    for frame in frames {
        match live.post(id, frame.clone()).await {
            Ok(()) => {}
            Err(PostFailure::Gone) => return Some(id.to_owned()),
            Err(_) if is_needed => {
                let _ = live.close(id).await;
                return Some(id.to_owned());
            }
            Err(_) => return None,
        }
    }
    None
}

/// Tells those members messages who may still see a place. Others are told why not, and thrown out.
pub(crate) async fn tell_admitted(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    members: Vec<Member>,
    messages: &[Message],
) -> Result<()> {
    let (members, refused) = admitted(live, tenant, place, members).await?;
    let ended = tell(live, place, &members, messages).await;
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
