//! How far users have seen threads.

use model::{AnnotationId, DocumentId, UserId, seen::SeenMark};

use crate::{
    collection::Collection,
    entities::of_user,
    entity::{Entity, Indexed, Place},
    key::Key,
    scope::OrganizationStore,
};

/// Where the marks of a document lie.
pub(crate) fn seen_in(document: &DocumentId) -> Key {
    Key::of(SeenMark::KIND, document.as_str())
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
        let sort = seen_in(document).and("user", user.as_str());
        Place(sort.and("annotation", annotation.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        Indexed::within(of_user(&self.user_id), Self::place(&self.id()).0)
    }
}

impl OrganizationStore {
    /// How far users have seen threads.
    pub fn seen_marks(&self) -> Collection<SeenMark> {
        self.of()
    }
}
