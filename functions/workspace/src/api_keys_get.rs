//! `POST /v2/workspace/apikeys/get`: the API keys of the workspace that makes the call.

use model::{ApiKeyId, AtMost, Bounded, Only, PageSize, PageToken, workspace::KeyView};
use service::{Body, Workspace, prelude::*};

pub enum GetApiKeys {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// Only these keys; all when absent or empty.
    api_keys: Option<AtMost<ApiKeyId, 30>>,
    /// 100 when absent.
    page_size: Option<Bounded<1, 100>>,
    page_token: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ApiKeyPage")]
pub struct Page {
    data: Vec<KeyView>,
    /// Null on the last page.
    next_page_token: Option<PageToken>,
}

/// Default page size.
const PAGE_SIZE: u64 = 100;

impl Operation for GetApiKeys {
    const PATHS: &'static [&'static str] = &["/v2/workspace/apikeys/get"];
    const EFFECT: Effect = Effect::Reads;
    const BODY: Body = Body::Optional;
    type Auth = Workspace;
    type Request = Request;
    type Response = Page;

    async fn handle(cx: Cx<Workspace>, request: Request) -> Result<Success<Self::Response>> {
        let size = PageSize::nearest(request.page_size.map_or(PAGE_SIZE, Bounded::get));
        let ids: Only<ApiKeyId> = request.api_keys.into();
        let page = cx.page(Some(size), request.page_token.as_ref(), &ids)?;
        let keys = match ids.named() {
            None => cx.scope().api_keys().list(&page).await?,
            Some(ids) => cx.scope().api_keys().list_of(ids, &page).await?,
        };
        let data = keys.items.into_iter().map(KeyView::from).collect();
        Ok(success("API keys retrieved.", Page { data, next_page_token: keys.next }))
    }
}
