//! `POST /v2/notifications/update`: replies with one entry per notification.
//!
//! A member that is left out keeps its value; `readByUserIds` are added to the stored ones. Filters
//! limit the call to notifications that pass them.
//!
//! With `all` instead of `notifications`, up to a hundred unread notifications of `userId` are marked
//! as read by that user, and the reply has no entries: repeat the call while `hasMore` is true.
//!
//! # Errors
//! - An entry fails when its notification does not exist or does not pass the filters.

mod all;
mod change;

use model::{
    NotificationId, Only, Text,
    event::{Event, Read, Reading},
    notification::{Filter, Notification},
};
use service::{Edit, prelude::*};

use self::change::Change;

pub enum UpdateNotifications {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    /// Only if it is about this document.
    #[end_user]
    document_id: Option<DocumentId>,
    /// Only if it is about this location.
    #[end_user]
    location_id: Option<Text>,
    /// Only if it is addressed to this user.
    #[end_user(own = Id)]
    user_id: Option<UserId>,
    /// With `userId`: only if that user has access to the document and the thread.
    #[end_user(own = True)]
    verify_user_permissions: Option<bool>,
    /// Required unless `all` is true.
    #[end_user(members)]
    notifications: Option<Batch<Change>>,
    /// Whether `userId` has read all notifications; without filters.
    #[end_user]
    all: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Entries<NotificationId>,
    /// With `all`: whether there may be further unread notifications.
    #[serde(skip_serializing_if = "Option::is_none")]
    has_more: Option<bool>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, &self.document_id).or_own_data()
    }
}

impl Operation for UpdateNotifications {
    const PATHS: &'static [&'static str] =
        &["/v2/notifications/update", "/v1/notifications/update"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        if request.all == Some(true) {
            return all::read(&cx, request).await;
        }
        let missing = || issue(&["notifications"], "is required unless all is true");
        let sent = request.notifications.ok_or_else(missing)?;
        let organization = cx.organization(&request.organization_id);
        let changes = by_notification(sent);
        let ids: Vec<NotificationId> = changes.keys().cloned().collect();
        let Request { document_id, location_id, user_id, .. } = request;
        let filter = Filter { document_id, location_id, user_id, ids: Only::default() };
        let seen = match &filter.user_id {
            Some(user) if request.verify_user_permissions == Some(true) => {
                Some(organization.notifications().seen_by_user(user, &ids).await?)
            }
            _ => None,
        };
        let edit = |n: usize, stored: Option<Notification>| {
            let id = &ids[n];
            let is_seen = seen.as_ref().is_none_or(|seen| seen.contains(id));
            let stored = stored.filter(|found| is_seen && filter.admits(found));
            let missing = || Error::not_found(format!("There is no notification {id}."));
            let made = changes.get(id).map_or(&[][..], Vec::as_slice);
            Ok(changed(stored.ok_or_else(missing)?, made, organization.id()))
        };
        let results = organization.notifications().all().edit_all(&ids, edit).await?;
        let data = entries(ids.into_iter().zip(results), "Notification updated.");
        Ok(success("Notifications updated.", Response { data, has_more: None }))
    }
}

/// The changes of each notification, in their order.
fn by_notification(sent: impl IntoIterator<Item = Change>) -> Items<NotificationId, Vec<Change>> {
    let mut changes: Items<NotificationId, Vec<Change>> = Items::new();
    for change in sent {
        changes.entry(change.id.clone()).or_default().push(change);
    }
    changes
}

/// A notification after its changes, with an event for those who have read it now.
fn changed(
    mut notification: Notification,
    changes: &[Change],
    organization: &OrganizationId,
) -> Edit<Notification> {
    let before = notification.read_by_user_ids.clone();
    for change in changes {
        change.apply(&mut notification);
    }
    let readers = notification.read_by_user_ids.difference(&before).cloned();
    let (organization_id, user_ids) = (organization.clone(), readers.collect());
    let read = Read::Notification { notification_id: notification.id.clone() };
    let reading = Reading { organization_id, user_ids, read };
    match reading.user_ids.is_empty() {
        true => Edit::put(notification),
        false => Edit::put(notification).emit(Event::Read(Box::new(reading))),
    }
}
