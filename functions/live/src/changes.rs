//! `live.changes`: relays changes of presence and live state to subscribers, from REST and sockets.

use dialects::MAX_SENT_BYTES;
use rooms::{ChangedContent, DocumentChange, Room, prelude::*};
use serde_json::json;
use service::{Job, Result, Table, Trigger, Worker};

use crate::{
    broadcast,
    place::events_place,
    subscription::{self, presence_view, state_view},
};

pub enum Changes {}

impl Worker for Changes {
    const TRIGGER: Trigger = Trigger::Changes(service::Changes {
        table: Table::Realtime,
        filters: &[(&["presence#", "live-state#"], &["INSERT", "MODIFY", "REMOVE"])],
    });
    const NEEDS_KEYRING: bool = false;
    type Job = Job;
    type Message = DocumentChange;

    async fn handle(job: Job, changed: DocumentChange) -> Result<()> {
        let members = job.tenant().connections().members_of(&changed).await?;
        let Some(first) = members.first() else { return Ok(()) };
        let (organization, document) = (first.organization_id.clone(), changed.change.document());
        let mut message = json!({ "organizationId": organization, "documentId": document });
        match &changed.change {
            ChangedContent::Present(presence) => {
                message["type"] = json!("presence");
                message["users"] = json!([presence_view(presence)]);
                message["left"] = json!([]);
            }
            ChangedContent::Left { user_id, .. } => {
                message["type"] = json!("presence");
                message["users"] = json!([]);
                message["left"] = json!([user_id]);
            }
            ChangedContent::State(state) => {
                message["type"] = json!("liveState");
                message["liveStateDataId"] = json!(state.live_state_data_id);
                message["revision"] = json!(state.revision);
                message["data"] = state_view(state)["data"].take();
                if message.to_string().len() > MAX_SENT_BYTES {
                    subscription::omit_data(&mut message);
                }
            }
        }
        let place = events_place(organization, document.clone());
        broadcast::send_event(job.live(), &Room::at(job.tenant(), &place), members, &message).await
    }
}
