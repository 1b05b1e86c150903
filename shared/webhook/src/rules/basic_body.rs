//! Basic webhooks (contract `deliveries.basic`, rule N19): one URL for each kind, without a
//! signature.

use error::{Error, Result};
use model::{
    ApiKeyId, Metadata,
    event::{DomainEvent, Event},
    trigger,
};
use serde_json::{Value, json};

use super::body::{self, MAX_BYTES};
use crate::types::Message;

/// The body of a basic webhook.
pub(crate) fn basic_body(api_key: &ApiKeyId, message: &Message) -> Result<String> {
    let data = match &message.event {
        Event::Domain(event) => return raw_body(api_key, message, event),
        Event::NoticeDelivered(notice) => {
            let mut data = notice.data.clone();
            data.insert("webhookId".to_owned(), json!(message.id));
            if message.expunged_at.is_some() {
                data.insert("expunged".to_owned(), json!(true));
            } else {
                data.insert("notificationId".to_owned(), json!(notice.notification_id));
            }
            data
        }
        _ => Metadata::new(),
    };
    serde_json::to_string(&data).map_err(Error::internal)
}

fn raw_body(api_key: &ApiKeyId, message: &Message, event: &DomainEvent) -> Result<String> {
    let name = event.event.name();
    let (_, action) = trigger::camel(name).unwrap_or(("", name));
    let context = &message.context;
    let mut members = Metadata::new();
    let mut set = |name: &str, value: Value| drop(members.insert(name.to_owned(), value));
    set("webhookId", json!(message.id));
    set("actionType", json!(action));
    set("notificationSource", json!(event.event.source()));
    if message.expunged_at.is_some() {
        set("expunged", json!(true));
        return serde_json::to_string(&members).map_err(Error::internal);
    }
    set("actionUser", json!(event.actor));
    set("platform", json!("sdk"));
    let metadata = json!({
        "apiKey": api_key,
        "clientDocumentId": event.document_id,
        "clientOrganizationId": event.organization_id,
        "documentId": event.document_id,
        "documentName": context.document_name,
        "documentMetadata": context.document_metadata,
        "organizationId": event.organization_id,
        "organizationMetadata": context.organization_metadata,
        "pageInfo": body::page_info(event),
    });
    set("metadata", metadata);
    let mut full = members.clone();
    full.extend(body::members(message, event));
    body::changes(event, &mut full);
    full.extend(body::visibility(event).map(|it| ("visibility".to_owned(), it.clone())));
    if body::is_assigned(event) {
        full.insert("assigned".to_owned(), json!(true));
    }
    let text = serde_json::to_string(&full).map_err(Error::internal)?;
    if !body::is_thin(message, event) && text.len() <= MAX_BYTES {
        return Ok(text);
    }
    members.extend(body::ids(api_key, event));
    members.insert("truncated".to_owned(), json!(true));
    serde_json::to_string(&members).map_err(Error::internal)
}
