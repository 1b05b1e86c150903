//! The documents that a request asks for.

use std::collections::BTreeSet;

use model::{FolderId, Only, document::Document};
use service::{
    OrganizationStore, Paged,
    prelude::*,
    store::{Page, folders::Tree},
};

/// One page of the documents, before those in deleted folders are left out.
pub(crate) async fn found(
    organization: &OrganizationStore,
    ids: &Only<DocumentId>,
    folder: Option<&FolderId>,
    page: &Page,
) -> Result<Paged<Document>> {
    let documents = organization.documents();
    match (ids.named(), folder) {
        (Some(ids), _) => documents.all().list_of(ids.clone(), page).await,
        (None, Some(folder)) => documents.list_in(folder, page).await,
        (None, None) => documents.all().list(page).await,
    }
}

/// The requested ids of which a page tells: those behind the page before it, up to its last document
/// if there are further pages.
pub(super) fn asked_here(
    ids: &Only<DocumentId>,
    page: &Page,
    last: Option<&Document>,
) -> Option<BTreeSet<DocumentId>> {
    let before = page.cursor().and_then(<[String]>::first);
    let is_here = |id: &&DocumentId| {
        before.is_none_or(|before| id.as_str() > before.as_str())
            && last.is_none_or(|last| **id <= last.document_id)
    };
    ids.named().map(|ids| ids.iter().filter(is_here).cloned().collect())
}

/// The documents among these that lie in the folder and in no deleted one, with the folders above them.
pub(crate) async fn visible(
    organization: &OrganizationStore,
    mut items: Vec<Document>,
    folder: Option<&FolderId>,
) -> Result<(Vec<Document>, Tree)> {
    items.retain(|document| folder.is_none_or(|folder| document.lies_in(folder)));
    let tree = organization.folders().above(&items).await?;
    items.retain(|document| !tree.hides(document));
    Ok((items, tree))
}
