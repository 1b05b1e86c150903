//! `POST /v2/notifications/count/get`: how many notifications of a user are unread, and how many of
//! them came after the user saw the inbox last.
//!
//! Only notifications that the user may see are counted: the newest hundred since all were read.
//! `hasMore` says that there are older ones.

use model::inbox::InboxCount;
use service::prelude::*;

pub enum CountNotifications {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user(own = Id)]
    user_id: UserId,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, []).or_own_data()
    }
}

impl Operation for CountNotifications {
    const PATHS: &'static [&'static str] = &["/v2/notifications/count/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<InboxCount>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let organization = cx.organization(&request.organization_id);
        let count = organization.notifications().count(&request.user_id).await?;
        Ok(success("Notifications counted.", Data(count)))
    }
}
