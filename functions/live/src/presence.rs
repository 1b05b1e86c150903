//! Presence of users in documents.

use dialects::MAX_SENT_BYTES;
use model::{
    PresenceStatus,
    presence::{Presence, PresenceData, SentPresence},
};
use rooms::{Member, Room};
use serde_json::{Value, json};
use service::prelude::*;

use crate::{client::Client, place::events_place};

/// Size of a message about presence without data in bytes, which the worker posts to each subscriber.
const PRESENCE_BYTES: usize = 300;
/// Maximum size of a message besides its content, in bytes: it names two ids of 256 bytes, which may
/// be escaped.
pub(crate) const MAX_HEAD: usize = 3_500;

/// Sets the user present in a document, until the last connection that did so has ended. What is not
/// said stays.
pub(crate) async fn set_present(
    client: &Client<'_>,
    organization_id: OrganizationId,
    document_id: DocumentId,
    status: Option<PresenceStatus>,
    data: Option<PresenceData>,
) -> Result<()> {
    let place = events_place(organization_id, document_id.clone());
    client.connection.role_at(&client.tenant, &place).await?;
    let room = Room::at(&client.tenant, &place);
    let (id, now) = (client.connection.id(), client.live.now());
    let own = match room.is_large() {
        // To read all of them for each who comes takes as long as the square of their number.
        true => room.member(id).await?,
        false => room.members().await?.into_iter().find(|member| member.connection_id == id),
    };
    let bytes = PRESENCE_BYTES + data.as_ref().map_or(0, PresenceData::size);
    client.live.add_relayed(room.size().unwrap_or_default(), bytes);
    let own = own.ok_or_else(|| Error::invalid("Subscribe to the document first."))?;
    let before = own.status.as_ref().filter(|_| own.present).map(|(before, _)| before);
    let said = status.as_ref().or(before).cloned().unwrap_or_default();
    let is_known = own.status.as_ref().is_some_and(|(known, _)| *known == said);
    if !own.present || !is_known || own.is_renewal_due(now) {
        // Before the record, so that the end of the connection finds it.
        let status = Some((said, now));
        room.renew(&Member { present: true, status, seen: now, ..own }).await?;
    }
    let user = client.user()?;
    let (user_id, email) = (user.user_id.clone(), user.email.clone().map(Into::into));
    let name = user.name.as_ref().and_then(|name| name.to_string().try_into().ok());
    let organization = room.organization();
    organization.own_record().record_if_missing().await?;
    let sent = SentPresence { user_id, name, email, status, data };
    organization.presence().update(&document_id, &[sent], client.tenant.now()).await
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
    if !presence.data.is_empty() {
        view["data"] = json!(presence.data);
    }
    view
}

/// Messages about users and those who have left, as few as have room for all of them.
pub(crate) fn messages(users: Vec<Value>, left: Vec<Value>) -> Vec<Value> {
    let users = users.into_iter().map(|user| ("users", user));
    let left = left.into_iter().map(|user| ("left", user));
    let mut messages: Vec<(Value, usize)> = vec![];
    for (list, told) in users.chain(left) {
        let size = told.to_string().len() + 1;
        if messages.last().is_none_or(|(_, all)| all + size > MAX_SENT_BYTES - MAX_HEAD) {
            messages.push((json!({ "type": "presence", "users": [], "left": [] }), 0));
        }
        if let Some((message, all)) = messages.last_mut()
            && let Some(list) = message[list].as_array_mut()
        {
            *all += size;
            list.push(told);
        }
    }
    messages.into_iter().map(|(message, _)| message).collect()
}
