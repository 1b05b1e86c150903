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
            let at =
                |(n, found): (usize, Option<(_, ThreadView)>)| found.map(|(_, it)| it.at(n + 1));
            return Self::List(views.enumerate().map(at).collect());
        }
        let mut documents: BTreeMap<DocumentId, Vec<ThreadView>> = BTreeMap::new();
        for (id, view) in views.flatten() {
            let list = documents.entry(id).or_default();
            list.push(view.at(list.len() + 1));
        }
        Self::ByDocument(documents)
    }
}
