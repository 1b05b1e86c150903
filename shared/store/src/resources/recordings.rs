//! Recordings.

use std::collections::BTreeSet;

use error::Result;
use model::{AnnotationId, DocumentId, recording::Recording};

use crate::{
    layout::{EVER, Entity, Index, Indexed, Key, Place, at, by_actor, of_document, of_kind},
    reading::{Collection, Page, Paged},
    scopes::OrganizationStore,
};

impl Entity for Recording {
    const KIND: &'static str = "recording";
    const JSON: &'static [&'static str] = &["recordingEditVersions"];
    type Id = AnnotationId;
    fn id(&self) -> AnnotationId {
        self.annotation_id.clone()
    }
    fn shown(id: &AnnotationId) -> &str {
        id.as_str()
    }
    fn place(id: &AnnotationId) -> Place {
        Place(Key::of(Self::KIND, id.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let id = Key::of("id", self.annotation_id.as_str());
        let sort = at::<Self>(self.recorded_at, &id);
        let document = of_document(&self.document_id);
        let mut indexes = vec![
            Indexed::new(Index::Container, document, sort.clone()),
            Indexed::new(Index::Kind, of_kind::<Self>(), sort.clone()),
        ];
        if let Some(from) = &self.from {
            indexes.push(Indexed::new(Index::Actor, by_actor(&from.user_id), sort));
        }
        indexes
    }
}

impl OrganizationStore {
    /// Recordings.
    pub fn recordings(&self) -> Collection<Recording> {
        self.of()
    }
}

impl Collection<Recording> {
    /// One page of the recordings of a document or of all, the oldest first.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn by_time(
        &self,
        document: Option<&DocumentId>,
        page: &Page,
    ) -> Result<Paged<Recording>> {
        let query = match document {
            Some(document) => self.during(Index::Container, &of_document(document), EVER, false),
            None => self.during(Index::Kind, &of_kind::<Recording>(), EVER, false),
        };
        self.page(query, page).await
    }

    /// One page of the existing recordings, in the document if one is named; the oldest first.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn among(
        &self,
        ids: BTreeSet<AnnotationId>,
        document: Option<&DocumentId>,
        page: &Page,
    ) -> Result<Paged<Recording>> {
        let found = self.find_all(ids).await?.into_values();
        let found =
            found.filter(|found| document.is_none_or(|document| found.document_id == *document));
        self.page_of(found, Index::Kind, false, page)
    }
}
