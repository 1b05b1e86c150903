//! Notifications (contract `types.notification`).

pub mod inbox;
pub mod notice;
pub mod preference;
pub mod seen;
pub mod trace;
mod view;

pub use view::NotificationView;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    AnnotationId, DocumentId, Metadata, Millis, NotificationId, Only, Text, UserId,
    notice::{Part as DigestPart, parts},
    people::{self, Fate, Names, Part, People, Rest},
    user::Person,
};

/// Source of a notification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum NotificationSource {
    /// The caller's product.
    #[default]
    Custom,
    /// A thread of comments.
    Comment,
    /// A huddle.
    Huddle,
    /// The data of an editor.
    Crdt,
    /// A recording.
    Recorder,
}

impl NotificationSource {
    /// Whether its source data names a thread of comments: huddles, editors and recordings have
    /// none.
    pub const fn has_thread(self) -> bool {
        matches!(self, Self::Comment | Self::Custom)
    }
}

/// Access information of the caller's product: stored and shown, without effect, because users have
/// no access context.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AccessContext {
    /// Values by field.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub access: Metadata,
}

impl AccessContext {
    fn is_empty(&self) -> bool {
        self.access.is_empty()
    }
}

/// A notification as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// The caller's id, or a generated one.
    pub id: NotificationId,
    /// The document it is about.
    pub document_id: DocumentId,
    /// Further documents of a digest.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub further_document_ids: BTreeSet<DocumentId>,
    /// Whether it was created from events in documents instead of by a caller.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub delivered: bool,
    /// Source of the notification.
    #[serde(default)]
    pub notification_source: NotificationSource,
    /// Data of the source, such as the ids of a thread.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub notification_source_data: Metadata,
    /// The actor.
    pub action_user: Option<Person>,
    /// Headline with variables in curly brackets.
    pub display_headline_message_template: Option<String>,
    /// Values of its variables.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub display_headline_message_template_data: Metadata,
    /// Secondary message.
    pub display_body_message: Option<String>,
    /// Secondary message with variables in curly brackets.
    pub display_body_message_template: Option<String>,
    /// Values of its variables.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub display_body_message_template_data: Metadata,
    /// Custom data.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub metadata: Metadata,
    /// Named recipients; false for one of all who has deleted it.
    #[serde(default)]
    pub notify_users: BTreeMap<UserId, bool>,
    /// Whether all users with access to the document are recipients.
    #[serde(default)]
    pub notify_all: bool,
    /// The thread it is about.
    pub target_annotation_id: Option<AnnotationId>,
    /// Location in the document.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub location: Metadata,
    /// The id of the location, for filters.
    pub location_id: Option<Text>,
    /// Access information of the caller's product.
    #[serde(default, skip_serializing_if = "AccessContext::is_empty")]
    pub context: AccessContext,
    /// Time of addition or delivery.
    pub timestamp: Millis,
    /// Users who have read it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub read_by_user_ids: BTreeSet<UserId>,
    /// Whether users who have read it still find it in their list.
    #[serde(default)]
    pub persist_read_for_users: bool,
    /// Whether the caller's client renders the messages.
    #[serde(default)]
    pub is_notification_resolver_used: bool,
}

impl Notification {
    /// An empty notification without recipients.
    pub fn new(id: NotificationId, document_id: DocumentId, timestamp: Millis) -> Self {
        Self {
            id,
            document_id,
            further_document_ids: BTreeSet::new(),
            delivered: false,
            notification_source: NotificationSource::default(),
            notification_source_data: Metadata::new(),
            action_user: None,
            display_headline_message_template: None,
            display_headline_message_template_data: Metadata::new(),
            display_body_message: None,
            display_body_message_template: None,
            display_body_message_template_data: Metadata::new(),
            metadata: Metadata::new(),
            notify_users: BTreeMap::new(),
            notify_all: false,
            target_annotation_id: None,
            location: Metadata::new(),
            location_id: None,
            context: AccessContext::default(),
            timestamp,
            read_by_user_ids: BTreeSet::new(),
            persist_read_for_users: false,
            is_notification_resolver_used: false,
        }
    }

    /// The named recipients.
    pub fn named(&self) -> impl Iterator<Item = &UserId> {
        self.notify_users.iter().filter(|(_, named)| **named).map(|(user, _)| user)
    }

