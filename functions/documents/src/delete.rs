//! `POST /v2/organizations/documents/delete`: replies with one entry per document.
//!
//! The documents are gone at once; a background job deletes their data.
//!
//! # Errors
//! - An entry fails when its document does not exist.

use service::prelude::*;

pub enum DeleteDocuments {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    document_ids: Batch<DocumentId>,
}

impl Operation for DeleteDocuments {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/documents/delete", "/v1/organizations/documents/delete"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<DocumentId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, document_ids } = request;
        let mut ids: Vec<DocumentId> = document_ids.into();
        ids.sort();
        ids.dedup();
        let organization = cx.organization(&organization_id);
        let results = organization.documents().delete(&ids).await;
        let gone = ids.iter().zip(&results).filter(|(_, result)| result.is_ok());
        let gone: Vec<DocumentId> = gone.map(|(id, _)| id.clone()).collect();
        organization.editors().close(&gone).await;
        let entries = entries(ids.into_iter().zip(results), "Document deleted.");
        Ok(success("Documents deleted.", Data(entries)))
    }
}
