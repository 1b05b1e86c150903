//! Recordings.

use std::collections::BTreeSet;

use error::Result;
use model::{AnnotationId, DocumentId, recording::Recording};

use crate::{
    layout::{EVER, Index, of_document, of_kind},
    reading::{Collection, Page, Paged},
    scopes::OrganizationStore,
};

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