    /// Whether a user is a named recipient.
    pub fn names(&self, user: &UserId) -> bool {
        self.notify_users.get(user) == Some(&true)
    }

    /// Documents of the notification.
    pub fn documents(&self) -> impl Iterator<Item = &DocumentId> {
        std::iter::once(&self.document_id).chain(&self.further_document_ids)
    }

    /// The activities of a digest.
    pub fn parts(&self) -> Vec<DigestPart> {
        if self.delivered { parts(&self.notification_source_data) } else { vec![] }
    }

    /// The thread it is about: readers need access to that thread. Huddles, editors and recordings
    /// have none.
    pub fn thread(&self) -> Option<AnnotationId> {
        let is_of_comments = self.notification_source == NotificationSource::Comment;
        let named = |member: &str| {
            let id = self.notification_source_data.get(member).and_then(Value::as_str)?;
            AnnotationId::try_from(id.to_owned()).ok().filter(|_| is_of_comments)
        };
        match self.notification_source {
            NotificationSource::Comment | NotificationSource::Custom => self
                .target_annotation_id
                .clone()
                .or_else(|| named("annotationId"))
                .or_else(|| named("commentAnnotationId")),
            _ => None,
        }
    }
}

/// The notification goes with its only recipient. A delivered one goes with its actor, and the
/// activities of a digest go with theirs.
impl Names for Notification {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let mut leaves = |part: &DigestPart| match &part.action_user {
            Some(actor) => walk.named(Part::Beside, actor.user_id.as_str()) == Fate::Leaves,
            None => false,
        };
        let parts = self.parts();
        if !parts.is_empty() && self.retain_parts(|part| !leaves(part)) == 0 {
            return Rest::Gone;
        }
        let Self {
            id: _,
            document_id: _,
            further_document_ids: _,
            delivered,
            notification_source: _,
            notification_source_data,
            action_user,
            display_headline_message_template: _,
            display_headline_message_template_data,
            display_body_message,
            display_body_message_template: _,
            display_body_message_template_data,
            metadata,
            notify_users,
            notify_all,
            target_annotation_id: _,
            location,
            location_id: _,
            context: AccessContext { access },
            timestamp: _,
            read_by_user_ids,
            persist_read_for_users: _,
            is_notification_resolver_used: _,
        } = self;
        let was_for_somebody = notify_users.values().any(|named| *named);
        let part_of = |named: &bool| if *named { Part::Recipient } else { Part::Beside };
        people::by_id(walk, part_of, notify_users, |named, _| named);
        let is_for_somebody = *notify_all || notify_users.values().any(|named| *named);
        if was_for_somebody && !is_for_somebody {
            return Rest::Gone;
        }
        people::ids(walk, Part::Beside, read_by_user_ids);
        if let Some(actor) = action_user {
            let leaves = walk.named(Part::Beside, actor.user_id.as_str()) == Fate::Leaves;
            if leaves && *delivered && parts.is_empty() {
                return Rest::Gone;
            }
            people::person(walk, Part::Beside, actor);
        }
        display_body_message.iter_mut().for_each(|text| walk.text(text));
        for custom in [
            notification_source_data,
            display_headline_message_template_data,
            display_body_message_template_data,
            metadata,
            location,
            access,
        ] {
            people::members(walk, custom);
        }
        Rest::Stays
    }
}

/// A filter of notifications; all conditions have to hold.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Filter {
    /// Only those about this document.
    pub document_id: Option<DocumentId>,
    /// Only those about this location.
    pub location_id: Option<Text>,
    /// Only those addressed to this user.
    pub user_id: Option<UserId>,
    /// Only those with these ids.
    pub ids: Only<NotificationId>,
}

impl Filter {
    /// Whether it has a condition.
    pub fn is_empty(&self) -> bool {
        let Self { document_id, location_id, user_id, ids } = self;
        document_id.is_none() && location_id.is_none() && user_id.is_none() && ids.named().is_none()
    }

