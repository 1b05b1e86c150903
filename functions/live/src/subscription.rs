//! Subscriptions to a document: what is there at first.

use dialects::MAX_SENT_BYTES;
use model::live_state::LiveState;
use rooms::{Joining, prelude::*};
use serde_json::{Value, json};
use service::prelude::*;

use crate::{
    client::Client,
    document_events::{EventAudience, event_view, threads_of},
    place::events_place,
    presence::{self, presence_view},
};

/// The part of the first reply that is for presence; more of it goes ahead.
const PRESENCE_PART: usize = MAX_SENT_BYTES / 2;

/// Subscribes a client to a document, then sends the events after `since`, and the current presence
/// and live state. Later events come with their threads if the client `wants_threads`.
pub(crate) async fn subscribe(
    client: &Client<'_>,
    organization_id: OrganizationId,
    document_id: DocumentId,
    since: Option<u64>,
    wants_threads: bool,
) -> Result<()> {
    let place = events_place(organization_id.clone(), document_id.clone());
    client.subscribe(&place, Joining { wants_threads, ..Joining::default() }).await?;
    let organization = client.tenant.organization(&organization_id);
    let missed = organization.live().missed_since(&document_id, since).await?;
    let threads = threads_of(&organization, &document_id, &missed.events).await?;
    let audiences = EventAudience::of_each(&missed.events, &threads);
    let user = &client.user()?.user_id;
    let mut events: Vec<Value> = vec![];
    for (event, audience) in missed.events.iter().zip(audiences) {
        if audience.includes(user, &client.connection, &client.tenant).await? {
            events.push(event_view(event));
        }
    }
    client.send_all(&events).await?;
    let present = organization.live().present_in(&document_id).await?;
    let states = organization.live().live_state_of(&document_id).await?;
    let mut reply = json!({
        "type": "subscribed", "organizationId": organization_id, "documentId": document_id,
        "position": missed.position, "presence": [], "liveState": [],
        "isComplete": missed.is_complete,
    });
    let mut left = MAX_SENT_BYTES - reply.to_string().len();
    let mut fits = |view: &Value| {
        let size = view.to_string().len() + 1;
        let is_small = size <= left;
        left -= if is_small { size } else { 0 };
        is_small
    };
    let states_more = states.more;
    let mut present_views: Vec<Value> = present.items.iter().map(presence_view).collect();
    if present_views.iter().map(|view| view.to_string().len() + 1).sum::<usize>() > PRESENCE_PART {
        let ahead = presence::messages(std::mem::take(&mut present_views), vec![]);
        let ahead = ahead.into_iter().map(|mut message| {
            message["organizationId"] = json!(organization_id);
            message["documentId"] = json!(document_id);
            message["isSnapshot"] = json!(true);
            message
        });
        client.send_all(&ahead.collect::<Vec<_>>()).await?;
    }
    // The smallest first: one large entry does not hide others.
    let mut states: Vec<Value> = states.items.iter().map(state_view).collect();
    states.sort_by_key(|view| view.to_string().len());
    let lists: [(&str, Vec<Value>); 2] = [("presence", present_views), ("liveState", states)];
    let mut is_whole = !present.more && !states_more;
    for (name, views) in lists {
        let mut told = vec![];
        for mut view in views {
            if !fits(&view) {
                omit_data(&mut view);
                if !fits(&view) {
                    is_whole = false;
                    continue;
                }
            }
            told.push(view);
        }
        reply[name] = json!(told);
    }
    if !is_whole {
        reply["isComplete"] = json!(false);
    }
    client.send(&reply).await
}

/// Leaves out what is too large for a frame: the client reads it over REST.
pub(crate) fn omit_data(view: &mut Value) {
    if let Some(members) = view.as_object_mut()
        && members.remove("data").is_some()
    {
        members.insert("isComplete".to_owned(), json!(false));
    }
}

/// A piece of live state, as the channel shows it.
pub(crate) fn state_view(state: &LiveState) -> Value {
    json!({
        "liveStateDataId": state.live_state_data_id, "data": state.data, "revision": state.revision,
    })
}
