//! Notifications, and what decides about them.

use model::{
    AnnotationId, DocumentId, NotificationId, UserId,
    inbox::InboxMark,
    notification::Notification,
    people::{Names, Part},
    preference::Preference,
    seen::SeenMark,
};

use super::of_user;
use crate::layout::{Entity, Index, Indexed, Key, Link, Place, at, of_document, of_kind};

/// Notifications to everybody, in [`Index::Target`].
pub fn for_everybody() -> Key {
    Key::named("everybody")
}

/// Notifications of a document to everybody, in [`Index::Actor`]: no list needs notifications by
/// creator.
pub fn for_everybody_in(document: &DocumentId) -> Key {
    for_everybody().join(&of_document(document))
}

impl Entity for Notification {
    const KIND: &'static str = "notification";
    const JSON: &'static [&'static str] = &[
        "notificationSourceData",
        "displayHeadlineMessageTemplateData",
        "displayBodyMessageTemplateData",
        "metadata",
        "location",
        "context",
    ];
    type Id = NotificationId;
    fn id(&self) -> NotificationId {
        self.id.clone()
    }
    fn shown(id: &NotificationId) -> &str {
        id.as_str()
    }
    fn place(id: &NotificationId) -> Place {
        Place(Key::pair(Self::KIND, id.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let mut indexes = vec![
            Indexed::new(Index::Container, of_document(&self.document_id), notification_time(self)),
            Indexed::new(Index::Kind, of_kind::<Self>(), notification_time(self)),
        ];
        if self.notify_all {
            let in_document = for_everybody_in(&self.document_id);
            indexes.push(Indexed::new(Index::Target, for_everybody(), notification_time(self)));
            indexes.push(Indexed::new(Index::Actor, in_document, notification_time(self)));
        }
        indexes
    }
    fn links(&self) -> Vec<Link> {
        let sort = notification_time(self);
        let found = self.found();
        let named = found.in_part(|part| part == Part::Recipient).into_iter();
        let mut links: Vec<Link> = named.map(|user| Link::of_user(&user, &sort)).collect();
        let further = self.further_document_ids.iter();
        links.extend(further.map(|document| Link(digests_of(document).join(&sort))));
        let place = Self::place(&self.id).0;
        links.extend(found.beside().iter().map(|user| Link::beside(user, &place)));
        links
    }
}

/// Key prefix of the link rows from a document to digests about it.
pub fn digests_of(document: &DocumentId) -> Key {
    Key::pair("digest-of", document.as_str())
}

/// The sort key of a notification in lists by time.
pub fn notification_time(notification: &Notification) -> Key {
    at::<Notification>(notification.timestamp, &Key::pair("id", notification.id.as_str()))
}

/// Key prefix of the preferences for a document, or for all documents without their own.
pub fn preferences_of(document: Option<&DocumentId>) -> Key {
    let own = Key::named(Preference::KIND);
    match document {
        Some(document) => own.join(&Key::pair("document", document.as_str())),
        None => own.join(&Key::named("organization")),
    }
}

impl Entity for Preference {
    const KIND: &'static str = "preference";
    const NOUN: &'static str = "notification preference";
    const JSON: &'static [&'static str] = &["past"];
    type Id = (UserId, Option<DocumentId>);
    fn id(&self) -> Self::Id {
        (self.user_id.clone(), self.document_id.clone())
    }
    fn shown((user, _): &Self::Id) -> &str {
        user.as_str()
    }
    fn place((user, document): &Self::Id) -> Place {
        Place(preferences_of(document.as_ref()).join(&Key::pair("user", user.as_str())))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let sort = Self::place(&self.id()).0;
        let mut indexes = Indexed::within(of_user(&self.user_id), sort.clone());
        let about = |id| Indexed::new(Index::Target, of_document(id), sort);
        indexes.extend(self.document_id.as_ref().map(about));
        indexes
    }
}

/// The marks of a thread.
pub fn seen_of((document, annotation): &(DocumentId, AnnotationId)) -> Key {
    seen_in(document).and("annotation", annotation.as_str())
}

/// The marks of a document, user by user.
pub fn seen_in(document: &DocumentId) -> Key {
    Key::pair("seen", document.as_str())
}

impl Entity for SeenMark {
    const KIND: &'static str = "seen";
    const NOUN: &'static str = "seen mark";
    type Id = (DocumentId, UserId, AnnotationId);
    fn id(&self) -> Self::Id {
        (self.document_id.clone(), self.user_id.clone(), self.annotation_id.clone())
    }
    fn shown((_, _, annotation): &Self::Id) -> &str {
        annotation.as_str()
    }
    fn place((document, user, annotation): &Self::Id) -> Place {
        let of_thread = seen_in(document).and("annotation", annotation.as_str());
        Place(of_thread.and("user", user.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let sort = seen_in(&self.document_id).and("annotation", self.annotation_id.as_str());
        Indexed::within(of_user(&self.user_id), sort)
    }
}

impl Entity for InboxMark {
    const KIND: &'static str = "inbox";
    const NOUN: &'static str = "inbox mark";
    type Id = UserId;
    fn id(&self) -> UserId {
        self.user_id.clone()
    }
    fn shown(id: &UserId) -> &str {
        id.as_str()
    }
    fn place(id: &UserId) -> Place {
        Place(Key::pair(Self::KIND, id.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        Indexed::within(of_user(&self.user_id), Self::place(&self.user_id).0)
    }
}
