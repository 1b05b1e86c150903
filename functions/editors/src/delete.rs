//! `POST /v2/crdt/delete`: replies with one entry per editor.
//!
//! The content is gone at once; a background job deletes its parts.
//!
//! # Errors
//! - An entry fails when its editor does not exist.

use model::{EditorId, UpTo};
use service::prelude::*;

pub enum DeleteEditors {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    document_id: DocumentId,
    /// Only these editors; every editor of the document when absent. For a document with very many,
    /// the call deletes as many as the reply has room for; repeat it for the rest.
    editor_ids: Option<UpTo<EditorId, 30>>,
}

impl Operation for DeleteEditors {
    const PATHS: &'static [&'static str] = &["/v2/crdt/delete"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<EditorId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let editors = cx.organization(&request.organization_id).editors().of(&request.document_id);
        let (results, more) = editors.delete(request.editor_ids.map(Vec::from)).await?;
        let entries = entries(results, "CRDT data deleted.");
        let message = match more {
            true => "CRDT data deleted; there is more, call again.",
            false => "CRDT data deleted.",
        };
        Ok(success(message, Data(entries)))
    }
}
