//! Connections that end, or leave a place.

use model::live::LivePlace;
use rooms::{Connection, Live};
use service::{Result, TenantStore};

use crate::withdrawal::withdraw;

/// Maximum number of connections deleted at once; the next frame finds the others.
const MAX_ENDED: usize = 1_000;

/// Deletes ended connections, and those found to have ended while the others are notified.
pub(crate) async fn forget(live: &Live, ids: Vec<String>) -> Result<()> {
    let mut ended = ids;
    for _ in 0..MAX_ENDED {
        let Some(id) = ended.pop() else { return Ok(()) };
        let Some((tenant, left)) = live.forget(&id).await? else { continue };
        for (place, member) in left {
            ended.extend(withdraw(live, &tenant, &place, &member).await?);
        }
    }
    Ok(())
}

/// Ends the subscription of a connection to a place.
pub(crate) async fn leave(
    live: &Live,
    tenant: &TenantStore,
    connection: &Connection,
    place: &LivePlace,
) -> Result<()> {
    let Some(member) = connection.leave(place).await? else { return Ok(()) };
    forget(live, withdraw(live, tenant, place, &member).await?).await
}
