//! Documents (spec 2.13).

use serde::{Deserialize, Serialize};

use crate::{DocumentId, Extensible, FolderId, Metadata, Millis, Text, access::AccessType};

/// A document of an organization.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// The caller's id.
    pub document_id: DocumentId,
    /// Display name.
    pub document_name: Option<Text>,
    /// The folder it lies in, if any.
    pub folder_id: Option<FolderId>,
    /// Who may reach it; absent: what the folder says, else the default of the API key.
    pub access_type: Option<AccessType>,
    /// Whether its end users are locked out; the server API is not.
    #[serde(default)]
    pub disabled: bool,
    /// When it was added.
    pub created_at: Millis,
    /// When it last changed.
    pub last_updated: Millis,
    /// The caller's own members.
    #[serde(default)]
    pub metadata: Metadata,
}

impl Extensible for Document {
    const OWN: &'static [&'static str] = &[
        "id",
        "documentId",
        "documentName",
        "organizationId",
        "folderId",
        "accessType",
        "disabled",
        "createdAt",
        "lastUpdated",
    ];
}

impl Document {
    /// Whether it lies directly in a folder; in `root` lies what is in none.
    pub fn lies_in(&self, folder: &FolderId) -> bool {
        self.folder_id.as_ref().map_or(folder.is_root(), |own| own == folder)
    }

    /// A document without a name, in no folder.
    pub fn implied(id: DocumentId, now: Millis) -> Self {
        Self {
            document_id: id,
            document_name: None,
            folder_id: None,
            access_type: None,
            disabled: false,
            created_at: now,
            last_updated: now,
            metadata: Metadata::new(),
        }
    }
}
