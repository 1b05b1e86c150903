//! `POST /v2/workspace/advancedwebhook/endpoints/get`: endpoints, the newest first.
//!
//! # Errors
//! - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.

use model::{PageToken, WalkSize};
use service::{Body, prelude::*};

use crate::view::EndpointView;

pub enum GetWebhookEndpoints {}

#[derive(Deserialize, JsonSchema)]
pub struct Request {
    /// Page size; 50 when absent.
    limit: Option<WalkSize>,
    /// The `iterator` or the `prevIterator` of another page; the newest endpoints when absent.
    iterator: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookEndpoints")]
pub struct Endpoints {
    endpoints: Vec<EndpointView>,
    /// The next page, of older endpoints; null when done.
    iterator: Option<PageToken>,
    /// The previous page, of newer endpoints, sent as `iterator`; null on the first page.
    prev_iterator: Option<PageToken>,
    /// Whether there are no older endpoints.
    done: bool,
}

impl Operation for GetWebhookEndpoints {
    const PATHS: &'static [&'static str] = &["/v2/workspace/advancedwebhook/endpoints/get"];
    const EFFECT: Effect = Effect::Reads;
    const BODY: Body = Body::Optional;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Endpoints>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let walk = cx.walk(request.limit, request.iterator.as_ref(), &())?;
        let page = cx.tenant().webhooks().list_endpoints(&walk).await?;
        let endpoints = Endpoints {
            endpoints: page.items.into_iter().map(EndpointView::from).collect(),
            done: page.iterator.is_none(),
            iterator: page.iterator,
            prev_iterator: page.prev_iterator,
        };
        Ok(success("Webhook endpoints retrieved.", Data(endpoints)))
    }
}
