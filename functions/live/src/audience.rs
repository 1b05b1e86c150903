//! Messages to the members of a room.

use dialects::Message;
use model::live::LivePlace;
use service::{Listening, Live, Member, PostFailure, Result, TenantStore, join_all};

use crate::{
    frames::{Addressed, Frames},
    gone,
    lockout::expel,
    refusal::Refusal,
};

/// Maximum number of concurrent posts.
pub(crate) const PARALLEL: usize = 50;
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

/// Connections that did not get their frames.
#[derive(Default)]
pub(crate) struct Missed {
    /// Those that have ended.
    pub(crate) ended: Vec<String>,
    /// Those that may get them later.
    pub(crate) failed: Vec<String>,
}

/// Sends frames; returns the connections found to have ended. If a needed frame cannot be sent, the
/// connection is closed: the client reconnects and syncs.
pub(crate) async fn post_all(
    live: &Live,
    addressed: Vec<Addressed<'_>>,
    is_needed: bool,
) -> Vec<String> {
    let Missed { mut ended, failed } = post(live, addressed).await;
    for id in failed.into_iter().filter(|_| is_needed) {
        let _ = live.close(&id).await;
        ended.push(id);
    }
    ended
}

/// Sends frames; the frames of a connection in order, until one fails.
pub(crate) async fn post(live: &Live, addressed: Vec<Addressed<'_>>) -> Missed {
    let mut missed = Missed::default();
    for chunk in addressed.chunks(PARALLEL) {
        let posts = chunk.iter().map(|(id, frames)| post_each(live, id, frames));
        for ((id, _), posted) in chunk.iter().zip(join_all(posts).await) {
            match posted {
                Ok(()) => {}
                Err(PostFailure::Gone) => missed.ended.push((*id).to_owned()),
                Err(_) => missed.failed.push((*id).to_owned()),
            }
        }
    }
    missed
}

async fn post_each(live: &Live, id: &str, frames: &[Vec<u8>]) -> Result<(), PostFailure> {
    for frame in frames {
        live.post(id, frame.clone()).await?;
    }
    Ok(())
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
    expel(live, tenant, place, refused).await?;
    gone::forget(live, ended).await
}

/// The members who still have the right to a place, and the refusals of the others. A refusal is a
/// fault if the rights could not be read: a client that misses a needed message has to reconnect.
pub(crate) async fn admitted(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    members: Vec<Member>,
) -> Result<(Vec<Member>, Vec<(String, Refusal)>)> {
    let mut judged = vec![];
    // The rights of all are cached at the same time, and so are read again at the same time.
    for members in members.chunks(PARALLEL) {
        let judges = join_all(members.iter().map(|member| judge(live, place, member)));
        // Each process reads them: the sender does not pay for how many processes there are.
        judged.extend(live.free_of_charge(judges).await);
    }
    let (mut ok, mut refused) = (vec![], vec![]);
    for (member, judged) in members.into_iter().zip(judged) {
        match judged {
            Ok(true) => ok.push(member),
            // The connection ended while it joined and left its row behind.
            Ok(false) => {
                Listening::at(tenant, place).remove(&member.connection_id).await?;
            }
            Err(refusal) => refused.push((member.connection_id, refusal)),
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
