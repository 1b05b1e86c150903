//! Messages to the members who have the right to a place, and what follows: subscriptions without it
//! end, and connections that are gone are forgotten.

use dialects::{Message, control};
use model::live::LivePlace;
use rooms::{Live, Member};
use serde_json::Value;
use service::{Result, TenantStore};

use crate::{audience::admitted, gone, lockout::expel, posting};

/// Sends messages of editors.
pub(crate) async fn send_messages(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    members: Vec<Member>,
    messages: &[Message],
) -> Result<()> {
    let (members, refused) = admitted(live, tenant, place, members).await?;
    let ended = posting::post_messages(live, place, &members, messages).await;
    expel(live, tenant, place, refused).await?;
    gone::forget(live, ended).await
}

/// Sends a message of the events protocol.
pub(crate) async fn send_event(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    members: Vec<Member>,
    message: &Value,
) -> Result<()> {
    let (members, refused) = admitted(live, tenant, place, members).await?;
    expel(live, tenant, place, refused).await?;
    let frame = control(message);
    let addressed =
        members.iter().map(|it| (it.connection_id.as_str(), vec![frame.clone()])).collect();
    gone::forget(live, posting::post_or_close(live, addressed, true).await).await
}
