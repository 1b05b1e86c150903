//! `POST /v2/notifications/get`: notifications, the newest first.
//!
//! The v2 path has pages and an order; the v1 path replies with up to 1,000 notifications. With
//! `userId`, the list contains only notifications the user may see: a notification about a thread
//! requires access to the thread.

use model::{
    AtMost, NotificationId, PageSize, PageToken, Text,
    notification::{Filter, Notification, NotificationView},
};
use service::prelude::*;

pub enum GetNotifications {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    /// Only notifications about this document.
    #[end_user]
    document_id: Option<DocumentId>,
    /// Only notifications about this location.
    #[end_user]
    location_id: Option<Text>,
    /// Only notifications to this user and visible to them.
    #[end_user(own = Id)]
    user_id: Option<UserId>,
    /// Only these notifications.
    #[end_user]
    notification_ids: Option<AtMost<NotificationId, 30>>,
    /// By time; only on the v2 path.
    #[end_user]
    order: Option<SortOrder>,
    /// Only on the v2 path.
    #[end_user]
    page_size: Option<PageSize>,
    /// Only on the v2 path.
    #[end_user]
    page_token: Option<PageToken>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum SortOrder {
    Asc,
    #[default]
    Desc,
}

/// One page.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Vec<NotificationView>,
    /// Null on the last page.
    page_token: Option<PageToken>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, &self.document_id).or_own_data()
    }
}

impl Operation for GetNotifications {
    const PATHS: &'static [&'static str] = &["/v2/notifications/get", "/v1/notifications/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, mut request: Request) -> Result<Success<Self::Response>> {
        if cx.is_v1() {
            (request.order, request.page_size, request.page_token) = (None, None, None);
        }
        let filter = Filter {
            document_id: request.document_id,
            location_id: request.location_id,
            user_id: request.user_id,
            ids: request.notification_ids.into(),
        };
        let order = request.order.unwrap_or_default();
        let organization = cx.organization(&request.organization_id);
        let filters = (organization.id(), &filter, order);
        let page = cx.page(request.page_size, request.page_token.as_ref(), &filters)?;
        let newest_first = order == SortOrder::Desc;
        let listed = organization.notifications().list(&filter, newest_first, &page).await?;
        let is_for_end_user = cx.tenant().end_user().is_some();
        let shown = |found: Notification| {
            let view = found.shown(&cx.tenant().api_key().id, organization.id());
            if is_for_end_user { view.for_end_user() } else { view }
        };
        let data = listed.items.into_iter().map(shown).collect();
        let page_token = listed.next.filter(|_| !cx.is_v1());
        Ok(success("Notifications retrieved.", Response { data, page_token }))
    }
}
