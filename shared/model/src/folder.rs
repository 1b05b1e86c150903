//! Folders (contract `types.folder`).

use serde::{Deserialize, Serialize};

use crate::{FolderId, Millis, Text, life::Life, permissions::AccessType, rights::Holders};

/// A folder of an organization as stored: its ancestors follow from its parents.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Folder {
    /// The caller's id.
    pub folder_id: FolderId,
    /// Display name.
    pub folder_name: Option<Text>,
    /// Parent of the folder, `root` at the top.
    pub parent_folder_id: FolderId,
    /// Access type of the folder; absent when inherited.
    pub access_type: Option<AccessType>,
    /// Whether it inherits the access type of its parent.
    pub inherit_access_from_parent: bool,
    /// Creation time.
    pub created_at: Millis,
    /// Time of the last change.
    pub last_updated: Millis,
    /// The rights of groups here.
    #[serde(default, skip_serializing_if = "Holders::is_empty")]
    pub holders: Holders,
    /// Life of the folder; the first is not stored.
    #[serde(rename = "_since", default, skip_serializing_if = "Life::is_first")]
    pub since: Life,
    /// The life of the folder it lies in, as the call that placed it there had read it.
    #[serde(rename = "_in", default, skip_serializing_if = "Life::is_first")]
    pub placed: Life,
}

impl Folder {
    /// A folder that inherits the access of its parent.
    pub fn new(id: FolderId, name: Option<Text>, parent: FolderId, now: Millis) -> Self {
        Self {
            folder_id: id,
            folder_name: name,
            parent_folder_id: parent,
            access_type: None,
            inherit_access_from_parent: true,
            created_at: now,
            last_updated: now,
            holders: Holders::new(),
            since: Life::FIRST,
            placed: Life::FIRST,
        }
    }
}
