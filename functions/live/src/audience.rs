//! The members of a room who currently have the right to its place.

use rooms::{Live, Member, Room};
use service::{Result, join_all};

use crate::{posting::PARALLEL, refusal::Refusal};

/// The members who still have the right to a place, and the refusals of the others. A refusal is a
/// fault if the rights could not be read: a client that misses a needed message has to reconnect.
pub(crate) async fn admitted(
    live: &Live,
    room: &Room,
    members: Vec<Member>,
) -> Result<(Vec<Member>, Vec<(String, Refusal)>)> {
    let mut judged = vec![];
    // The rights of all are cached at the same time, and so are read again at the same time.
    for members in members.chunks(PARALLEL) {
        let judges = join_all(members.iter().map(|member| judge(live, room, member)));
        // Each process reads them: the sender does not pay for how many processes there are.
        judged.extend(live.free_of_charge(judges).await);
    }
    let (mut ok, mut refused) = (vec![], vec![]);
    for (member, judged) in members.into_iter().zip(judged) {
        match judged {
            Ok(true) => ok.push(member),
            // The connection ended while it joined and left its row behind.
            Ok(false) => {
                room.remove(&member.connection_id).await?;
            }
            Err(refusal) => refused.push((member.connection_id, refusal)),
        }
    }
    Ok((ok, refused))
}

async fn judge(live: &Live, room: &Room, member: &Member) -> Result<bool, Refusal> {
    let Some(connection) = live.connection(&member.connection_id).await? else { return Ok(false) };
    let tenant = connection.tenant().await.map_err(Refusal::of_token)?;
    connection.role_at(&tenant, room.place()).await?;
    Ok(true)
}
