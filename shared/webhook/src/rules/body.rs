//! The body of a message (contract `deliveries.body`), in the format of Standard Webhooks. It is a
//! function of the message alone, so that all attempts send the same body.

use error::{Error, Result};
use model::{
    ApiKeyId, MessageId, Metadata, Timestamp,
    event::{DomainEvent, Event, EventType},
};
use serde::Serialize;
use serde_json::{Value, json};

use super::operational_body;
use crate::types::Message;

/// The member of a body that describes an editor.
const EDITOR_MEMBER: &str = "crdtData";

/// Largest body; a larger one is reduced to ids.
pub(super) const MAX_BYTES: usize = 256 * 1024;

/// The common members of every body, in this order.
#[derive(Serialize)]
struct Frame<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    timestamp: Timestamp,
    id: &'a MessageId,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    data: &'a Metadata,
}

/// The body after the erasure of a user it named.
#[derive(Serialize)]
struct Expunged<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    timestamp: Timestamp,
    id: &'a MessageId,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    expunged: bool,
}

/// The body as endpoints receive it and lists show it.
///
/// # Errors
/// INTERNAL.
pub fn body(api_key: &ApiKeyId, message: &Message) -> Result<String> {
    let (kind, timestamp, id) = (message.event_type(), Timestamp(message.at), &message.id);
    let seq = message.seq;
    if message.expunged_at.is_some() {
        let left = Expunged { kind, timestamp, id, seq, expunged: true };
        return serde_json::to_string(&left).map_err(Error::internal);
    }
    let text = |data: &Metadata| {
        serde_json::to_string(&Frame { kind, timestamp, id, seq, data }).map_err(Error::internal)
    };
    let event = match &message.event {
        Event::Domain(event) => event,
        other => return text(&operational_body::members(api_key, message, other)),
    };
    let mut data = ids(api_key, event);
    data.extend(members(message, event));
    changes(event, &mut data);
    data.insert("actionUser".to_owned(), json!(event.actor));
    data.insert("source".to_owned(), json!(event.event.source()));
    data.insert("actionType".to_owned(), json!(event.event.action()));
    data.insert("platform".to_owned(), json!("sdk"));
    data.insert("metadata".to_owned(), metadata(api_key, message, event));
    data.extend(visibility(event).map(|it| ("visibility".to_owned(), it.clone())));
    let full = text(&data)?;
    if !is_thin(message, event) && full.len() <= MAX_BYTES {
        return Ok(full);
    }
    let mut thin = ids(api_key, event);
    thin.insert("truncated".to_owned(), json!(true));
    text(&thin)
}

/// Whether the body was reduced.
pub(super) fn is_thin(message: &Message, event: &DomainEvent) -> bool {
    event.truncated || message.context.is_partial
}

/// The ids of an event, present in every body.
pub(super) fn ids(api_key: &ApiKeyId, event: &DomainEvent) -> Metadata {
    let mut data = Metadata::new();
    let mut set = |name: &str, value: Value| drop(data.insert(name.to_owned(), value));
    set("apiKey", json!(api_key));
    set("organizationId", json!(event.organization_id));
    set("documentId", json!(event.document_id));
    if let Some(id) = &event.annotation_id {
        set("annotationId", json!(id));
    }
    if let Some(id) = event.comment_id {
        set("commentId", json!(id));
    }
    if let Some(editor) = event.data.get(EDITOR_MEMBER) {
        set(EDITOR_MEMBER, editor.clone());
    }
    data
}

/// The members of an event besides its ids.
pub(super) fn members(message: &Message, event: &DomainEvent) -> Metadata {
    let mut members = event.data.clone();
    if let Some(editor) = &message.context.editor {
        members.insert(EDITOR_MEMBER.to_owned(), editor.clone());
    }
    members
}

/// Status and priority before and after, in the format of receivers.
pub(super) fn changes(event: &DomainEvent, data: &mut Metadata) {
    if let Some(status) = event.changes.get("status") {
        data.insert("oldStatus".to_owned(), status.from.clone());
        data.insert("newStatus".to_owned(), status.to.clone());
    }
    if let Some(priority) = event.changes.get("priority") {
        data.insert("newPriority".to_owned(), priority.to.clone());
    }
}

fn metadata(api_key: &ApiKeyId, message: &Message, event: &DomainEvent) -> Value {
    let context = &message.context;
    json!({
        "apiKey": api_key,
        "document": {
            "documentId": event.document_id,
            "documentName": context.document_name,
        },
        "documentMetadata": context.document_metadata,
        "organization": {
            "organizationId": event.organization_id,
            "organizationName": context.organization_name,
        },
        "organizationMetadata": context.organization_metadata,
        "pageInfo": page_info(event),
    })
}

/// Visibility of the thread of an event, unless everybody sees it.
pub(super) fn visibility(event: &DomainEvent) -> Option<&Value> {
    let thread = event.data.get("commentAnnotation")?;
    thread.get("visibilityConfig").filter(|it| it["type"] != "public")
}

/// The page of the thread of an event.
pub(super) fn page_info(event: &DomainEvent) -> Option<&Value> {
    event.data.get("commentAnnotation")?.get("pageInfo")
}

/// Whether an event gives a thread an assignee.
pub(super) fn is_assigned(event: &DomainEvent) -> bool {
    match event.changes.get("assignedTo") {
        Some(change) => !change.to.is_null(),
        None => {
            let thread = event.data.get("commentAnnotation");
            event.event == EventType::AnnotationAdd
                && thread.and_then(|it| it.get("assignedTo")).is_some_and(|it| !it.is_null())
        }
    }
}
