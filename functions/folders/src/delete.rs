//! `POST /v2/organizations/folders/delete`: deletes the folder and everything in it.
//!
//! The folder is gone at once; a background job deletes its subfolders and documents.
//!
//! # Errors
//! - NOT_FOUND: the folder does not exist.

use model::{FolderId, event::Event};
use service::{ErrorCode, prelude::*};

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
    const ERROR_CODE: Option<ErrorCode> = Some(ErrorCode::Word);
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<()>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, folder_id } = request;
        let organization = cx.organization(&organization_id);
        let event =
            Event::FolderDeleted { organization_id, folder_id: folder_id.clone(), since: None };
        organization.folders().delete(&folder_id, event).await?;
        Ok(success("Folder deletion initiated.", Data(())))
    }
}
