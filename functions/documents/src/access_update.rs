//! `POST /v2/organizations/documents/access/update`: replies with one entry per document.
//!
//! # Errors
//! - An entry fails when its document does not exist.

use model::{Batch, DocumentId, OrganizationId, access::AccessType};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use service::{
    ApiKey, Cx, Data, Effect, Items, Operation, Reported, Result, Success, prelude::*, success,
};

pub enum UpdateDocumentAccess {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    document_ids: Batch<DocumentId>,
    /// The new access type.
    access_type: AccessType,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentAccessResult {
    #[serde(flatten)]
    outcome: Reported,
    /// As sent.
    access_type: AccessType,
}

impl Operation for UpdateDocumentAccess {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/documents/access/update", "/v1/organizations/documents/access/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<DocumentId, DocumentAccessResult>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let mut ids: Vec<DocumentId> = request.document_ids.into();
        ids.sort();
        ids.dedup();
        let access_type = request.access_type;
        let documents = cx.organization(&request.organization_id).documents().all();
        let results = documents.change_all(&ids, |_, document| {
            document.access_type = Some(access_type);
            document.last_updated = cx.now();
            Ok(None)
        });
        let entries = ids.iter().zip(results.await?).map(|(id, result)| {
            let outcome = Reported::new(&result, "Document access type updated.");
            (id.clone(), DocumentAccessResult { outcome, access_type })
        });
        Ok(success("Document access types updated.", Data(entries.collect())))
    }
}
