use model::{FolderId, permissions::Level};
use service::prelude::*;

/// The level of a request: organization, folder or document (contract `users.levels`).
pub(crate) fn level(document: Option<DocumentId>, folder: Option<FolderId>) -> Result<Level> {
    match (document, folder) {
        (None, None) => Ok(Level::Organization),
        (Some(document), None) => Ok(Level::Document(document)),
        (None, Some(folder)) if folder.is_root() => {
            Err(issue(&["folderId"], "root names the top, which has no users of its own"))
        }
        (None, Some(folder)) => Ok(Level::Folder(folder)),
        _ => Err(issue(&["folderId"], "cannot be sent together with documentId")),
    }
}
