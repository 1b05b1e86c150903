//! Leases of connections: a ping renews them, and finds those that have expired.

use model::live::LivePlace;
use rooms::{Connection, Listening, Live, Member};
use service::{Result, TenantStore};

use crate::{audience, gone, lockout::expel_one, refusal::Refusal, withdrawal::sweep};

/// Records that a connection is alive, and ends its subscriptions to which its user has no right.
pub(crate) async fn renew(
    live: &Live,
    tenant: &TenantStore,
    connection: &Connection,
) -> Result<()> {
    for place in connection.places() {
        match connection.role_at(tenant, place).await {
            Ok(_) => renew_at(live, tenant, place, connection.id()).await?,
            Err(error) => {
                let refusal = Refusal::from(error).or_fault()?;
                expel_one(live, tenant, place, connection.id(), refusal).await?;
            }
        }
    }
    Ok(())
}

/// Records that a connection is alive, and withdraws the states of those that are not.
async fn renew_at(live: &Live, tenant: &TenantStore, place: &LivePlace, id: &str) -> Result<()> {
    let (listening, now) = (Listening::at(tenant, place), live.now());
    if audience::is_crowd(&listening) && listening.was_swept() {
        // Reading a large room is expensive.
        return match listening.member(id).await?.filter(|own| own.is_due(now)) {
            Some(own) => listening.note(&Member { seen: now, ..own }).await,
            None => Ok(()),
        };
    }
    let members = listening.members().await?;
    let own = members.iter().find(|it| it.connection_id == id);
    if let Some(own) = own.filter(|own| own.is_due(now)) {
        listening.note(&Member { seen: now, ..own.clone() }).await?;
    }
    gone::forget(live, sweep(live, tenant, place, &members, id).await?).await
}
