//! What happened: written with the change it tells of, in one transaction (the outbox).

use serde::{Deserialize, Serialize};

use crate::{DocumentId, FolderId, GroupId, Millis, OrganizationId, UserId};

/// Something that others have to act on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum Event {
    /// An organization was deleted; what lies in it goes in the background.
    #[serde(rename = "organization.delete")]
    OrganizationDeleted {
        /// Which one.
        organization_id: OrganizationId,
    },
    /// A folder was deleted; what lies below it goes in the background.
    #[serde(rename = "folder.delete")]
    FolderDeleted {
        /// Where.
        organization_id: OrganizationId,
        /// Which one.
        folder_id: FolderId,
    },
    /// A document was deleted; its data goes in the background (decisions 3, 4.17).
    #[serde(rename = "document.delete")]
    DocumentDeleted {
        /// Where.
        organization_id: OrganizationId,
        /// Which one.
        document_id: DocumentId,
    },
    /// A user group was deleted; its memberships go in the background.
    #[serde(rename = "user_group.delete")]
    GroupDeleted {
        /// Where.
        organization_id: OrganizationId,
        /// Which one.
        group_id: GroupId,
    },
    /// A user left an organization; memberships and grants in it end (decisions 5, 4.21).
    #[serde(rename = "user.delete")]
    UserDeleted {
        /// Where.
        organization_id: OrganizationId,
        /// Who.
        user_id: UserId,
    },
}

/// The order to remove what hung on something deleted, as it travels on a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removal {
    /// What tells of the deletion.
    pub event: Event,
    /// When it was deleted.
    pub at: Millis,
    /// How many times everything found was removed already.
    #[serde(default)]
    pub pass: u32,
}

impl Event {
    /// The organization it happened in.
    pub fn organization_id(&self) -> &OrganizationId {
        match self {
            Self::OrganizationDeleted { organization_id }
            | Self::FolderDeleted { organization_id, .. }
            | Self::DocumentDeleted { organization_id, .. }
            | Self::GroupDeleted { organization_id, .. }
            | Self::UserDeleted { organization_id, .. } => organization_id,
        }
    }
}
