//! The members of a place who currently have the right to it.

use model::live::LivePlace;
use rooms::{Listening, Live, Member};
use service::{Result, TenantStore, join_all};

use crate::{posting::PARALLEL, refusal::Refusal};

/// Maximum number of members to which a function posts directly.
pub(crate) const MAX_DIRECT: usize = PARALLEL;

/// Whether a place is so large that a worker relays messages, as far as this process knows.
pub(crate) fn is_crowd(listening: &Listening) -> bool {
    listening.size().is_some_and(|size| size > MAX_DIRECT + 1)
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
