//! Messages to the members of a room.

use dialects::Message;
use model::live::LivePlace;
use service::{Listening, Live, Member, PostFailure, Result, TenantStore, join_all};

use crate::{
    frames::{Addressed, Frames},
    gone,
    refusal::Refusal,
};

/// Maximum number of concurrent posts.
const PARALLEL: usize = 50;
/// Maximum number of members to which a function posts directly.
pub(crate) const MAX_DIRECT: usize = PARALLEL;

/// Whether a place is so large that a worker relays messages, as far as this process knows.
pub(crate) fn is_crowd(listening: &Listening) -> bool {
    listening.size().is_some_and(|size| size > MAX_DIRECT + 1)
}

/// Sends messages to members; returns the connections found to have ended.
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

/// Sends frames; returns the connections found to have ended. If a needed frame cannot be sent, the
/// connection is closed: the client reconnects and syncs.
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

/// Sends messages to the members who still have the right to a place, and disconnects the others.
pub(crate) async fn send_to_admitted(
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

/// Disconnects clients, each with its refusal.
pub(crate) async fn throw_out(live: &Live, refused: Vec<(String, Refusal)>) -> Result<()> {
    for (id, refusal) in refused {
        refusal.close(live, &id).await?;
    }
    Ok(())
}

/// The members who still have the right to a place, and the refusals of the others.
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
            // The connection ended while it joined and left its row behind.
            Ok(false) => {
                Listening::at(tenant, place).remove(&member.connection_id).await?;
            }
            // Also if its rights cannot be read: a client that misses a message has to reconnect.
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
