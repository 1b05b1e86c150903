//! Threads of comments, and their archived comments.

use aws::Item;
use model::{
    AnnotationId, DocumentId, OrganizationId, UserId,
    comment::{ArchivedComment, Thread},
    people::{Names, Part},
    visibility::{Membership, Visibility},
};

use crate::layout::{
    Entity, Index, Indexed, Key, Link, Place, at, item, linked_to, of_document, of_kind,
};

/// Key prefix of a document's threads.
pub fn threads_in(document: &DocumentId) -> Key {
    Key::pair("annotation", document.as_str())
}

/// All threads with an id, in [`Index::Target`]: each document may have one.
pub fn with_annotation_id(id: &AnnotationId) -> Key {
    Key::pair("annotation-id", id.as_str())
}

/// Key prefix of the threads that involve a user, by time.
pub fn involving(user: &UserId) -> Key {
    linked_to(user).join(&Key::named(Thread::KIND))
}

/// Key prefix of the link rows to threads in which a user reacted.
pub fn reacted(user: &UserId) -> Key {
    linked_to(user).join(&Key::named("reaction"))
}

impl Entity for Thread {
    const KIND: &'static str = "annotation";
    const NOUN: &'static str = "comment annotation";
    const FILLS: bool = true;
    const JSON: &'static [&'static str] = &[
        "location",
        "targetElement",
        "context",
        "pageInfo",
        "layout",
        "suggestion",
        "agent",
        "subscribed",
        "unsubscribed",
        "comments",
        "archive",
    ];
    const LISTS_LINKS: bool = false;
    type Id = (DocumentId, AnnotationId);
    fn id(&self) -> Self::Id {
        (self.document_id.clone(), self.annotation_id.clone())
    }
    fn shown((_, id): &Self::Id) -> &str {
        id.as_str()
    }
    fn place((document, id): &Self::Id) -> Place {
        Place(threads_in(document).and("id", id.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let sort = at::<Self>(self.created_at, &Self::place(&self.id()).0);
        vec![
            Indexed::new(Index::Container, of_document(&self.document_id), sort.clone()),
            Indexed::new(Index::Kind, of_kind::<Self>(), sort.clone()),
            Indexed::new(Index::Target, with_annotation_id(&self.annotation_id), sort),
        ]
    }
    fn is_visible(
        &self,
        viewer: &UserId,
        member_of: &dyn Fn(&OrganizationId) -> Membership,
    ) -> bool {
        self.visibility.admits(viewer, member_of)
    }
    fn visibility_in(item: &Item) -> Option<Visibility> {
        let visibility = item.get("visibility")?.as_m().ok()?;
        item::members(visibility.clone()).ok()
    }
    fn links(&self) -> Vec<Link> {
        let place = Self::place(&self.id()).0;
        let by_time = at::<Self>(self.created_at, &place);
        let reaction = Key::pair("reaction", self.document_id.as_str())
            .and("annotation", self.annotation_id.as_str());
        let found = self.found();
        let involved = found.in_part(Part::is_involved).into_iter();
        let mut links: Vec<Link> = involved.map(|user| Link::of_user(&user, &by_time)).collect();
        let reactors = found.in_part(|part| part == Part::Reactor).into_iter();
        links.extend(reactors.map(|user| Link::of_user(&user, &reaction)));
        links.extend(found.beside().iter().map(|user| Link::beside(user, &place)));
        links
    }
}

/// A thread, in its document.
pub type ThreadId = (DocumentId, AnnotationId);

/// The archived comments of a document.
fn archived_in(document: &DocumentId) -> Key {
    Key::pair(ArchivedComment::KIND, document.as_str())
}

/// The archived comments of a thread.
pub fn archived_of((document, id): &ThreadId) -> Key {
    archived_in(document).and("id", id.as_str())
}

/// The link rows by number of archived comments of a document.
fn numbers_in(document: &DocumentId) -> Key {
    Key::pair("comment-id", document.as_str())
}

/// The link rows by number of archived comments of a thread.
pub fn numbers_of((document, id): &ThreadId) -> Key {
    numbers_in(document).and("id", id.as_str())
}

/// Key of the link row to an archived comment, by its number.
pub fn numbered_comment(thread: &ThreadId, id: u64) -> Key {
    numbers_of(thread).and("comment", &id.to_string())
}

/// Key of the archived comment at a position.
pub fn archived_at(thread: &ThreadId, position: u64) -> Key {
    archived_of(thread).and("position", &format!("{position:012}"))
}

impl Entity for ArchivedComment {
    const KIND: &'static str = "archived";
    const NOUN: &'static str = "comment";
    const FILLS: bool = true;
    const JSON: &'static [&'static str] = &["comment"];
    const LISTS_LINKS: bool = false;
    type Id = (ThreadId, u64);
    fn id(&self) -> Self::Id {
        ((self.document_id.clone(), self.annotation_id.clone()), self.comment.position)
    }
    fn shown(((_, id), _): &Self::Id) -> &str {
        id.as_str()
    }
    fn place((thread, position): &Self::Id) -> Place {
        Place(archived_at(thread, *position))
    }
    fn links(&self) -> Vec<Link> {
        vec![Link(numbered_comment(&self.id().0, self.comment.comment_id))]
    }
}
