//! Basic webhooks (siblings 4.1, 14.3; rule N19): they go to one URL each, without a signature.

use model::{
    EndpointId, MessageId, Metadata, Millis,
    event::{DeliveredNotice, DomainEvent},
    ledger::{BASIC_PROCESSED, BASIC_RAW, Delivery, Message},
    trigger,
};
use serde_json::{Value, json};
use service::{Error, Job, Result, StoredEvent, TenantStore};

use crate::{
    keep, names,
    payload::{self, Facts, Frame},
};

/// Largest body, as of advanced webhooks.
const MAX_BYTES: usize = 256 * 1024;

/// Whether unprocessed notifications of an event were wanted at a time.
pub(crate) async fn is_wanted(job: &Job, then: Millis, event: &str) -> Result<bool> {
    let Some(config) = job.webhook_config().at(then).await? else { return Ok(false) };
    let service = &config.webhook_service_config;
    let has_url = service.raw_notification_url.as_ref().is_some_and(|url| !url.as_str().is_empty());
    let is_on = service.triggers.as_ref().and_then(|triggers| triggers.is_on(event));
    Ok(config.use_webhook_service && has_url && is_on == Some(true))
}

/// The delivery of an unprocessed notification.
pub(crate) fn raw(
    job: &Job,
    message: &Message,
    event: &DomainEvent,
    facts: &Facts,
) -> Result<Delivery> {
    let mut delivery = keep::delivery(message, keep::reserved(BASIC_RAW)?, job.now());
    delivery.body = Some(raw_body(job, message, event, facts)?);
    Ok(delivery)
}

fn raw_body(job: &Job, message: &Message, event: &DomainEvent, facts: &Facts) -> Result<String> {
    let name = event.event.name();
    let (_, action) = trigger::camel(name).unwrap_or(("", name));
    let document = facts.document.as_ref();
    let mut body = Metadata::new();
    let mut set = |name: &str, value: Value| drop(body.insert(name.to_owned(), value));
    set("webhookId", json!(message.id));
    set("actionType", json!(action));
    set("notificationSource", json!(names::source(event.event)));
    set("actionUser", json!(event.actor));
    set("platform", json!("sdk"));
    let metadata = json!({
        "apiKey": job.api_key().id,
        "clientDocumentId": event.document_id,
        "clientOrganizationId": event.organization_id,
        "documentId": event.document_id,
        "documentName": document.and_then(|it| it.document_name.as_ref()),
        "documentMetadata": document.map(|it| &it.metadata),
        "organizationId": event.organization_id,
        "organizationMetadata": facts.organization.as_ref().map(|it| &it.metadata),
    });
    set("metadata", metadata);
    let mut full = body.clone();
    full.extend(facts.members.clone());
    payload::changes(event, &mut full);
    let text = serde_json::to_string(&full).map_err(Error::internal)?;
    if !facts.is_thin && text.len() <= MAX_BYTES {
        return Ok(text);
    }
    body.extend(payload::ids(job, event));
    body.insert("truncated".to_owned(), json!(true));
    serde_json::to_string(&body).map_err(Error::internal)
}

/// Has the notification of one user sent to where processed notifications go.
pub(crate) async fn deliver_notice(
    job: &Job,
    stored: &StoredEvent,
    notice: &DeliveredNotice,
) -> Result<()> {
    let Some(config) = job.webhook_config().at(stored.at).await? else { return Ok(()) };
    let service = &config.webhook_service_config;
    let url = service.processed_notification_url.as_ref();
    let is_on = service.triggers.as_ref().and_then(|triggers| triggers.is_on(&notice.trigger));
    if !config.use_webhook_service
        || url.is_none_or(|url| url.as_str().is_empty())
        || is_on != Some(true)
    {
        return Ok(());
    }
    let id = keep::message_id(stored)?;
    let mut data = notice.data.clone();
    data.insert("webhookId".to_owned(), json!(id));
    data.insert("notificationId".to_owned(), json!(notice.notification_id));
    let (kind, timestamp) = (notice.trigger.as_str(), model::Timestamp(stored.at));
    let body = Frame { kind, timestamp, id: &id, seq: stored.seq, data: &data }.text()?;
    let message = Message {
        id,
        event_type: notice.trigger.clone(),
        at: stored.at,
        body,
        channels: vec![],
        organization_id: Some(notice.organization_id.clone()),
        document_id: None,
        seq: None,
        expunged_at: None,
    };
    let mut delivery = keep::delivery(&message, keep::reserved(BASIC_PROCESSED)?, job.now());
    delivery.body = Some(serde_json::to_string(&data).map_err(Error::internal)?);
    keep::keep(job, &message, &[delivery]).await
}

/// Whether this is one of the endpoints that are there for basic webhooks alone.
pub(crate) fn is_endpoint(id: &EndpointId) -> bool {
    [BASIC_RAW, BASIC_PROCESSED].contains(&id.as_str())
}

/// Refuses what was never sent there, or has nowhere to go any more.
pub(crate) async fn require_sent(
    tenant: &TenantStore,
    endpoint: &EndpointId,
    message: &MessageId,
) -> Result<()> {
    if tenant.delivery(endpoint, message).await?.is_none() {
        return Err(Error::not_found(format!("Message {message} was not sent to {endpoint}.")));
    }
    let config = tenant.webhook_config().find(&()).await?.unwrap_or_default();
    let service = config.webhook_service_config;
    let url = match endpoint.as_str() {
        BASIC_RAW => service.raw_notification_url,
        _ => service.processed_notification_url,
    };
    if !config.use_webhook_service || url.is_none_or(|url| url.as_str().is_empty()) {
        return Err(Error::precondition(format!("Nothing is sent to {endpoint} at present.")));
    }
    Ok(())
}
