//! The threads of a reply, as a list or by document.

use std::collections::BTreeMap;

use model::comment::ThreadView;
use service::prelude::*;

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "CommentAnnotationsFound")]
pub(super) enum Found {
    List(Vec<Option<ThreadView>>),
    ByDocument(BTreeMap<DocumentId, Vec<ThreadView>>),
}

impl Found {
    /// Threads with their documents; `None` for an id that does not exist.
    pub(super) fn new(
        views: impl Iterator<Item = Option<(DocumentId, ThreadView)>>,
        is_by_document: bool,
    ) -> Self {
        if !is_by_document {
            return Self::List(views.map(|found| found.map(|(_, view)| view)).collect());
        }
        let mut documents: BTreeMap<DocumentId, Vec<ThreadView>> = BTreeMap::new();
        for (id, view) in views.flatten() {
            documents.entry(id).or_default().push(view);
        }
        Self::ByDocument(documents)
    }
}
