//! Messages to subscribers of events.

use dialects::control;
use model::{
    DocumentId, OrganizationId,
    live::{LivePart, LivePlace},
};
use serde_json::Value;
use service::{Live, Member, Result, TenantStore};

use crate::{audience, gone};

/// The place of a document's events.
pub(crate) fn events_of(organization_id: OrganizationId, document_id: DocumentId) -> LivePlace {
    LivePlace { organization_id, part: LivePart::Events { document_id } }
}

/// Sends a message to the subscribers of a place who currently have the right to it.
pub(crate) async fn tell(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    members: Vec<Member>,
    said: &Value,
) -> Result<()> {
    let (members, refused) = audience::admitted(live, tenant, place, members).await?;
    audience::throw_out(live, refused).await?;
    let frame = control(said);
    let frames =
        members.iter().map(|it| (it.connection_id.as_str(), vec![frame.clone()])).collect();
    gone::forget(live, audience::post_all(live, frames, true).await).await
}
