//! `POST /v2/organizations/documents/move`: moves all documents or none.
//!
//! # Errors
//! - NOT_FOUND: a document or the folder does not exist.

use model::{FolderId, UpTo};
use service::{NoData, prelude::*};

pub enum MoveDocuments {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    document_ids: UpTo<DocumentId, 30>,
    /// The new folder; `root` for none.
    folder_id: FolderId,
}

impl Operation for MoveDocuments {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/documents/move", "/v1/organizations/documents/move"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = NoData;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<NoData>> {
        let mut ids: Vec<DocumentId> = request.document_ids.into();
        ids.sort();
        ids.dedup();
        let folder = Some(&request.folder_id).filter(|folder| !folder.is_root());
        cx.organization(&request.organization_id).documents().move_to(&ids, folder).await?;
        Ok(success("Documents moved.", NoData {}))
    }
}
