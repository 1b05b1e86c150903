//! Notifications in the view of one recipient.

use error::{Error, Result};
use model::{UserId, access::Level, notification::Notification, user::Person};

use crate::{
    features::Notifications,
    inbox::{RECIPIENT, person},
    prelude::*,
};

impl Notifications<'_> {
    /// Notifications in the view of a user: delivered ones have many recipients, each of whom sees
    /// only themselves.
    pub(super) async fn as_read_by(
        self,
        user: &UserId,
        mut found: Vec<Notification>,
    ) -> Result<Vec<Notification>> {
        if !found.iter().any(|notification| notification.delivered) {
            return Ok(found);
        }
        let known = self.0.users().all().find(&(Level::Organization, user.clone())).await?;
        let reader = known.map_or_else(|| Person::from_id(user.clone()), |user| person(&user));
        let reader = serde_json::to_value(reader).map_err(Error::internal)?;
        for notification in found.iter_mut().filter(|notification| notification.delivered) {
            notification.notify_users.retain(|id, _| id == user);
            notification.read_by_user_ids.retain(|id| id == user);
            let data = &mut notification.display_headline_message_template_data;
            data.entry(RECIPIENT).or_insert_with(|| reader.clone());
        }
        Ok(found)
    }
}
