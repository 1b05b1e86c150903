//! The new notification and its event.

use std::collections::BTreeMap;

use model::{
    NotificationId,
    comment::location_id,
    event::{DomainEvent, EventType},
    notification::Notification,
    user::Person,
};
use serde_json::json;
use service::prelude::*;

use super::Request;

/// Values of an access context.
const MAX_ACCESS: usize = 200;

/// The event that delivery by other channels needs.
pub(super) fn event(
    notification: &Notification,
    organization: &OrganizationId,
    users: Vec<Person>,
) -> Result<DomainEvent> {
    let data = json!({
        "id": notification.id,
        "notificationSource": notification.notification_source,
        "displayHeadlineMessageTemplate": notification.display_headline_message_template,
        "displayHeadlineMessageTemplateData":
            notification.display_headline_message_template_data,
        "displayBodyMessage": notification.display_body_message,
        "notifyUsers": users,
        "notifyAll": notification.notify_all,
    });
    let data = serde_json::from_value(data).map_err(Error::internal)?;
    Ok(DomainEvent {
        actor: notification.action_user.clone(),
        annotation_id: notification.thread(),
        data,
        notify: true,
        ..DomainEvent::new(EventType::NotificationAdd, organization, &notification.document_id)
    })
}

impl Request {
    pub(super) fn check(&self) -> Result<()> {
        let needed = self.is_notification_resolver_used != Some(true);
        let missing = |member| Err(issue(&[member], "is required unless a resolver is used"));
        if needed && self.display_headline_message_template.is_none() {
            return missing("displayHeadlineMessageTemplate");
        }
        if needed && self.display_body_message.is_none() {
            return missing("displayBodyMessage");
        }
        match &self.context {
            Some(context) if context.access.len() > MAX_ACCESS => {
                Err(issue(&["context", "access"], "must hold at most 200 items"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn notification(
        self,
        id: NotificationId,
        users: &BTreeMap<UserId, Person>,
        now: u64,
    ) -> Notification {
        let location = self.location.unwrap_or_default();
        let id_within = location_id(&location);
        Notification {
            notification_source: self.notification_source.unwrap_or_default(),
            notification_source_data: self.notification_source_data.unwrap_or_default(),
            action_user: Some(self.action_user),
            display_headline_message_template: self.display_headline_message_template,
            display_headline_message_template_data: self
                .display_headline_message_template_data
                .unwrap_or_default(),
            display_body_message: self.display_body_message,
            display_body_message_template: self.display_body_message_template,
            display_body_message_template_data: self
                .display_body_message_template_data
                .unwrap_or_default(),
            metadata: self.metadata.unwrap_or_default(),
            notify_users: users.keys().map(|id| (id.clone(), true)).collect(),
            notify_all: self.notify_all.unwrap_or(true),
            target_annotation_id: self.target_annotation_id,
            location_id: self.location_id.or(id_within),
            location,
            context: self.context.unwrap_or_default(),
            is_notification_resolver_used: self.is_notification_resolver_used == Some(true),
            ..Notification::new(id, self.document_id, now)
        }
    }
}
