//! Threads of comments: one small item each, with its newest comments and their reactions. The
//! others are archived (`archive.rs`).
//!
//! A thread is found by its document, its kind and its id through the indexes, and through link
//! rows of its involved users (`annotation`, by time) and of users who reacted in it (`reaction`):
//! one row for each user. All are sorted by its creation time, which hardly ever changes, so a
//! reply writes the item alone, and a link row for a newly involved user. The item does not list
//! its link rows, because they follow from it.

use std::collections::{BTreeMap, BTreeSet};

use aws::Query;
use error::Result;
use model::{
    AnnotationId, DocumentId, OrganizationId, Text, UserId,
    access::Level,
    comment::{Annotation, Latest, Status},
    visibility::Visibility,
};
use serde::Deserialize;

use crate::{
    layout::{Entity, Index, Indexed, Key, Link, Place, at, linked_to, of_document, of_kind},
    reading::Collection,
    scopes::OrganizationStore,
};

/// Maximum number of counted threads of one document.
const MAX_COUNTED: usize = 10_000;

/// Key prefix of a document's threads.
pub(crate) fn annotations_of(document: &DocumentId) -> Key {
    Key::of("annotation", document.as_str())
}

/// All threads with an id, in [`Index::Target`]: each document may have one.
pub(crate) fn of_id(id: &AnnotationId) -> Key {
    Key::of("annotation-id", id.as_str())
}

/// Key prefix of the threads that involve a user, by time.
pub(crate) fn involving(user: &UserId) -> Key {
    linked_to(user).join(&Key::named(Annotation::KIND))
}

/// Key prefix of the link rows to threads in which a user reacted.
pub(crate) fn reacted(user: &UserId) -> Key {
    linked_to(user).join(&Key::named("reaction"))
}

impl Entity for Annotation {
    const KIND: &'static str = "annotation";
    const NOUN: &'static str = "comment annotation";
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
        Place(annotations_of(document).and("id", id.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let sort = at::<Self>(self.created_at, &Self::place(&self.id()).0);
        vec![
            Indexed::new(Index::Container, of_document(&self.document_id), sort.clone()),
            Indexed::new(Index::Kind, of_kind::<Self>(), sort.clone()),
            Indexed::new(Index::Target, of_id(&self.annotation_id), sort),
        ]
    }
    fn is_visible(&self, viewer: &UserId, organization: &OrganizationId) -> bool {
        self.visibility.admits(viewer, organization)
    }
    fn links(&self) -> Vec<Link> {
        let place = Self::place(&self.id()).0;
        let by_time = at::<Self>(self.created_at, &place);
        let reaction = Key::of("reaction", self.document_id.as_str())
            .and("annotation", self.annotation_id.as_str());
        let involved = self.involved().into_iter();
        let mut links: Vec<Link> = involved.map(|user| Link::of_user(&user, &by_time)).collect();
        links.extend(self.reactors().iter().map(|user| Link::of_user(user, &reaction)));
        links.extend(self.named_beside().iter().map(|user| Link::beside(user, &place)));
        links
    }
}

/// Number of threads of a document that a user may see, and of unread ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// All of them.
    pub total: u64,
    /// Threads with a latest comment by another user, newer than the seen mark.
    pub unread: u64,
}

/// The members of a thread for counting.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    annotation_id: AnnotationId,
    status: Status,
    #[serde(default)]
    visibility: Visibility,
    latest: Option<Latest>,
}

impl OrganizationStore {
    /// Threads of comments.
    pub fn annotations(&self) -> Collection<Annotation> {
        self.of()
    }

    /// Counts the threads of a document that a user may see, with these statuses, or all when none
    /// are named. Seen marks are read only if needed. For a document with more than 10,000 threads,
    /// the first 10,000 in the order of their ids are counted.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn count_annotations(
        &self,
        document: &DocumentId,
        user: &UserId,
        statuses: &BTreeSet<Text>,
    ) -> Result<Counted> {
        let annotations = self.annotations();
        let only = vec!["annotationId", "status", "visibility", "latest"];
        let query = Query { only, ..annotations.under(annotations_of(document).prefix()) };
        let items = annotations.first_items(query, MAX_COUNTED).await?;
        let mut counted = Counted::default();
        let mut new: BTreeMap<AnnotationId, u64> = BTreeMap::new();
        for item in items {
            let summary: Summary = crate::layout::item::members(item)?;
            let is_meant = statuses.is_empty() || statuses.contains(&summary.status.id);
            if !is_meant || !summary.visibility.admits(user, &self.id) {
                continue;
            }
            counted.total += 1;
            let latest = summary.latest.filter(|latest| latest.by != *user);
            new.extend(latest.map(|latest| (summary.annotation_id, latest.at)));
        }
        if !new.is_empty() {
            for mark in self.seen_marks().of_user_in(user, document).await? {
                if new.get(&mark.annotation_id).is_some_and(|at| *at <= mark.seen_at) {
                    new.remove(&mark.annotation_id);
                }
            }
        }
        counted.unread = new.len() as u64;
        Ok(counted)
    }

    /// Ensures that a document exists, before an addition to it.
    ///
    /// # Errors
    /// NOT_FOUND when it or its organization does not exist and may not be created.
    pub async fn ensure_document(
        &self,
        document: &DocumentId,
        (create_organization, create_document): (bool, bool),
    ) -> Result<()> {
        if !create_document {
            return Ok(());
        }
        if !create_organization {
            self.ensure(false).await?;
        }
        self.ensure_level(&Level::Document(document.clone()), true).await
    }
}

impl Collection<Annotation> {
    /// All threads of a document.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when there are more than `limit`.
    pub async fn all_in(&self, document: &DocumentId, limit: usize) -> Result<Vec<Annotation>> {
        self.all(self.under(annotations_of(document).prefix()), limit).await
    }
}
