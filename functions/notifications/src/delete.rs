//! `POST /v2/notifications/delete`: replies with one entry per notification.
//!
//! With ids, the call deletes those that pass the other filters; without ids, up to 500 that pass
//! them: repeat the call for the rest. With `userId`, a notification of an event is deleted for
//! that user alone, and a custom one for all; without ids, one to everybody that does not name the
//! user stays. An end user names notifications, and deletes them for nobody else.
//!
//! # Errors
//! - An entry fails when its notification does not exist or does not pass the filters.

use model::{NotificationId, Text, notification::Filter};
use service::prelude::*;

pub enum DeleteNotifications {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    /// Only notifications about this document.
    document_id: Option<DocumentId>,
    /// Only notifications about this location.
    location_id: Option<Text>,
    /// Only notifications to this user.
    #[end_user(own = Id)]
    user_id: Option<UserId>,
    /// Only these notifications.
    #[end_user(one_of)]
    notification_ids: Option<Batch<NotificationId>>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, []).or_own_data()
    }
}

impl Operation for DeleteNotifications {
    const PATHS: &'static [&'static str] =
        &["/v2/notifications/delete", "/v1/notifications/delete"];
    const EFFECT: Effect = Effect::Deletes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<NotificationId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let filter = Filter {
            document_id: request.document_id,
            location_id: request.location_id,
            user_id: request.user_id,
            ids: request.notification_ids.into(),
        };
        if filter.is_empty() {
            let message = "is required unless documentId, locationId or userId is sent";
            return Err(issue(&["notificationIds"], message));
        }
        let organization = cx.organization(&request.organization_id);
        let results = organization.notifications().remove(&filter).await?;
        let entries = entries(results, "Notification deleted.");
        Ok(success("Notifications deleted.", Data(entries)))
    }
}
