//! `POST /v2/users/count/get`: the number of users that `users.get` lists with the same filters.
//!
//! An unknown organization has none. A count reads the whole list.

use model::{Only, permissions::Level};
use service::{OrganizationStore, prelude::*};

use crate::get::filter::Filter;

pub enum CountUsers {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Users of this document.
    document_id: Option<DocumentId>,
    /// Users of all documents; not together with `documentId`.
    all_documents: Option<bool>,
    /// Only this user.
    user_id: Option<UserId>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Count")]
pub struct Count {
    count: usize,
}

impl Operation for CountUsers {
    const PATHS: &'static [&'static str] = &["/v2/users/count/get"];
    const EFFECT: Effect = Effect::Reads;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Count>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let filter = Filter {
            level: request.document_id.map_or(Level::Organization, Level::Document),
            ids: request.user_id.map_or_else(Only::default, |id| [id].into()),
            groups: Only::default(),
            all: request.all_documents == Some(true),
            prefix: None,
        };
        filter.check(false)?;
        let count = count(&cx, &cx.organization(&request.organization_id), &filter).await?;
        Ok(success("Users counted.", Data(Count { count })))
    }
}

async fn count(
    cx: &Cx<ApiKey>,
    organization: &OrganizationStore,
    filter: &Filter,
) -> Result<usize> {
    let (mut count, mut token) = (0, None);
    loop {
        let page = cx.page(None, token.as_ref(), &(organization.id(), filter))?;
        let listed = filter.list(organization, &page).await?;
        count += listed.items.len();
        token = listed.next;
        if token.is_none() {
            return Ok(count);
        }
    }
}
