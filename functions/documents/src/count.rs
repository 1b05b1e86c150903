//! `POST /v2/organizations/documents/count/get`: the number of documents that `documents.get` lists.
//!
//! An unknown organization has none. A count reads the whole list.

use model::{FolderId, Only};
use service::{OrganizationStore, prelude::*};

use crate::get::listed::{found, visible};

pub enum CountDocuments {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Only documents directly in this folder; `root` for those in none.
    folder_id: Option<FolderId>,
    /// Only documents in no folder; not together with `folderId`.
    exclude_folder_docs: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Count")]
pub struct Count {
    count: usize,
}

impl Operation for CountDocuments {
    const PATHS: &'static [&'static str] = &["/v2/organizations/documents/count/get"];
    const EFFECT: Effect = Effect::Reads;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Count>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let folder = match (request.folder_id, request.exclude_folder_docs == Some(true)) {
            (Some(_), true) => {
                let message = "cannot be sent together with folderId";
                return Err(issue(&["excludeFolderDocs"], message));
            }
            (None, true) => Some(FolderId::root()),
            (folder, false) => folder,
        };
        let organization = cx.organization(&request.organization_id);
        let count = count(&cx, &organization, folder.as_ref()).await?;
        Ok(success("Documents counted.", Data(Count { count })))
    }
}

async fn count(
    cx: &Cx<ApiKey>,
    organization: &OrganizationStore,
    folder: Option<&FolderId>,
) -> Result<usize> {
    let (mut count, mut token) = (0, None);
    loop {
        let page = cx.page(None, token.as_ref(), &(organization.id(), folder))?;
        let listed = found(organization, &Only::default(), folder, &page).await?;
        count += visible(organization, listed.items, folder).await?.0.len();
        token = listed.next;
        if token.is_none() {
            return Ok(count);
        }
    }
}
