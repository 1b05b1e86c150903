//! Rendering of events in notifications and mails: facts stored with the event, and content read at
//! delivery (rules N3 and N14).

mod digest;
mod facts;
mod headline;
mod part;
mod reached;

pub use facts::{Facts, Shown};
pub use headline::Headline;
pub use part::{Part, parts};
pub use reached::{Naming, Standing, reached};

use part::DocumentNames;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    AnnotationId, DocumentId, Metadata, Millis, NotificationId, OrganizationId, UserId,
    comment::location_id,
    event::EventType,
    notification::{Notification, NotificationSource},
    user::Person,
};

/// One activity in a notification, with its current content.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NoticeEntry {
    /// The event.
    pub event_id: String,
    /// Type of the event.
    pub kind: EventType,
    /// Source of the activity.
    pub source: NotificationSource,
    /// The actor, if known.
    pub actor: Option<Person>,
    /// Time.
    pub at: Millis,
    /// The document.
    pub document_id: DocumentId,
    /// The name of the document, or its id.
    pub document_name: String,
    /// The thread.
    pub annotation_id: Option<AnnotationId>,
    /// The comment.
    pub comment_id: Option<u64>,
    /// The text it is about, on one line with at most [`NoticeEntry::MAX_SNIPPET`] characters.
    pub snippet: Option<String>,
    /// Whether the comment mentions the recipient, directly or by a group.
    pub is_mention: bool,
    /// Whether the recipient is directly involved (rule N3).
    pub is_direct: bool,
    /// Whether the recipient is involved only by a subscription to the thread.
    pub is_subscriber: bool,
    /// The page of the thread, if a browser can open its URL.
    pub page_url: Option<String>,
    /// Location in the document.
    pub location: Option<Metadata>,
    /// Variables of the headline besides people and documents: `status`, `priority`, `icon`,
    /// `assignee`.
    pub values: Metadata,
    /// The end user who caused it; none for the tenant's server.
    #[serde(skip)]
    pub by_end_user: Option<UserId>,
    /// Headline and message of a custom notification.
    pub own: Option<Box<Notification>>,
}

/// A notification with its content.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Contents {
    /// The notification.
    pub id: NotificationId,
    /// The organization.
    pub organization_id: OrganizationId,
    /// The recipient, with an address if known.
    pub recipient: Person,
    /// Activities of the notification, oldest first; never empty.
    pub entries: Vec<NoticeEntry>,
    /// The batch (rule N14): `scope`, `openedAt`, `closedAt`, `reason`.
    pub batch: Option<Metadata>,
    /// Delivery time.
    pub at: Millis,
}

impl NoticeEntry {
    /// Maximum length of a snippet, in characters.
    pub const MAX_SNIPPET: usize = 280;

    /// The activity in a digest.
    fn part(&self) -> Part {
        Part {
            id: self.event_id.clone(),
            kind: self.kind,
            action_user: self.actor.clone(),
            document_id: self.document_id.clone(),
            comment_annotation_id: self.annotation_id.clone(),
            comment_id: self.comment_id,
            timestamp: self.at,
            snippet: self.snippet.clone(),
        }
    }

    /// Source data of the notification.
    fn source_data(&self) -> Metadata {
        let members = [
            ("eventId", json!(self.event_id)),
            ("actionType", json!(self.kind.name())),
            ("annotationId", json!(self.annotation_id)),
            ("commentId", json!(self.comment_id)),
        ];
        let known = members.into_iter().filter(|(_, value)| !value.is_null());
        known.map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

impl Contents {
    /// The end users who caused it; none if the tenant's server caused a part of it.
    pub fn end_users(&self) -> std::collections::BTreeSet<&UserId> {
        let by = self.entries.iter().map(|entry| entry.by_end_user.as_ref());
        by.collect::<Option<_>>().unwrap_or_default()
    }

    /// The headline of the notification.
    pub fn headline(&self) -> Headline {
        match self.entries.as_slice() {
            [only] => Headline::of_one(only, &self.recipient),
            _ => Headline::of_several(&self.parts(), &self.documents()).to(&self.recipient),
        }
    }

    fn parts(&self) -> Vec<Part> {
        self.entries.iter().map(NoticeEntry::part).collect()
    }

    /// The names of its documents.
    fn documents(&self) -> DocumentNames {
        let name = |it: &NoticeEntry| (it.document_id.clone(), it.document_name.clone());
        self.entries.iter().map(name).collect()
    }

    /// The notification for the inbox of its recipient (rule N14); none without entries. A custom
    /// notification already exists and is not created here.
    pub fn notification(&self) -> Option<Notification> {
        let newest = self.entries.last()?;
        let headline = self.headline();
        let is_same = |entry: &NoticeEntry| entry.source == newest.source;
        let source = match self.entries.iter().all(is_same) {
            true => newest.source,
            false => NotificationSource::Custom,
        };
        let mut it = Notification {
            notification_source: source,
            action_user: newest.actor.clone(),
            display_headline_message_template: Some(headline.template),
            display_headline_message_template_data: headline.data,
            notify_users: [(self.recipient.user_id.clone(), true)].into(),
            delivered: true,
            ..Notification::new(self.id.clone(), newest.document_id.clone(), self.at)
        };
        match (self.entries.as_slice(), &self.batch) {
            ([only], _) => {
                it.display_body_message = Some(only.snippet.clone().unwrap_or_default());
                it.notification_source_data = only.source_data();
                it.target_annotation_id = only.annotation_id.clone();
                it.location = only.location.clone().unwrap_or_default();
                it.location_id = location_id(&it.location);
            }
            (_, batch) => {
                let batch = Value::Object(batch.clone().unwrap_or_default());
                it.notification_source_data.insert("batch".to_owned(), batch);
                it.show_parts(&self.parts(), &self.documents());
            }
        }
        Some(it)
    }
}

#[cfg(test)]
mod tests;
