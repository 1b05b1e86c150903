//! The events protocol in JSON: presence, live state and events of documents, and the notifications
//! of the user.

mod ephemeral;

use model::{PresenceStatus, presence::PresenceData};
use rooms::{Connection, Joining, Room};
use serde_json::{Value, json};
use service::{SocketCx, Status, prelude::*};

use crate::{
    client::Client,
    departures,
    incoming::{self, Charge},
    leases,
    place::events_place,
    presence,
    refusal::Refusal,
    subscription,
};

/// A message of a client.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum ClientMessage {
    Subscribe {
        organization_id: OrganizationId,
        document_id: Option<DocumentId>,
        #[serde(default)]
        me: bool,
        since: Option<u64>,
        #[serde(default)]
        threads: bool,
    },
    Unsubscribe {
        organization_id: OrganizationId,
        document_id: Option<DocumentId>,
    },
    Presence {
        organization_id: OrganizationId,
        document_id: DocumentId,
        status: Option<PresenceStatus>,
        data: Option<PresenceData>,
    },
    Broadcast {
        organization_id: OrganizationId,
        document_id: DocumentId,
        data: Value,
    },
    Ping,
}

/// The subject of a message, for its refusal.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct About {
    organization_id: Option<OrganizationId>,
    document_id: Option<DocumentId>,
    me: bool,
}

impl About {
    fn refused(&self, error: &Error) -> Value {
        let mut frame = json!({
            "type": "error", "code": error.status.as_str(), "message": error.message,
        });
        if let Some(id) = &self.organization_id {
            frame["organizationId"] = json!(id);
        }
        match &self.document_id {
            Some(id) => frame["documentId"] = json!(id),
            None if self.me => frame["me"] = json!(true),
            None => {}
        }
        frame
    }
}

/// Handles a message.
pub(crate) async fn receive(
    cx: &SocketCx,
    connection: Connection,
    message: Value,
) -> Result<(), Refusal> {
    let about = About::deserialize(&message).unwrap_or_default();
    let effect = if message["type"] == "presence" { Effect::Writes } else { Effect::Reads };
    // Newer data replace what is dropped, as with awareness; a status may be the last one.
    let is_data_alone = !message["data"].is_null() && message["status"].is_null();
    let may_drop = match message["type"].as_str() {
        Some("ping" | "broadcast") => true,
        Some("presence") => is_data_alone,
        _ => false,
    };
    match incoming::charge_as(cx, &connection, effect, may_drop).await? {
        Charge::Paid => {}
        Charge::Dropped => return Ok(()),
    }
    let tenant = connection.tenant().await.map_err(Refusal::from_token)?;
    let client = Client { live: cx.live(), tenant, connection };
    let done = match ClientMessage::deserialize(message) {
        Ok(message) => handle(&client, message).await,
        Err(error) => Err(Error::invalid(error.to_string())),
    };
    match done {
        // An error about one document does not end the subscriptions to others.
        Err(error) if !error.is_ours() && error.status != Status::Aborted => {
            Ok(client.send(&about.refused(&error)).await?)
        }
        done => Ok(done?),
    }
}

async fn handle(client: &Client<'_>, message: ClientMessage) -> Result<()> {
    match message {
        ClientMessage::Subscribe {
            organization_id, document_id: Some(id), since, threads, ..
        } => subscription::subscribe(client, organization_id, id, since, threads).await,
        ClientMessage::Subscribe { organization_id, me: true, .. } => {
            let place = client.notifications(organization_id)?;
            client.subscribe(&place, Joining::default()).await?;
            let organization = place.organization_id;
            client
                .send(&json!({ "type": "subscribed", "organizationId": organization, "me": true }))
                .await
        }
        ClientMessage::Subscribe { .. } => {
            Err(Error::invalid("Name a documentId, or say \"me\": true."))
        }
        ClientMessage::Unsubscribe { organization_id, document_id } => {
            let place = match document_id {
                Some(id) => events_place(organization_id, id),
                None => client.notifications(organization_id)?,
            };
            departures::leave(client.live, &Room::at(&client.tenant, &place), &client.connection)
                .await
        }
        ClientMessage::Presence { organization_id, document_id, status, data } => {
            presence::set_present(client, organization_id, document_id, status, data).await
        }
        ClientMessage::Broadcast { organization_id, document_id, data } => {
            ephemeral::send(client, organization_id, document_id, &data).await
        }
        ClientMessage::Ping => {
            client.send(&json!({ "type": "pong" })).await?;
            leases::renew(client.live, &client.tenant, &client.connection).await
        }
    }
}
