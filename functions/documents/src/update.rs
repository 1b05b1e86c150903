//! `POST /v2/organizations/documents/update`: replies with one entry per document.
//!
//! A member that is left out keeps its value. A custom member replaces the stored one as a whole;
//! `null` removes it. The name cannot be removed. Other operations change the folder and the
//! access.
//!
//! # Errors
//! - An entry fails when its document does not exist.

use model::{Custom, Text, document::Document};
use service::prelude::*;

pub enum UpdateDocuments {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    documents: Batch<Change>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DocumentPatch")]
struct Change {
    document_id: DocumentId,
    document_name: Option<Text>,
    #[serde(flatten)]
    custom: Custom<Document>,
}

impl Operation for UpdateDocuments {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/documents/update", "/v1/organizations/documents/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<DocumentId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let mut changes: Items<DocumentId, Vec<Change>> = Items::new();
        for sent in request.documents {
            changes.entry(sent.document_id.clone()).or_default().push(sent);
        }
        let (ids, changes): (Vec<_>, Vec<_>) = changes.into_iter().unzip();
        let documents = cx.organization(&request.organization_id).documents().all();
        let results = documents.change_all(&ids, |n, document| {
            for change in &changes[n] {
                model::set_some(&mut document.document_name, change.document_name.clone());
                change.custom.merge_into(&mut document.metadata);
            }
            document.last_updated = cx.now();
            Ok(None)
        });
        let entries = entries(ids.iter().cloned().zip(results.await?), "Document updated.");
        Ok(success("Documents updated.", Data(entries)))
    }
}
