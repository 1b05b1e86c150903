//! Rights of a user or group, as in replies.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    FolderId, GroupId,
    permissions::{AccessRole, AccessType},
    rights::{Access, By, Decision, Via},
};
use service::{
    prelude::*,
    store::permissions::{Facts, Who},
};

/// The rights of one user or group.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "UserPermissions")]
pub struct UserRights {
    folders: BTreeMap<FolderId, EffectivePermission>,
    documents: BTreeMap<DocumentId, EffectivePermission>,
    organization: BTreeMap<OrganizationId, EffectivePermission>,
}

#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EffectivePermission {
    #[serde(skip_serializing_if = "Option::is_none")]
    access_role: Option<AccessRole>,
    /// The effective access type, inherited or not; absent for organizations.
    #[serde(skip_serializing_if = "Option::is_none")]
    access_type: Option<AccessType>,
    /// Expiry of the right, in epoch seconds; never when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<u64>,
    /// The user group that gives the right.
    #[serde(skip_serializing_if = "Option::is_none")]
    organization_user_group_id: Option<GroupId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_code: Option<ErrorCode>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "PermissionErrorCode")]
enum ErrorCode {
    DoesNotExist,
    PermissionDenied,
}

impl UserRights {
    /// The rights of a user or group in folders and documents of an organization.
    pub(crate) fn of(
        (facts, who, organization): (&Facts, Who<'_>, &OrganizationId),
        folders: &BTreeSet<FolderId>,
        documents: &BTreeSet<DocumentId>,
    ) -> Self {
        let folder = |id: &FolderId| {
            let decision = facts.of_folder(who, id);
            (id.clone(), EffectivePermission::new(facts.access_to_folder(id), decision))
        };
        let document = |id: &DocumentId| {
            let decision = facts.of_document(who, id);
            (id.clone(), EffectivePermission::new(facts.access_to_document(id), decision))
        };
        let own = EffectivePermission::new(Access::Organization, facts.of_organization(who));
        Self {
            folders: folders.iter().map(folder).collect(),
            documents: documents.iter().map(document).collect(),
            organization: [(organization.clone(), own)].into(),
        }
    }

    /// Whether one of the folders or documents does not exist.
    pub(crate) fn is_incomplete(&self) -> bool {
        let mut entries = self.folders.values().chain(self.documents.values());
        entries.any(|entry| entry.error_code == Some(ErrorCode::DoesNotExist))
    }
}

impl EffectivePermission {
    fn new(access: Access, decision: Decision) -> Self {
        match (access, decision) {
            (Access::Absent, _) | (_, Decision::Absent) => Self {
                error: Some("The resource does not exist."),
                error_code: Some(ErrorCode::DoesNotExist),
                ..Self::default()
            },
            (access, Decision::Closed(_) | Decision::LockedOut(_)) => Self {
                access_type: access.access_type(),
                error: Some("The user has no access to the resource."),
                error_code: Some(ErrorCode::PermissionDenied),
                ..Self::default()
            },
            (access, Decision::Open(right)) => Self {
                access_role: Some(right.role),
                access_type: access.access_type(),
                expires_at: right.until,
                organization_user_group_id: match right.by {
                    By::Level(_, Via::Group(group)) => Some(group),
                    By::Level(_, Via::Grant | Via::Membership | Via::Token) | By::Public(_) => None,
                },
                ..Self::default()
            },
        }
    }
}
