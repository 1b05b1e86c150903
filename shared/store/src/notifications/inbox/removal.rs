//! Removing notifications.

use error::Result;
use model::{
    NotificationId,
    notification::{Filter, Notification},
};
use tenancy::{layout::Entity, prelude::*, reading::missing, writing::Edit};

use super::{MAX_SCANNED, lists};
use crate::notifications::Notifications;

/// Maximum numbers of notifications and of items that one call removes.
const MAX_REMOVED: usize = 500;
const MAX_REMOVED_ITEMS: usize = 5_000;

impl Notifications<'_> {
    /// Removes notifications; returns a result for each. A filter without ids removes as many as
    /// one call may; a filter with a user only those addressed to the user by name.
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
        let remove = |n: usize, stored: Option<Notification>| {
            let stored = stored.filter(|notification| filter.admits(notification));
            let stored = stored.ok_or_else(|| missing::<Notification>(&ids[n]))?;
            Ok(match &filter.user_id {
                // A notification has many readers, and each removes it only for themselves.
                Some(user) if stored.delivered && stored.named().count() > 1 => {
                    let mut left = stored;
                    left.notify_users.remove(user);
                    Edit::put(left)
                }
                _ => Edit::remove(stored),
            })
        };
        let removed = self.all().edit_all(&ids, remove).await?;
        Ok(ids.iter().cloned().zip(removed).collect())
    }

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
