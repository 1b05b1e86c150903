//! Documents.

use model::{DocumentId, FolderId, document::Document};

use super::in_folder;
use crate::layout::{Entity, Indexed, Key, Place};

impl Entity for Document {
    const KIND: &'static str = "document";
    const JSON: &'static [&'static str] = &["metadata"];
    type Id = DocumentId;
    fn id(&self) -> DocumentId {
        self.document_id.clone()
    }
    fn shown(id: &DocumentId) -> &str {
        id.as_str()
    }
    fn place(id: &DocumentId) -> Place {
        Place(Key::pair(Self::KIND, id.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let sort = Self::place(&self.document_id).0;
        let folder = self.folder_id.clone().unwrap_or_else(FolderId::root);
        Indexed::within(in_folder(&folder), sort)
    }
}
