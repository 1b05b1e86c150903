//! Bodies of events outside documents: changes of endpoints and messages, notifications.

use model::{ApiKeyId, Metadata, event::Event};
use serde_json::{Value, json};

use crate::types::Message;

/// The members of its body.
pub(super) fn members(api_key: &ApiKeyId, message: &Message, event: &Event) -> Metadata {
    let mut data = Metadata::new();
    let mut set = |name: &str, value: Value| drop(data.insert(name.to_owned(), value));
    match event {
        Event::EndpointChanged { endpoint_id, reason, percent, .. } => {
            set("endpointId", json!(endpoint_id));
            if let Some(reason) = reason {
                set("reason", json!(reason.name()));
            }
            if let Some(percent) = percent {
                set("percent", json!(percent));
            }
            set("apiKey", json!(api_key));
        }
        Event::DeliveryChanged {
            endpoint_id,
            message_id,
            event_type,
            attempts,
            status_code,
            ..
        } => {
            set("endpointId", json!(endpoint_id));
            set("messageId", json!(message_id));
            set("messageType", json!(event_type));
            set("attempts", json!(attempts));
            set("statusCode", json!(status_code));
            set("apiKey", json!(api_key));
        }
        Event::NoticeDelivered(notice) => {
            data = notice.data.clone();
            data.insert("webhookId".to_owned(), json!(message.id));
            data.insert("notificationId".to_owned(), json!(notice.notification_id));
        }
        _ => {}
    }
    data
}
