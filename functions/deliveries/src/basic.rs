//! Basic webhooks (contract `deliveries.basic`, rule N19): one URL for each kind, without a
//! signature.

use model::{
    ApiKeyId, EndpointId, Metadata,
    event::{DomainEvent, Event},
    ledger::{BASIC_PROCESSED, BASIC_RAW, Message},
    trigger,
};
use serde_json::{Value, json};
use service::{Error, Receiver, Result, TenantStore, prelude::*};

use crate::{
    payload::{self, MAX_BYTES},
    target,
};

/// The body of a basic webhook.
pub(crate) fn body(api_key: &ApiKeyId, message: &Message) -> Result<String> {
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
    let mut body = Metadata::new();
    let mut set = |name: &str, value: Value| drop(body.insert(name.to_owned(), value));
    set("webhookId", json!(message.id));
    set("actionType", json!(action));
    set("notificationSource", json!(event.event.source()));
    if message.expunged_at.is_some() {
        set("expunged", json!(true));
        return serde_json::to_string(&body).map_err(Error::internal);
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
    });
    set("metadata", metadata);
    let mut full = body.clone();
    full.extend(payload::members(message, event));
    payload::changes(event, &mut full);
    let text = serde_json::to_string(&full).map_err(Error::internal)?;
    if !payload::is_thin(message, event) && text.len() <= MAX_BYTES {
        return Ok(text);
    }
    body.extend(payload::ids(api_key, event));
    body.insert("truncated".to_owned(), json!(true));
    serde_json::to_string(&body).map_err(Error::internal)
}

/// Whether this is a pseudo endpoint for basic webhooks.
pub(crate) fn is_endpoint(id: &EndpointId) -> bool {
    [BASIC_RAW, BASIC_PROCESSED].contains(&id.as_str())
}

/// Refuses messages that were never sent there, and missing URLs.
pub(crate) async fn require_sent(
    tenant: &TenantStore,
    endpoint: &EndpointId,
    message: &Message,
) -> Result<()> {
    if !message.endpoints.contains(endpoint) {
        let id = &message.id;
        return Err(Error::not_found(format!("Message {id} was not sent to {endpoint}.")));
    }
    let receiver = tenant.webhooks().receiver(endpoint).await?;
    match receiver {
        Receiver::Basic(config) if target::basic_url(&config, endpoint).is_ok() => Ok(()),
        _ => Err(Error::precondition(format!(
            "The webhook {endpoint} is not configured or disabled."
        ))),
    }
}
