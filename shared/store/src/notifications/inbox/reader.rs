//! Notifications in the view of one recipient.

use std::collections::BTreeSet;

use error::{Error, Result};
use model::{UserId, notification::Notification, user::Person};

use crate::{
    notifications::{Notifications, RECIPIENT},
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
        let people = [user.clone()].into();
        let mut profiles = self.profiles(&people).await?;
        if profiles.of(user).is_none() {
            let delivered = found.iter().filter(|notification| notification.delivered);
            let documents = delivered.flat_map(Notification::documents).cloned().collect();
            let (nobody, folders) = (BTreeSet::new(), BTreeSet::new());
            let rights = self.0.permissions().facts(&nobody, &folders, &documents).await?;
            self.look_above(&mut profiles, &people, &rights, &documents).await?;
        }
        let reader = profiles.of(user).cloned().unwrap_or_else(|| Person::from_id(user.clone()));
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
