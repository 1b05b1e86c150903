//! Who may reach a resource (access type) and what they may do there (access role).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DocumentId, FolderId, Millis, UserId};

/// Who may reach a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum AccessType {
    /// Every user of the tenant.
    #[default]
    Public,
    /// Members of the organization.
    OrganizationPrivate,
    /// Users with an explicit grant.
    Restricted,
}

/// What a user may do with a resource (spec 2.10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AccessRole {
    /// Read only.
    Viewer,
    /// Read and write.
    #[default]
    Editor,
}

/// The level of an organization that a membership or a grant is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "level", content = "id")]
pub enum Level {
    /// The organization itself.
    Organization,
    /// One folder of it.
    Folder(FolderId),
    /// One document of it.
    Document(DocumentId),
}

/// A right given to a user for one resource, apart from membership.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    /// Whose right it is.
    pub user_id: UserId,
    /// What it is for.
    pub level: Level,
    /// What it allows.
    pub access_role: AccessRole,
    /// When it ends, in epoch **seconds** as callers send it; never when absent.
    pub expires_at: Option<u64>,
}

impl Grant {
    /// Whether the grant still holds.
    pub fn holds_at(&self, now: Millis) -> bool {
        self.expires_at.is_none_or(|seconds| seconds.saturating_mul(1000) > now)
    }
}
