//! Seen marks: one for each user and thread, those of a thread side by side.

use std::collections::BTreeSet;

use aws::Query;
use model::{AnnotationId, DocumentId, UserId, seen::SeenMark};

use error::Result;

use crate::{
    layout::{Entity, Indexed, Key, Place, item, of_user},
    reading::Collection,
    scopes::OrganizationStore,
};

/// Maximum number of marks of one user in one document in one read; far more than open threads.
const MAX_MARKS: usize = 10_000;

/// The marks of a thread.
pub(crate) fn seen_of((document, annotation): &(DocumentId, AnnotationId)) -> Key {
    seen_in(document).and("annotation", annotation.as_str())
}

/// The marks of a document, user by user.
fn seen_in(document: &DocumentId) -> Key {
    Key::of("seen", document.as_str())
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

impl OrganizationStore {
    /// Seen marks.
    pub fn seen_marks(&self) -> Collection<SeenMark> {
        self.of()
    }

    /// Seen marks of a thread.
    pub(crate) async fn seen_by(
        &self,
        users: &BTreeSet<UserId>,
        (document, annotation): &(DocumentId, AnnotationId),
    ) -> Result<Vec<SeenMark>> {
        let of_thread = seen_in(document).and("annotation", annotation.as_str());
        let found = self.of_users(&[of_thread.join(&Key::named("user"))], users).await?;
        found.into_iter().map(|item| self.seen_marks().decode(item)).collect()
    }
}

impl Collection<SeenMark> {
    /// All marks of a user in a document.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when there are too many.
    pub async fn of_user_in(&self, user: &UserId, document: &DocumentId) -> Result<Vec<SeenMark>> {
        let prefix = Some((item::INDEX_SK, seen_in(document).prefix()));
        self.all(Query { prefix, ..self.indexed(&of_user(user)) }, MAX_MARKS).await
    }
}
