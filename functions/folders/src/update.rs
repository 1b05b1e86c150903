//! `POST /v2/organizations/folders/update`: replies with one entry per folder.
//!
//! A member that is left out keeps its value. A folder moves with everything in it. It cannot move
//! into itself or below itself.
//!
//! # Errors
//! - An entry fails when its folder or the new parent does not exist.

use model::{FolderId, Text};
use service::{prelude::*, store::folders::FolderPatch};

pub enum UpdateFolders {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    folders: Batch<Change>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FolderPatch")]
struct Change {
    folder_id: FolderId,
    folder_name: Option<Text>,
    /// The new parent folder; `root` for the top.
    parent_folder_id: Option<FolderId>,
}

impl Operation for UpdateFolders {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/folders/update", "/v1/organizations/folders/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<FolderId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let mut patches: Items<FolderId, FolderPatch> = Items::new();
        for sent in request.folders {
            // A folder that is sent twice: the later change wins, member by member.
            let patch = patches.entry(sent.folder_id).or_default();
            model::set_some(&mut patch.name, sent.folder_name);
            model::set_some(&mut patch.parent, sent.parent_folder_id);
        }
        let patches: Vec<_> = patches.into_iter().collect();
        let results = cx.organization(&request.organization_id).folders().change(&patches).await?;
        let ids = patches.into_iter().map(|(id, _)| id);
        Ok(success("Folders updated.", Data(entries(ids.zip(results), "Folder updated."))))
    }
}
