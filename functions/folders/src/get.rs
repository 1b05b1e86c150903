//! `POST /v2/organizations/folders/get`: folders, flat or nested (spec 4.10).
//!
//! Neither `folderId` nor `maxDepth`: a flat list of every folder. `folderId`: that folder alone,
//! with one level of `subFolders` unless `maxDepth` says more. `maxDepth` alone: the top-level
//! folders, nested.

use model::{
    ApiKeyId, Bounded, FolderId, Millis, OrganizationId, access::AccessType, folder::Folder,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use service::{ApiKey, Cx, Data, Effect, Error, Operation, Result, Success, Tree, success};

/// The operation.
pub enum GetFolders {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// This folder only.
    folder_id: Option<FolderId>,
    /// Levels of `subFolders`.
    max_depth: Option<Bounded<1, 32>>,
}

/// Spec 2.9.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FolderView {
    folder_id: FolderId,
    /// Empty when unset.
    folder_name: String,
    organization_id: OrganizationId,
    /// `root` at the top.
    parent_folder_id: FolderId,
    api_key: ApiKeyId,
    /// Epoch milliseconds.
    created_at: Millis,
    /// Epoch milliseconds.
    last_updated: Millis,
    /// From `root` down to the direct parent.
    ancestors: Vec<FolderId>,
    /// What holds for it, inherited or not.
    access_type: AccessType,
    inherit_access_from_parent: bool,
    /// Present when nested folders were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    sub_folders: Option<Vec<FolderView>>,
}

impl Operation for GetFolders {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/folders/get", "/v1/organizations/folders/get"];
    const EFFECT: Effect = Effect::Reads;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Vec<FolderView>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        if !cx.api_key().settings.features.advanced_queries {
            return Err(Error::precondition("Advanced queries are switched off for this API key."));
        }
        let tree = cx.organization(&request.organization_id).tree().await?;
        let view =
            View { tree: &tree, api_key: &cx.api_key().id, organization: &request.organization_id };
        let depth = request.max_depth.map(Bounded::get);
        let folders = match (&request.folder_id, depth) {
            (Some(id), depth) => {
                let missing = || Error::not_found(format!("There is no folder {id}."));
                vec![view.nested(tree.get(id).ok_or_else(missing)?, depth.unwrap_or(1))]
            }
            (None, Some(depth)) => {
                let top = FolderId::root();
                tree.children(&top).map(|folder| view.nested(folder, depth)).collect()
            }
            (None, None) => tree.all().into_iter().map(|folder| view.of(folder)).collect(),
        };
        Ok(success("Folders retrieved.", Data(folders)))
    }
}

struct View<'a> {
    tree: &'a Tree,
    api_key: &'a ApiKeyId,
    organization: &'a OrganizationId,
}

impl View<'_> {
    fn of(&self, folder: &Folder) -> FolderView {
        FolderView {
            folder_id: folder.folder_id.clone(),
            folder_name: folder.folder_name.as_ref().map(ToString::to_string).unwrap_or_default(),
            organization_id: self.organization.clone(),
            parent_folder_id: folder.parent_folder_id.clone(),
            api_key: self.api_key.clone(),
            created_at: folder.created_at,
            last_updated: folder.last_updated,
            ancestors: self.tree.ancestors(folder),
            access_type: self.tree.access_type(folder),
            inherit_access_from_parent: folder.inherit_access_from_parent,
            sub_folders: None,
        }
    }

    fn nested(&self, folder: &Folder, depth: u64) -> FolderView {
        let below = || self.tree.children(&folder.folder_id);
        let sub_folders = match depth {
            0 => vec![],
            _ => below().map(|child| self.nested(child, depth - 1)).collect(),
        };
        FolderView { sub_folders: Some(sub_folders), ..self.of(folder) }
    }
}
