//! What endpoints are told of webhooks themselves. Nothing is told of these messages in turn, or
//! they would never end.

use model::{
    EndpointId, Metadata, Timestamp,
    event::Event,
    ledger::{Delivery, Message},
    webhook_endpoint::WebhookEndpoint,
};
use serde_json::{Value, json};
use service::{Job, Result, StoredEvent};

use crate::{keep, payload::Frame};

/// Has an event of this kind sent to every other endpoint that wants it.
pub(crate) async fn deliver(job: &Job, stored: &StoredEvent) -> Result<()> {
    let config = job.advanced_webhook_config().at(stored.at).await?;
    let Some((kind, about, data)) = told(&stored.event) else { return Ok(()) };
    if !config.is_some_and(|config| config.is_enabled) {
        return Ok(());
    }
    let id = keep::message_id(stored)?;
    let mut data = data;
    data.insert("apiKey".to_owned(), json!(job.api_key().id));
    let timestamp = Timestamp(stored.at);
    let body = Frame { kind, timestamp, id: &id, seq: None, data: &data }.text()?;
    let message = Message {
        id,
        event_type: kind.to_owned(),
        at: stored.at,
        body,
        channels: vec![],
        organization_id: None,
        document_id: None,
        seq: None,
        expunged_at: None,
    };
    let wants = |endpoint: &WebhookEndpoint| {
        let subscription = endpoint.subscription_at(stored.at);
        endpoint.id != *about && subscription.is_some_and(|it| it.wants(kind, &[]))
    };
    let endpoints = job.all_endpoints().await?.into_iter().filter(wants);
    let deliveries: Vec<Delivery> = endpoints
        .map(|endpoint| {
            let delivery = keep::delivery(&message, endpoint.id, job.now());
            Delivery { operational: true, ..delivery }
        })
        .collect();
    if deliveries.is_empty() { Ok(()) } else { keep::keep(job, &message, &deliveries).await }
}

/// The type of the message, the endpoint it is about, and what it tells.
fn told(event: &Event) -> Option<(&'static str, &EndpointId, Metadata)> {
    let (kind, about, data) = match event {
        Event::EndpointChanged { endpoint_id, change, reason, percent } => {
            let mut data = json!({ "endpointId": endpoint_id });
            if let Some(reason) = reason {
                data["reason"] = json!(reason.name());
            }
            if let Some(percent) = percent {
                data["percent"] = json!(percent);
            }
            (change.name(), endpoint_id, data)
        }
        Event::AttemptTold {
            endpoint_id,
            message_id,
            event_type,
            change,
            attempts,
            status_code,
        } => {
            let data = json!({
                "endpointId": endpoint_id,
                "messageId": message_id,
                "messageType": event_type,
                "attempts": attempts,
                "statusCode": status_code,
            });
            (change.name(), endpoint_id, data)
        }
        _ => return None,
    };
    match data {
        Value::Object(data) => Some((kind, about, data)),
        _ => None,
    }
}
