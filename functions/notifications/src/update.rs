//! `POST /v2/notifications/update`: replies with one entry per notification.
//!
//! A member that is left out keeps its value; `readByUserIds` are added to the stored ones. Filters
//! limit the call to notifications that pass them.
//!
//! # Errors
//! - An entry fails when its notification does not exist or does not pass the filters.

use model::{
    Metadata, NotificationId, Only, Text,
    notification::{Filter, Notification},
    set, set_some,
    user::Person,
};
use service::{Edit, prelude::*};

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
    #[end_user(members)]
    notifications: Batch<Change>,
}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NotificationPatch")]
struct Change {
    #[end_user]
    id: NotificationId,
    action_user: Option<Person>,
    display_headline_message_template: Option<String>,
    display_headline_message_template_data: Option<Metadata>,
    display_body_message: Option<String>,
    notification_source_data: Option<Metadata>,
    /// The users who have read it.
    #[end_user(own = IdsIfSent)]
    read_by_user_ids: Option<Batch<UserId>>,
    /// Whether users who have read it still find it in their list.
    persist_read_for_users: Option<bool>,
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
    type Response = Data<Entries<NotificationId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let organization = cx.organization(&request.organization_id);
        let mut changes: Items<NotificationId, Vec<Change>> = Items::new();
        for change in request.notifications {
            changes.entry(change.id.clone()).or_default().push(change);
        }
        let ids: Vec<NotificationId> = changes.keys().cloned().collect();
        let filter = Filter {
            document_id: request.document_id,
            location_id: request.location_id,
            user_id: request.user_id,
            ids: Only::default(),
        };
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
            let mut notification = stored.ok_or_else(missing)?;
            for change in changes.get(id).into_iter().flatten() {
                change.apply(&mut notification);
            }
            Ok(Edit::put(notification))
        };
        let results = organization.notifications().all().edit_all(&ids, edit).await?;
        let entries = entries(ids.into_iter().zip(results), "Notification updated.");
        Ok(success("Notifications updated.", Data(entries)))
    }
}

impl Change {
    fn apply(&self, notification: &mut Notification) {
        set_some(&mut notification.action_user, self.action_user.clone());
        set_some(
            &mut notification.display_headline_message_template,
            self.display_headline_message_template.clone(),
        );
        set(
            &mut notification.display_headline_message_template_data,
            self.display_headline_message_template_data.clone(),
        );
        set_some(&mut notification.display_body_message, self.display_body_message.clone());
        set(&mut notification.notification_source_data, self.notification_source_data.clone());
        notification
            .read_by_user_ids
            .extend(self.read_by_user_ids.iter().flat_map(|ids| ids.iter().cloned()));
        set(&mut notification.persist_read_for_users, self.persist_read_for_users);
    }
}
