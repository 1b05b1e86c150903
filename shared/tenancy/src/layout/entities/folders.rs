//! Folders.

use model::{FolderId, folder::Folder};

use crate::layout::{Entity, Indexed, Key, Place};

/// Items in a folder, in the index of the organization.
pub fn in_folder(folder: &FolderId) -> Key {
    Key::pair("folder", folder.as_str())
}

impl Entity for Folder {
    const KIND: &'static str = "folder";
    type Id = FolderId;
    fn id(&self) -> FolderId {
        self.folder_id.clone()
    }
    fn shown(id: &FolderId) -> &str {
        id.as_str()
    }
    fn place(id: &FolderId) -> Place {
        Place(Key::pair(Self::KIND, id.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let sort = Self::place(&self.folder_id).0;
        Indexed::within(in_folder(&self.parent_folder_id), sort)
    }
}
