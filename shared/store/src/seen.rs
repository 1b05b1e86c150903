//! What users have seen: a mark for each user and thread.

use model::{AnnotationId, DocumentId, UserId, seen::SeenMark};

use error::Result;

use crate::{
    collection::Collection,
    entities::of_user,
    entity::{Entity, Indexed, Place},
    key::Key,
    scope::OrganizationStore,
};

/// Marks of one user in one document that are read at most; far more than threads are open.
const MAX_MARKS: usize = 10_000;

/// The marks of a document, user by user.
pub(crate) fn seen_in(document: &DocumentId) -> Key {
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
        let of_user = seen_in(document).and("user", user.as_str());
        Place(of_user.and("annotation", annotation.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        Indexed::within(of_user(&self.user_id), Self::place(&self.id()).0)
    }
}

impl OrganizationStore {
    /// What users have seen.
    pub fn seen_marks(&self) -> Collection<SeenMark> {
        self.of()
    }
}

impl Collection<SeenMark> {
    /// Every mark of a user in a document.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when there are too many.
    pub async fn of_user_in(&self, user: &UserId, document: &DocumentId) -> Result<Vec<SeenMark>> {
        let prefix = seen_in(document).and("user", user.as_str()).prefix();
        self.all(self.under(prefix), MAX_MARKS).await
    }
}
