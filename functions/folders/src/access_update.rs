//! `POST /v2/organizations/folders/access/update`: replies with one entry per folder.
//!
//! # Errors
//! - An entry fails when its folder does not exist.

use model::{FolderId, permissions::AccessType};
use service::{Reported, prelude::*};

pub enum UpdateFolderAccess {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    folder_ids: Batch<FolderId>,
    /// The new access type; required unless it is inherited.
    access_type: Option<AccessType>,
    /// Whether the folder inherits the access type of its parent.
    inherit_from_parent: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FolderAccessResult {
    #[serde(flatten)]
    outcome: Reported,
    /// Null when inherited.
    access_type: Option<AccessType>,
    inherit_from_parent: bool,
}

impl Operation for UpdateFolderAccess {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/folders/access/update", "/v1/organizations/folders/access/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<FolderId, FolderAccessResult>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let inherits = request.inherit_from_parent == Some(true);
        let own = request.access_type.filter(|_| !inherits);
        if own.is_none() && !inherits {
            return Err(issue(&["accessType"], "is required unless inheritFromParent is true"));
        }
        let mut ids: Vec<FolderId> = request.folder_ids.into();
        ids.sort();
        ids.dedup();
        let folders = cx.organization(&request.organization_id).folders().all();
        let results = folders.change_all(&ids, |_, folder| {
            folder.access_type = own;
            folder.inherit_access_from_parent = inherits;
            folder.last_updated = cx.now();
            Ok(None)
        });
        let entries = ids.iter().zip(results.await?).map(|(id, result)| {
            let outcome = Reported::new(&result, "Folder access updated.");
            (
                id.clone(),
                FolderAccessResult { outcome, access_type: own, inherit_from_parent: inherits },
            )
        });
        Ok(success("Folder access updated.", Data(entries.collect())))
    }
}
