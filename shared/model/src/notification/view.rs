//! A notification in replies.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::{AccessContext, Notification, NotificationSource};
use crate::{
    AnnotationId, ApiKeyId, Metadata, Millis, NotificationId, OrganizationId, Text, UserId,
    user::Person,
};

/// A notification in replies.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Notification")]
pub struct NotificationView {
    id: NotificationId,
    notification_source: NotificationSource,
    notification_source_data: Metadata,
    #[serde(skip_serializing_if = "Option::is_none")]
    action_user: Option<Person>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_body_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_body_message_template: Option<String>,
    #[serde(skip_serializing_if = "Metadata::is_empty")]
    display_body_message_template_data: Metadata,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_headline_message_template: Option<String>,
    display_headline_message_template_data: Metadata,
    /// Data as sent, with `apiKey`, `documentId` and `organizationId`.
    metadata: Metadata,
    /// Named recipients by user id.
    notify_users: BTreeMap<UserId, bool>,
    /// Named recipients by user id, as in `notifyUsers`.
    notify_users_by_user_id: BTreeMap<UserId, bool>,
    /// Whether all users with access to the document are recipients.
    notify_all: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_annotation_id: Option<AnnotationId>,
    #[serde(skip_serializing_if = "Metadata::is_empty")]
    location: Metadata,
    #[serde(skip_serializing_if = "Option::is_none")]
    location_id: Option<Text>,
    /// As it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<AccessContext>,
    /// Epoch milliseconds.
    timestamp: Millis,
    read_by_user_ids: BTreeSet<UserId>,
    persist_read_for_users: bool,
    is_notification_resolver_used: bool,
}

impl Notification {
    /// The notification for a reply.
    pub fn shown(self, api_key: &ApiKeyId, organization: &OrganizationId) -> NotificationView {
        let mut it = self;
        it.notify_users.retain(|_, is_named| *is_named);
        let mut metadata = it.metadata;
        metadata.insert("apiKey".to_owned(), json!(api_key));
        metadata.insert("documentId".to_owned(), json!(it.document_id));
        metadata.insert("organizationId".to_owned(), json!(organization));
        NotificationView {
            id: it.id,
            notification_source: it.notification_source,
            notification_source_data: it.notification_source_data,
            action_user: it.action_user,
            display_body_message: it.display_body_message,
            display_body_message_template: it.display_body_message_template,
            display_body_message_template_data: it.display_body_message_template_data,
            display_headline_message_template: it.display_headline_message_template,
            display_headline_message_template_data: it.display_headline_message_template_data,
            metadata,
            notify_users: it.notify_users.clone(),
            notify_users_by_user_id: it.notify_users,
            notify_all: it.notify_all,
            target_annotation_id: it.target_annotation_id,
            location: it.location,
            location_id: it.location_id,
            context: Some(it.context).filter(|context| !context.access.is_empty()),
            timestamp: it.timestamp,
            read_by_user_ids: it.read_by_user_ids,
            persist_read_for_users: it.persist_read_for_users,
            is_notification_resolver_used: it.is_notification_resolver_used,
        }
    }
}

impl NotificationView {
    /// The notification for an end user: without the API key and the addresses of users.
    #[must_use]
    pub fn for_end_user(mut self) -> Self {
        self.metadata.remove("apiKey");
        if let Some(actor) = &mut self.action_user {
            actor.email = None;
        }
        let data = [
            &mut self.notification_source_data,
            &mut self.display_body_message_template_data,
            &mut self.display_headline_message_template_data,
        ];
        data.into_iter().flat_map(Metadata::values_mut).for_each(hide_addresses);
        self
    }
}

/// Leaves out the addresses of the users in it.
fn hide_addresses(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if members.contains_key("userId") {
                members.remove("email");
            }
            members.values_mut().for_each(hide_addresses);
        }
        Value::Array(elements) => elements.iter_mut().for_each(hide_addresses),
        _ => {}
    }
}
