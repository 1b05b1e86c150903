//! A change of a notification.

use model::{Metadata, NotificationId, notification::Notification, set, set_some, user::Person};
use service::prelude::*;

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NotificationPatch")]
pub(super) struct Change {
    #[end_user]
    pub(super) id: NotificationId,
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

impl Change {
    pub(super) fn apply(&self, notification: &mut Notification) {
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
