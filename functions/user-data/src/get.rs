//! `POST /v2/users/data/get`: four lists, paged together.
//!
//! A list that has ended is empty on later pages. A list may be shorter than `pageSize` because of
//! its size. Visibility is not checked: the data is the user's own.

use model::{
    PageSize, PageToken,
    comment::{ReactionView, ThreadView},
    notification::NotificationView,
    recording::RecordingView,
};
use service::{ErrorCode, prelude::*};

pub enum GetUserData {}

/// Items of each list in one reply.
const PAGE: PageSize = PageSize::nearest(100);

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    user_id: UserId,
    page_token: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Lists,
    /// Null when there are no more items in any of the lists.
    next_page_token: Option<PageToken>,
}

/// Up to 100 items each.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "UserData")]
struct Lists {
    /// Threads that name the user, with all comments that do; a long one may be in several pages.
    comments: Vec<ThreadView>,
    /// Reactions of the user.
    reactions: Vec<ReactionView>,
    /// Recordings of the user.
    recordings: Vec<RecordingView>,
    /// Notifications that name the user.
    notifications: Vec<NotificationView>,
}

impl Operation for GetUserData {
    const PATHS: &'static [&'static str] = &["/v2/users/data/get", "/v1/users/data/get"];
    const EFFECT: Effect = Effect::Reads;
    const ERROR_CODE: Option<ErrorCode> = Some(ErrorCode::Number);
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
        let Request { organization_id, user_id, page_token } = request;
        let page = cx.page(Some(PAGE), page_token.as_ref(), &(&organization_id, &user_id))?;
        let organization = cx.organization(&organization_id);
        let found = organization.user_data().export(&user_id, &page).await?;
        let mentioned = found.comments.iter().flat_map(ThreadView::mentioned);
        let groups = organization.user_groups().mentioned(mentioned).await?;
        let threads = found.comments.into_iter().zip(1..);
        let data = Lists {
            comments: threads.map(|(thread, n)| thread.in_reply(&groups).at(n)).collect(),
            reactions: found.reactions,
            recordings: found.recordings,
            notifications: found.notifications,
        };
        Ok(success("User data retrieved.", Response { data, next_page_token: found.next }))
    }
}
