//! `POST /v2/organizations/documents/add`: replies with one entry per document.
//!
//! Custom members are stored as they are sent, except `null`.
//!
//! # Errors
//! - An entry fails when its document exists, or the organization or the folder does not.

use model::{Custom, FolderId, Millis, Text, document::Document, life::Life};
use service::{OrganizationStore, prelude::*};

pub enum AddDocuments {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Whether to create a missing organization.
    create_organization: Option<bool>,
    /// The folder of the documents; none when absent or `root`.
    folder_id: Option<FolderId>,
    /// Whether to create a missing folder at the top.
    create_folder: Option<bool>,
    documents: Batch<NewDocument>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NewDocument {
    document_id: DocumentId,
    document_name: Option<Text>,
    #[serde(flatten)]
    custom: Custom<Document>,
}

impl Operation for AddDocuments {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/documents/add", "/v1/organizations/documents/add"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<DocumentId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let organization = cx.organization(&request.organization_id);
        let create = request.create_organization == Some(true);
        let folder = request.folder_id.filter(|folder| !folder.is_root());
        let mut added = Items::new();
        for sent in request.documents {
            // A document that is sent twice: the first entry is added.
            let id = sent.document_id.clone();
            added.entry(id).or_insert_with(|| sent.document(folder.as_ref(), cx.now()));
        }
        let added: Vec<Document> = added.into_values().collect();
        let new_folder = folder.as_ref().filter(|_| request.create_folder == Some(true));
        let results = match ensure(&organization, create, new_folder).await {
            Ok(life) => organization.documents().add(&added, life).await,
            Err(refused) => Err(refused),
        };
        let results = match results {
            Ok(results) => results,
            Err(refused) => refused.for_each(&added)?,
        };
        let ids = added.into_iter().map(|document| document.document_id);
        Ok(success("Documents added.", Data(entries(ids.zip(results), "Document added."))))
    }
}

/// The organization's life. The addition itself checks that the folder exists, unless the folder is
/// created.
async fn ensure(
    organization: &OrganizationStore,
    create: bool,
    new_folder: Option<&FolderId>,
) -> Result<Life> {
    let life = organization.own_record().ensure(create).await?;
    if let Some(folder) = new_folder {
        organization.users().ensure_folder(folder, true, life).await?;
    }
    Ok(life)
}

impl NewDocument {
    fn document(self, folder: Option<&FolderId>, now: Millis) -> Document {
        Document {
            document_name: self.document_name,
            folder_id: folder.cloned(),
            metadata: self.custom.initial(),
            ..Document::implied(self.document_id, now)
        }
    }
}
