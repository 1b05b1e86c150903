//! The threads of a reply.

use std::collections::BTreeMap;

use model::{DocumentId, comment::ThreadView};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "CommentAnnotationsFound")]
pub(super) enum Found {
    List(Vec<Option<ThreadView>>),
    ByDocument(BTreeMap<DocumentId, Vec<ThreadView>>),
}

impl Found {
    /// A list, or threads by document, without those that are not there.
    pub(super) fn of(
        views: impl Iterator<Item = Option<(DocumentId, ThreadView)>>,
        by_document: bool,
    ) -> Self {
        if !by_document {
            return Self::List(views.map(|found| found.map(|(_, view)| view)).collect());
        }
        let mut documents: BTreeMap<DocumentId, Vec<ThreadView>> = BTreeMap::new();
        for (id, view) in views.flatten() {
            documents.entry(id).or_default().push(view);
        }
        Self::ByDocument(documents)
    }
}
