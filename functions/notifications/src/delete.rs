//! `POST /v2/notifications/delete`: replies with one entry per notification.
//!
//! With ids, the call deletes those that pass the other filters; without ids, up to 500 that pass
//! them: repeat the call for the rest. With `userId`, a notification of an event is deleted for
//! that user alone, and a custom one for all; without ids, one to everybody that does not name the
//! user stays. An end user names notifications, and deletes them for nobody else.
//!
//! # Errors
//! - An entry fails when its notification does not exist or does not pass the filters.

use model::{
    Batch, DocumentId, NotificationId, OrganizationId, Text, UserId, notification::Filter,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use service::{
    ApiKey, Concerns, Cx, Data, Effect, EndUserAccess, EndUserRequest, EndUsers, Items, Operation,
    Outcome, Own, Result, Success, issue, outcome, prelude::*, success,
};

pub enum DeleteNotifications {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Only notifications about this document.
    document_id: Option<DocumentId>,
    /// Only notifications about this location.
    location_id: Option<Text>,
    /// Only notifications to this user.
    user_id: Option<UserId>,
    /// Only these notifications.
    notification_ids: Option<Batch<NotificationId>>,
}

#[derive(Serialize, JsonSchema)]
pub struct NotificationResult {
    id: NotificationId,
    #[serde(flatten)]
    outcome: Outcome,
}

impl EndUserRequest for Request {
    const RULES: EndUsers = EndUsers::reading("organizationId userId notificationIds")
        .with_one_of(&["notificationIds"])
        .speaking_as(&[Own::Id("userId")]);

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
    type Response = Data<Items<NotificationId, NotificationResult>>;

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
        let entries = results.into_iter().map(|(id, result)| {
            let outcome = outcome(&result, "Notification deleted.");
            (id.clone(), NotificationResult { id, outcome })
        });
        Ok(success("Notifications deleted.", Data(entries.collect())))
    }
}
