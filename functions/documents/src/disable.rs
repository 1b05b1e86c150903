//! `POST /v2/organizations/documents/access/disablestate/update`: replies with one entry per
//! document.
//!
//! # Errors
//! - An entry fails when its document does not exist.

use service::{Reported, prelude::*};

pub enum DisableDocuments {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    document_ids: Batch<DocumentId>,
    /// Whether the end users of the documents are locked out.
    disabled: bool,
}

#[derive(Serialize, JsonSchema)]
pub struct DisabledResult {
    #[serde(flatten)]
    outcome: Reported,
    /// As sent.
    disabled: bool,
}

impl Operation for DisableDocuments {
    const PATHS: &'static [&'static str] = &[
        "/v2/organizations/documents/access/disablestate/update",
        "/v1/organizations/documents/access/disablestate/update",
    ];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<DocumentId, DisabledResult>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let mut ids: Vec<DocumentId> = request.document_ids.into();
        ids.sort();
        ids.dedup();
        let disabled = request.disabled;
        let documents = cx.organization(&request.organization_id).documents().all();
        let results = documents.change_all(&ids, |_, document| {
            document.disabled = disabled;
            document.last_updated = cx.now();
            Ok(None)
        });
        let entries = ids.iter().zip(results.await?).map(|(id, result)| {
            let outcome = Reported::new(&result, "Document access updated.");
            (id.clone(), DisabledResult { outcome, disabled })
        });
        Ok(success("Document access updated.", Data(entries.collect())))
    }
}
