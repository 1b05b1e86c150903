//! `POST /v2/notifications/trace/get`: the delivery state of each event, for each recipient and
//! channel.
//!
//! A decision (pending, delivered, dropped) is kept for two weeks, an event for 90 days. A user
//! whose preference excluded an event when it happened is not recorded (rule N4). Ask for an event
//! by its id to learn that the service or its trigger was off.

use model::{
    PageSize, PageToken, Text,
    trace::{TraceFilter, TraceRow},
};
use service::prelude::*;

pub enum GetTrace {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Only events with this recipient.
    user_id: Option<UserId>,
    /// Only events in this document.
    document_id: Option<DocumentId>,
    /// Only this event, or this custom notification.
    event_id: Option<Text>,
    page_size: Option<PageSize>,
    page_token: Option<PageToken>,
}

/// One page, the latest events first.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Vec<TraceRow>,
    /// Null on the last page.
    page_token: Option<PageToken>,
}

impl Operation for GetTrace {
    const PATHS: &'static [&'static str] = &["/v2/notifications/trace/get"];
    const EFFECT: Effect = Effect::Reads;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, user_id, document_id, event_id, .. } = request;
        let filter = TraceFilter { user_id, document_id, event_id };
        let organization = cx.organization(&organization_id);
        let filters = (organization.id(), &filter);
        let page = cx.page(request.page_size, request.page_token.as_ref(), &filters)?;
        let found = organization.notifications().trace(&filter, &page).await?;
        let response = Response { data: found.items, page_token: found.next };
        Ok(success("Trace retrieved.", response))
    }
}
