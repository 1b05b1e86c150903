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
    AnnotationId, DocumentId, Only, Text, UserId,
    comment::{Latest, Status, Thread},
    permissions::Level,
    visibility::Visibility,
};
use serde::Deserialize;
use tenancy::{layout::threads_in, prelude::*, reading::Collection};

use crate::{comments::Comments, prelude::*};

/// Maximum number of counted threads of one document.
const MAX_COUNTED: usize = 10_000;

/// Number of threads of a document that a user may see, and of unread ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// All threads.
    pub total: u64,
    /// Threads with a latest comment by another user, newer than the seen mark.
    pub unread: u64,
}

/// The resources that may be created for an addition to a document, if they do not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MayCreate {
    /// The organization.
    pub organization: bool,
    /// The document.
    pub document: bool,
}

impl MayCreate {
    /// The resources that the caller lets the service create; absent means no.
    pub fn if_sent(organization: Option<bool>, document: Option<bool>) -> Self {
        Self { organization: organization == Some(true), document: document == Some(true) }
    }
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

impl Comments<'_> {
    /// Threads of comments.
    pub fn all(&self) -> &Collection<Thread> {
        &self.1
    }

    /// Reads documents in advance, before the threads of each are listed or counted.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn look_at(&self, documents: &BTreeSet<DocumentId>) -> Result<()> {
        let (tenant, own) = (self.0.tenant(), self.0.documents().all());
        let organizations = tenant.organizations().all();
        let places = documents.iter().map(|id| own.rows().place_of(id));
        let organization = organizations.rows().place_of(self.0.id());
        tenant.db().look_at(places.chain([organization]).collect()).await
    }

    /// Counts the threads of a document that a user may see, with these statuses, or all when none
    /// are named. Seen marks are read only if needed. For a document with more than 10,000 threads,
    /// the first 10,000 in the order of their ids are counted.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn count(
        &self,
        document: &DocumentId,
        user: &UserId,
        statuses: &Only<Text>,
    ) -> Result<Counted> {
        let annotations = self.all();
        let only = vec!["annotationId", "status", "visibility", "latest"];
        let query = Query { only, ..annotations.rows().under(threads_in(document).prefix()) };
        let items = annotations.rows().first_items(query, MAX_COUNTED).await?;
        let summaries = items.into_iter().map(tenancy::layout::item::members);
        let summaries: Vec<Summary> = summaries.collect::<Result<_>>()?;
        let (users, visibilities) =
            ([user.clone()].into(), summaries.iter().map(|it| &it.visibility));
        let members = self.0.notifications().members(&users, visibilities).await?;
        let mut counted = Counted::default();
        let mut new: BTreeMap<AnnotationId, u64> = BTreeMap::new();
        for summary in summaries {
            if !statuses.keeps(&summary.status.id)
                || !summary.visibility.admits(user, members.of(user))
            {
                continue;
            }
            counted.total += 1;
            let latest = summary.latest.filter(|latest| latest.by != *user);
            new.extend(latest.map(|latest| (summary.annotation_id, latest.at)));
        }
        if !new.is_empty() {
            for mark in self.0.notifications().seen_marks_of(user, document).await? {
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
        may_create: MayCreate,
    ) -> Result<()> {
        if !may_create.document {
            return Ok(());
        }
        if !may_create.organization {
            self.0.own_record().ensure(false).await?;
        }
        self.0.users().ensure_level(&Level::Document(document.clone()), true).await
    }
}

impl Comments<'_> {
    /// All threads of a document.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when there are more than `limit`.
    pub async fn all_in(&self, document: &DocumentId, limit: usize) -> Result<Vec<Thread>> {
        self.1.rows().all(self.1.rows().under(threads_in(document).prefix()), limit).await
    }
}
