//! Subscriptions to a document: the first reply, and the presence of the user.

use dialects::MAX_SENT_BYTES;
use model::{
    DocumentId, OrganizationId, PresenceStatus,
    live_state::LiveState,
    presence::{Presence, SentPresence},
};
use rooms::{Member, Room, prelude::*};
use serde_json::{Value, json};
use service::{Error, Result, prelude::*};

use crate::{
    client::Client,
    document_events::{EventAudience, event_view},
    place::events_place,
};

/// Size of a message about presence in bytes, which the worker posts to each subscriber.
const PRESENCE_BYTES: usize = 300;

/// Subscribes a client to a document, then sends the events after `since`, and the current presence
/// and live state.
pub(crate) async fn subscribe(
    client: &Client<'_>,
    organization_id: OrganizationId,
    document_id: DocumentId,
    since: Option<u64>,
) -> Result<()> {
    client.subscribe(&events_place(organization_id.clone(), document_id.clone())).await?;
    let organization = client.tenant.organization(&organization_id);
    let missed = organization.live().missed_since(&document_id, since).await?;
    let audiences = EventAudience::of_each(&organization, &document_id, &missed.events).await?;
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
    // The smallest first: one large entry does not hide others.
    let mut states: Vec<Value> = states.items.iter().map(state_view).collect();
    states.sort_by_key(|view| view.to_string().len());
    let lists: [(&str, Vec<Value>); 2] =
        [("presence", present.items.iter().map(presence_view).collect()), ("liveState", states)];
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

/// Sets the user present in a document, until the last connection that did so has ended.
pub(crate) async fn set_present(
    client: &Client<'_>,
    organization_id: OrganizationId,
    document_id: DocumentId,
    status: Option<PresenceStatus>,
) -> Result<()> {
    let place = events_place(organization_id, document_id.clone());
    client.connection.role_at(&client.tenant, &place).await?;
    let room = Room::at(&client.tenant, &place);
    let (members, now) = (room.members().await?, client.live.now());
    client.live.add_relayed(members.len(), PRESENCE_BYTES);
    let own = members.into_iter().find(|member| member.connection_id == client.connection.id());
    let own = own.ok_or_else(|| Error::invalid("Subscribe to the document first."))?;
    let said = status.clone().unwrap_or_default();
    let is_known = own.status.as_ref().is_some_and(|(known, _)| *known == said);
    if !own.present || !is_known || own.is_renewal_due(now) {
        // Before the record, so that the end of the connection finds it.
        let status = Some((said, now));
        room.renew(&Member { present: true, status, seen: now, ..own }).await?;
    }
    let user = client.user()?;
    let (user_id, email) = (user.user_id.clone(), user.email.clone());
    let name = user.name.as_ref().and_then(|name| name.to_string().try_into().ok());
    let organization = room.organization();
    organization.own_record().imply().await?;
    let sent = SentPresence { user_id, name, email, status };
    organization.presences().update(&document_id, &[sent], client.tenant.now()).await
}

/// A presence record, as the channel shows it.
pub(crate) fn presence_view(presence: &Presence) -> Value {
    let mut view = json!({
        "userId": presence.user_id, "status": presence.status, "lastUpdated": presence.last_updated,
    });
    if let Some(name) = &presence.name {
        view["name"] = json!(name);
    }
    if let Some(email) = &presence.email {
        view["email"] = json!(email);
    }
    view
}

/// A piece of live state, as the channel shows it.
pub(crate) fn state_view(state: &LiveState) -> Value {
    json!({
        "liveStateDataId": state.live_state_data_id, "data": state.data, "revision": state.revision,
    })
}
