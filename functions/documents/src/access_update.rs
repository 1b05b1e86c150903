//! `POST /v2/organizations/documents/access/update`: replies with one entry per document.
//!
//! # Errors
//! - An entry fails when its document does not exist.

use model::permissions::AccessType;
use service::{Reported, prelude::*};

pub enum UpdateDocumentAccess {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    document_ids: Batch<DocumentId>,
    /// The new access type; required unless it is inherited.
    access_type: Option<AccessType>,
    /// Whether the documents inherit the access type of their folder, or without one, the default of
    /// the API key.
    inherit_from_parent: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentAccessResult {
    #[serde(flatten)]
    outcome: Reported,
    /// As sent; null when inherited.
    access_type: Option<AccessType>,
    inherit_from_parent: bool,
}

impl Operation for UpdateDocumentAccess {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/documents/access/update", "/v1/organizations/documents/access/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<DocumentId, DocumentAccessResult>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let inherits = request.inherit_from_parent == Some(true);
        let own = request.access_type.filter(|_| !inherits);
        if own.is_none() && !inherits {
            return Err(issue(&["accessType"], "is required unless inheritFromParent is true"));
        }
        let mut ids: Vec<DocumentId> = request.document_ids.into();
        ids.sort();
        ids.dedup();
        let documents = cx.organization(&request.organization_id).documents().all();
        let results = documents.change_all(&ids, |_, document| {
            document.access_type = own;
            document.last_updated = cx.now();
            Ok(None)
        });
        let entries = ids.iter().zip(results.await?).map(|(id, result)| {
            let outcome = Reported::new(&result, "Document access type updated.");
            (
                id.clone(),
                DocumentAccessResult { outcome, access_type: own, inherit_from_parent: inherits },
            )
        });
        Ok(success("Document access types updated.", Data(entries.collect())))
    }
}
