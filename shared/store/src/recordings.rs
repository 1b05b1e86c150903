//! Recordings.

use std::collections::BTreeSet;

use error::Result;
use model::{AnnotationId, DocumentId, recording::Recording};
use tenancy::{
    layout::{EVER, Index, of_document, of_kind},
    prelude::*,
    reading::{Collection, Page, Paged, page_of},
    scopes::OrganizationStore,
};

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// Recordings.
    recordings: Recordings,
}

impl Recordings<'_> {
    /// Recordings.
    pub fn all(self) -> Collection<Recording> {
        self.0.collection()
    }

    /// One page of the recordings of a document or of all, the oldest first.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn by_time(
        self,
        document: Option<&DocumentId>,
        page: &Page,
    ) -> Result<Paged<Recording>> {
        let all = self.all();
        let query = match document {
            Some(document) => {
                all.rows().during(Index::Container, &of_document(document), EVER, false)
            }
            None => all.rows().during(Index::Kind, &of_kind::<Recording>(), EVER, false),
        };
        all.rows().page(query, page).await
    }

    /// One page of the existing recordings, in the document if one is named; the oldest first.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn among(
        self,
        ids: BTreeSet<AnnotationId>,
        document: Option<&DocumentId>,
        page: &Page,
    ) -> Result<Paged<Recording>> {
        let all = self.all();
        let found = all.find_all(ids).await?.into_values();
        let found =
            found.filter(|found| document.is_none_or(|document| found.document_id == *document));
        page_of(found, Index::Kind, false, page)
    }
}
