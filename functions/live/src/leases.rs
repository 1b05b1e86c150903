//! Leases of connections: a ping renews them, and finds those that have expired.

use rooms::{Connection, Live, Member, Room};
use service::{TenantStore, prelude::*};

use crate::{departures, lockout::expel_one, refusal::Refusal, withdrawal::sweep};

/// Records that a connection is alive, and ends its subscriptions to which its user has no right.
pub(crate) async fn renew(
    live: &Live,
    tenant: &TenantStore,
    connection: &Connection,
) -> Result<()> {
    for place in connection.places() {
        let room = Room::at(tenant, place);
        match connection.role_at(tenant, place).await {
            Ok(_) => renew_in(live, &room, connection.id()).await?,
            Err(error) => {
                let refusal = Refusal::from(error).or_fault()?;
                expel_one(live, &room, connection.id(), refusal).await?;
            }
        }
    }
    Ok(())
}

/// Records that a connection is alive, and withdraws the states of those that are not.
async fn renew_in(live: &Live, room: &Room, id: &str) -> Result<()> {
    let now = live.now();
    if room.is_large() && room.was_swept() {
        // Reading a large room is expensive.
        return match room.member(id).await?.filter(|own| own.is_renewal_due(now)) {
            Some(own) => room.renew(&Member { seen: now, ..own }).await,
            None => Ok(()),
        };
    }
    let members = room.members().await?;
    let own = members.iter().find(|member| member.connection_id == id);
    if let Some(own) = own.filter(|own| own.is_renewal_due(now)) {
        room.renew(&Member { seen: now, ..own.clone() }).await?;
    }
    departures::forget(live, sweep(live, room, &members, id).await?).await
}
