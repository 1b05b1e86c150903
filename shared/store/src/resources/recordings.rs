//! Recordings.

use std::collections::BTreeSet;

use error::Result;
use model::{AnnotationId, DocumentId, recording::Recording};

use crate::features::Recordings;
use tenancy::{
    layout::{EVER, Index, of_document, of_kind},
    prelude::*,
    reading::{Collection, Page, Paged},
};

impl Recordings {
    /// Recordings.
    pub fn all(self) -> Collection<Recording> {
        self.0
    }
}

impl Recordings {
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
            Some(document) => {
                self.0.rows().during(Index::Container, &of_document(document), EVER, false)
            }
            None => self.0.rows().during(Index::Kind, &of_kind::<Recording>(), EVER, false),
        };
        self.0.rows().page(query, page).await
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
        let found = self.0.find_all(ids).await?.into_values();
        let found =
            found.filter(|found| document.is_none_or(|document| found.document_id == *document));
        self.0.rows().page_of(found, Index::Kind, false, page)
    }
}
