//! `POST /v2/auth/permissions/get`: rights by membership and by grant.
//!
//! # Errors
//! - NOT_FOUND: a folder or a document does not exist, unless `skipResourceExistenceValidation` is
//!   true. `error.details` holds the permissions that were found.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    AtMost, DocumentId, FolderId, OrganizationId, UpTo, UserId,
    access::{AccessRole, AccessType},
    rights::{Access, Decision},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use service::{
    ApiKey, Cx, Data, Effect, Error, Facts, Items, Operation, Result, Success, prelude::*, success,
};

pub enum GetPermissions {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    user_ids: UpTo<UserId, 30>,
    folder_ids: Option<AtMost<FolderId, 30>>,
    document_ids: Option<AtMost<DocumentId, 30>>,
    /// Whether a missing folder or document fails only its own entry.
    skip_resource_existence_validation: Option<bool>,
}

/// The rights of one user.
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

impl Operation for GetPermissions {
    const PATHS: &'static [&'static str] = &["/v2/auth/permissions/get"];
    const EFFECT: Effect = Effect::Reads;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<UserId, UserRights>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let organization = cx.organization(&request.organization_id);
        let users: BTreeSet<UserId> = request.user_ids.into_iter().collect();
        let folders = request.folder_ids.into_iter().flatten().collect();
        let documents = request.document_ids.into_iter().flatten().collect();
        let facts = organization.access().facts(&users, &folders, &documents).await?;
        let of_user = |user: UserId| {
            let of = (&facts, &user, organization.id());
            let rights = rights_of(of, &folders, &documents);
            (user, rights)
        };
        let data: Items<UserId, UserRights> = users.into_iter().map(of_user).collect();
        let skips = request.skip_resource_existence_validation == Some(true);
        if !skips && data.values().any(UserRights::is_incomplete) {
            let details = serde_json::to_string(&data).map_err(Error::internal)?;
            let message = "Some of the folders or documents do not exist.";
            return Err(Error::not_found(message).with_details(details));
        }
        Ok(success("Permissions retrieved.", Data(data)))
    }
}

fn rights_of(
    (facts, user, organization): (&Facts, &UserId, &OrganizationId),
    folders: &BTreeSet<FolderId>,
    documents: &BTreeSet<DocumentId>,
) -> UserRights {
    let folder = |id: &FolderId| {
        let decision = facts.of_folder(user, id);
        (id.clone(), EffectivePermission::new(facts.access_to_folder(id), decision))
    };
    let document = |id: &DocumentId| {
        let decision = facts.of_document(user, id);
        (id.clone(), EffectivePermission::new(facts.access_to_document(id), decision))
    };
    let own = EffectivePermission::new(Access::Organization, facts.of_organization(user));
    UserRights {
        folders: folders.iter().map(folder).collect(),
        documents: documents.iter().map(document).collect(),
        organization: [(organization.clone(), own)].into(),
    }
}

impl UserRights {
    fn is_incomplete(&self) -> bool {
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
                ..Self::default()
            },
        }
    }
}
