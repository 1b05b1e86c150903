//! Messages to whoever is in a document now. Nothing is stored, and nobody gets one later.

use std::sync::Arc;

use dialects::control;
use rooms::{MAX_DIRECT, Room};
use serde_json::{Value, json};
use service::prelude::*;

use crate::{
    broadcast::{CheckedMembers, check_members},
    client::Client,
    departures,
    frames::{self, AddressedFrames},
    lockout::expel,
    place::events_place,
    posting,
};

/// Maximum size of the content in bytes, that of awareness in a large room.
const MAX_DATA: usize = 1024;

/// Sends a message of a subscriber to all other subscribers of a document, as far as they can be
/// reached now.
pub(super) async fn send(
    client: &Client<'_>,
    organization_id: OrganizationId,
    document_id: DocumentId,
    data: &Value,
) -> Result<()> {
    if data.to_string().len() > MAX_DATA {
        return Err(Error::invalid(format!("data may have {MAX_DATA} bytes.")));
    }
    let place = events_place(organization_id.clone(), document_id.clone());
    client.connection.role_at(&client.tenant, &place).await?;
    let room = Room::at(&client.tenant, &place);
    let (id, mut members) = (client.connection.id(), room.members().await?);
    let before = members.len();
    members.retain(|member| member.connection_id != id);
    if members.len() == before {
        return Err(Error::invalid("Subscribe to the document first."));
    }
    if members.len() > MAX_DIRECT {
        let message = format!("More than {MAX_DIRECT} others are in the document.");
        return Err(Error::exhausted(message));
    }
    let CheckedMembers { admitted, refused } = check_members(client.live, &room, members).await?;
    let message = json!({
        "type": "broadcast", "organizationId": organization_id, "documentId": document_id,
        "userId": client.user()?.user_id, "data": data,
    });
    let frames = frames::shared(vec![control(&message)]);
    let addressed = admitted.iter().map(|member| AddressedFrames {
        connection_id: &member.connection_id,
        frames: Arc::clone(&frames),
    });
    let ended = posting::post_droppable(client.live, addressed.collect()).await;
    expel(client.live, &room, refused).await?;
    departures::forget(client.live, ended).await
}