    /// Whether a notification matches.
    pub fn admits(&self, notification: &Notification) -> bool {
        let is_for = |user: &UserId| {
            notification.notify_users.get(user).copied().unwrap_or(notification.notify_all)
        };
        self.document_id.as_ref().is_none_or(|id| notification.documents().any(|own| own == id))
            && (self.location_id.is_none() || self.location_id == notification.location_id)
            && self.user_id.as_ref().is_none_or(is_for)
            && self.ids.keeps(&notification.id)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Filter, Notification, NotificationSource};
    use crate::people::{Forgotten, Names};

    fn about(source: NotificationSource, data: Value, target: Option<&str>) -> Option<String> {
        let id = |text: &str| text.to_owned();
        let mut it = Notification::new(id("n").try_into().unwrap(), id("d").try_into().unwrap(), 1);
        it.notification_source = source;
        it.notification_source_data = serde_json::from_value(data).unwrap();
        it.target_annotation_id = target.map(|target| id(target).try_into().unwrap());
        it.thread().map(String::from)
    }

    #[test]
    fn the_thread_is_the_target_or_what_the_data_of_comments_names() {
        use NotificationSource::{Comment, Custom, Recorder};
        let thread = |id: &str| Some(id.to_owned());
        assert_eq!(about(Comment, json!({ "annotationId": "a" }), None), thread("a"));
        assert_eq!(about(Comment, json!({ "commentAnnotationId": "a" }), None), thread("a"));
        assert_eq!(about(Comment, json!({ "annotationId": "a" }), Some("b")), thread("b"));
        assert_eq!(about(Comment, json!({ "annotationId": 7 }), None), None);
        assert_eq!(about(Custom, json!({ "annotationId": "a" }), None), None);
        assert_eq!(about(Custom, json!({}), Some("b")), thread("b"));
        assert_eq!(about(Recorder, json!({ "annotationId": "a" }), Some("b")), None);
    }

    #[test]
    fn a_notification_goes_with_the_last_one_it_is_for() {
        let stored = json!({
            "id": "n", "documentId": "d", "timestamp": 1,
            "notifyUsers": { "ada": true, "bob": true, "cy": false }, "readByUserIds": ["ada"],
            "actionUser": { "userId": "eve", "name": "Eve" },
            "displayHeadlineMessageTemplateData": { "actionUser": { "userId": "eve", "name": "Eve" } },
        });
        let mut it: Notification = serde_json::from_value(stored).unwrap();
        let mut forget = |user: &str| it.forget(&user.to_owned().try_into().unwrap());
        assert_eq!(forget("zoe"), Forgotten::Unchanged);
        assert_eq!(forget("eve"), Forgotten::Changed);
        assert_eq!(forget("eve"), Forgotten::Unchanged);
        assert_eq!(forget("ada"), Forgotten::Changed);
        let mut for_all = it.clone();
        let shown = serde_json::to_value(&it).unwrap();
        assert!(
            !shown.to_string().contains("ada") && !shown.to_string().contains("ve\""),
            "{shown}"
        );
        assert_eq!(it.forget(&"bob".to_owned().try_into().unwrap()), Forgotten::Gone);
        for_all.notify_all = true;
        assert_eq!(for_all.forget(&"bob".to_owned().try_into().unwrap()), Forgotten::Changed);
    }

    #[test]
    fn all_that_a_filter_says_holds_together() {
        let mut it: Notification = serde_json::from_value(json!({
            "id": "n", "documentId": "d", "timestamp": 1, "locationId": "l",
            "notifyUsers": { "ada": true, "bob": false },
        }))
        .unwrap();
        let admits = |notification: &Notification, document: &str, location: &str, user: &str| {
            let filter = Filter {
                document_id: Some(document.to_owned().try_into().unwrap()),
                location_id: Some(location.to_owned().try_into().unwrap()),
                user_id: Some(user.to_owned().try_into().unwrap()),
                ids: [notification.id.clone()].into(),
            };
            filter.admits(notification)
        };
        assert!(Filter::default().admits(&it) && Filter::default().is_empty());
        assert!(admits(&it, "d", "l", "ada"));
        assert!(!admits(&it, "e", "l", "ada") && !admits(&it, "d", "m", "ada"));
        assert!(!admits(&it, "d", "l", "bob") && !admits(&it, "d", "l", "eve"));
        it.notify_all = true;
        assert!(!admits(&it, "d", "l", "bob") && admits(&it, "d", "l", "eve"));
    }
}
