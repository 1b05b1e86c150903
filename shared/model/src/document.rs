//! Documents (contract `types.document`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    ApiKeyId, DocumentId, Extensible, FolderId, Metadata, Millis, OrganizationId, Text,
    life::Life,
    people::{self, Names, People, Rest},
    permissions::AccessType,
    rights::Holders,
};

/// Where something is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Whereabouts")]
pub struct ScopeIds {
    /// The tenant; none for end users.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key: Option<ApiKeyId>,
    /// The organization.
    pub organization_id: OrganizationId,
    /// The document.
    pub document_id: DocumentId,
}

/// A document of an organization.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// The caller's id.
    pub document_id: DocumentId,
    /// Display name.
    pub document_name: Option<Text>,
    /// Folder of the document, if any.
    pub folder_id: Option<FolderId>,
    /// Access type; absent: that of the folder, else the default of the API key.
    pub access_type: Option<AccessType>,
    /// Whether its end users are locked out; the server API is not affected.
    #[serde(default)]
    pub disabled: bool,
    /// Creation time.
    pub created_at: Millis,
    /// Time of the last change.
    pub last_updated: Millis,
    /// Custom members.
    #[serde(default)]
    pub metadata: Metadata,
    /// The rights of groups here.
    #[serde(default, skip_serializing_if = "Holders::is_empty")]
    pub holders: Holders,
    /// Life of the document; the first is not stored.
    #[serde(rename = "_since", default, skip_serializing_if = "Life::is_first")]
    pub since: Life,
    /// The life of the folder it lies in, as the call that placed it there had read it.
    #[serde(rename = "_in", default, skip_serializing_if = "Life::is_first")]
    pub placed: Life,
}

impl Extensible for Document {
    const OWN: &'static [&'static str] = &[
        "id",
        "documentId",
        "documentName",
        "organizationId",
        "folderId",
        "accessType",
        "inheritAccessFromParent",
        "disabled",
        "createdAt",
        "lastUpdated",
    ];
}

impl Names for Document {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self {
            document_id: _,
            document_name: _,
            folder_id: _,
            access_type: _,
            disabled: _,
            created_at: _,
            last_updated: _,
            holders: _,
            since: _,
            placed: _,
            metadata,
        } = self;
        people::members(walk, metadata);
        Rest::Stays
    }
}

impl Document {
    /// Whether it is directly in a folder; documents in no folder are in `root`.
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
            holders: Holders::new(),
            since: Life::FIRST,
            placed: Life::FIRST,
        }
    }
}
