//! Seen marks: one for each user and thread, those of a thread side by side.

use std::collections::{BTreeMap, BTreeSet};

use aws::Query;
use model::{AnnotationId, DocumentId, Millis, UserId, comment::Thread, seen::SeenMark};

use error::Result;
use tenancy::{
    layout::{Key, ThreadId, item, of_user, seen_in},
    prelude::*,
    reading::Collection,
};

use crate::notifications::Notifications;

/// Maximum number of marks of one user in one document in one read; far more than open threads.
const MAX_MARKS: usize = 10_000;

impl Notifications<'_> {
    /// Seen marks.
    pub fn seen_marks(self) -> Collection<SeenMark> {
        self.0.collection()
    }

    /// Seen marks of a thread.
    pub(crate) async fn seen_by(
        self,
        users: &BTreeSet<UserId>,
        (document, annotation): &(DocumentId, AnnotationId),
    ) -> Result<Vec<SeenMark>> {
        let of_thread = seen_in(document).and("annotation", annotation.as_str());
        let found = self.of_users(&[of_thread.join(&Key::named("user"))], users).await?;
        found.into_iter().map(|item| self.seen_marks().rows().decode(item)).collect()
    }

    /// When a user saw threads last: those with a latest comment by another user, as only these may be
    /// unread.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn seen_at(
        self,
        user: &UserId,
        threads: impl Iterator<Item = &Thread>,
    ) -> Result<BTreeMap<ThreadId, Option<Millis>>> {
        let by_others = threads.filter(|it| it.latest.as_ref().is_some_and(|it| it.by != *user));
        let ids: BTreeSet<_> = by_others
            .map(|it| (it.document_id.clone(), user.clone(), it.annotation_id.clone()))
            .collect();
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let found = self.seen_marks().find_all(ids.iter().cloned()).await?;
        let seen_at = |id: (DocumentId, UserId, AnnotationId)| {
            let seen_at = found.get(&id).map(|mark| mark.seen_at);
            ((id.0, id.2), seen_at)
        };
        Ok(ids.into_iter().map(seen_at).collect())
    }

    /// All marks of a user in a document.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when there are too many.
    pub async fn seen_marks_of(
        self,
        user: &UserId,
        document: &DocumentId,
    ) -> Result<Vec<SeenMark>> {
        let marks = self.seen_marks();
        let prefix = Some((item::INDEX_SK, seen_in(document).prefix()));
        marks.rows().all(Query { prefix, ..marks.rows().indexed(&of_user(user)) }, MAX_MARKS).await
    }
}
