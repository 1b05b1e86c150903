//! `live.changes`: relays changes of presence and live state to subscribers, from REST and sockets.

use dialects::MAX_SENT_BYTES;
use model::live_state::LiveState;
use rooms::{ChangedContent, DocumentChange, Room, prelude::*};
use serde_json::{Value, json};
use service::{Table, prelude::*};

use crate::{
    broadcast,
    place::events_place,
    presence::{self, presence_view},
    subscription::{self, state_view},
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
        let messages = match &changed.change {
            ChangedContent::Presence { users, left, .. } => {
                let users = users.iter().map(presence_view).collect();
                presence::messages(users, left.iter().map(|user| json!(user)).collect())
            }
            ChangedContent::State(state) => vec![state_message(state)],
        };
        let place = events_place(organization.clone(), document.clone());
        let room = Room::at(job.tenant(), &place);
        for mut message in messages {
            message["organizationId"] = json!(organization);
            message["documentId"] = json!(document);
            broadcast::send_event(job.live(), &room, members.clone(), &message).await?;
        }
        Ok(())
    }
}

fn state_message(state: &LiveState) -> Value {
    let mut message = json!({
        "type": "liveState", "liveStateDataId": state.live_state_data_id, "revision": state.revision,
    });
    message["data"] = state_view(state)["data"].take();
    if message.to_string().len() > MAX_SENT_BYTES - presence::MAX_HEAD {
        subscription::omit_data(&mut message);
    }
    message
}
