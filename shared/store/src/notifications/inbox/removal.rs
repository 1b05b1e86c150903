//! Removing notifications.

use error::Result;
use model::{
    NotificationId, UserId,
    event::{Event, Read, Reading},
    notification::{Filter, Notification},
};
use tenancy::{layout::Entity, prelude::*, reading::missing, writing::Edit};

use super::{MAX_SCANNED, lists};
use crate::notifications::Notifications;

/// Maximum numbers of notifications and of items that one call removes.
const MAX_REMOVED: usize = 500;
const MAX_REMOVED_ITEMS: usize = 5_000;

/// A notification without one of its readers; one to everybody says who is not among them.
fn without(mut notification: Notification, user: &UserId) -> Notification {
    if notification.notify_all {
        notification.notify_users.insert(user.clone(), false);
    } else {
        notification.notify_users.remove(user);
    }
    notification
}

impl Notifications<'_> {
    /// Removes notifications; returns a result for each. A filter without ids removes as many as
    /// one call may; a filter with a user only those addressed to the user by name. An end user
    /// removes what the user may see now, and for nobody else.
    ///
    /// # Errors
    /// UNAVAILABLE when nothing could be read.
    pub async fn remove(
        self,
        filter: &Filter,
    ) -> Result<Vec<(NotificationId, Result<Notification>)>> {
        let ids: Vec<NotificationId> = match filter.ids.named() {
            Some(ids) => ids.iter().cloned().collect(),
            None => self.removable(filter).await?,
        };
        let is_own = self.0.tenant().db().viewer().is_some();
        let seen = match &filter.user_id {
            Some(user) if is_own => Some(self.seen_by_user(user, &ids).await?),
            _ => None,
        };
        let remove = |n: usize, stored: Option<Notification>| {
            let is_seen = seen.as_ref().is_none_or(|seen| seen.contains(&ids[n]));
            let stored = stored.filter(|notification| is_seen && filter.admits(notification));
            let stored = stored.ok_or_else(|| missing::<Notification>(&ids[n]))?;
            let Some(user) = &filter.user_id else { return Ok(Edit::remove(stored)) };
            let is_shared = stored.notify_all || stored.named().any(|named| named != user);
            // A notification has many readers, and each removes it only for themselves.
            let edit = match (stored.delivered || is_own) && is_shared {
                true => Edit::put(without(stored, user)),
                false => Edit::remove(stored),
            };
            let read = Read::Deleted { notification_id: ids[n].clone() };
            Ok(edit.emit(Event::Read(Box::new(Reading::by(user, self.0.id(), read)))))
        };
        let removed = self.all().edit_all(&ids, remove).await?;
        Ok(ids.iter().cloned().zip(removed).collect())
    }

    /// Ids of notifications that a call may remove.
    async fn removable(self, filter: &Filter) -> Result<Vec<NotificationId>> {
        let notifications = self.all();
        let mut lists = lists(filter);
        if filter.user_id.is_some() {
            lists.truncate(1);
        }
        let (mut ids, mut items, mut scanned, mut after) = (Vec::new(), 0, 0, None);
        while scanned < MAX_SCANNED {
            let found =
                notifications.rows().merged(&lists, false, after.as_ref(), MAX_REMOVED).await?;
            scanned += MAX_REMOVED;
            for (_, it) in found.items.into_iter().filter(|(_, it)| filter.admits(it)) {
                items += 1 + it.links().len();
                if !ids.is_empty() && (ids.len() == MAX_REMOVED || items > MAX_REMOVED_ITEMS) {
                    return Ok(ids);
                }
                ids.push(it.id);
            }
            after = found.last;
            if !found.more || after.is_none() {
                break;
            }
        }
        Ok(ids)
    }
}
