//! `POST /v2/organizations/folders/delete`: the folder is gone at once, its subfolders and
//! documents follow in the background (siblings 7.4).

use model::{FolderId, OrganizationId, event::Event};
use schemars::JsonSchema;
use serde::Deserialize;
use service::{ApiKey, Cx, Data, Effect, Operation, Result, Success, success};

/// The operation.
pub enum DeleteFolder {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    folder_id: FolderId,
}

impl Operation for DeleteFolder {
    const PATHS: &'static [&'static str] = &["/v2/organizations/folders/delete"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<()>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, folder_id } = request;
        let folders = cx.organization(&organization_id).folders();
        let event = Event::FolderDeleted { organization_id, folder_id: folder_id.clone() };
        folders.delete(&folder_id, Some(event)).await?;
        Ok(success("Folder deletion initiated.", Data(())))
    }
}
