//! `live.changes`: relays changes of presence and live state to subscribers, from REST and sockets.

use model::live::{LivePart, LivePlace};
use rooms::{LiveChange, LiveChanged, Room, prelude::*};
use serde_json::json;
use service::{Job, Result, Table, Trigger, Worker};

use crate::{
    broadcast,
    subscription::{presence_view, state_view},
};

pub enum Changes {}

impl Worker for Changes {
    const TRIGGER: Trigger = Trigger::Changes(service::Changes {
        table: Table::Realtime,
        filters: &[(&["presence#", "live-state#"], &["INSERT", "MODIFY", "REMOVE"])],
    });
    const NEEDS_KEYRING: bool = false;
    type Job = Job;
    type Message = LiveChange;

    async fn handle(job: Job, changed: LiveChange) -> Result<()> {
        let members = job.connections().members_of(&changed).await?;
        let Some(first) = members.first() else { return Ok(()) };
        let (organization, document) = (first.organization_id.clone(), changed.change.document());
        let mut said = json!({ "organizationId": organization, "documentId": document });
        match &changed.change {
            LiveChanged::Present(presence) => {
                said["type"] = json!("presence");
                said["users"] = json!([presence_view(presence)]);
                said["left"] = json!([]);
            }
            LiveChanged::Left(_, user) => {
                said["type"] = json!("presence");
                said["users"] = json!([]);
                said["left"] = json!([user]);
            }
            LiveChanged::State(state) => {
                said["type"] = json!("liveState");
                said["liveStateDataId"] = json!(state.live_state_data_id);
                said["revision"] = json!(state.revision);
                said["data"] = state_view(state)["data"].take();
            }
        }
        let part = LivePart::Events { document_id: document.clone() };
        let place = LivePlace { organization_id: organization, part };
        broadcast::send_event(job.live(), &Room::at(&job, &place), members, &said).await
    }
}
