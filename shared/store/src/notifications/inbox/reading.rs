//! The read and the unread part of a user's inbox.
//!
//! A notification names its readers, so reading one is a change of that one. The mark of a user says
//! up to when all of them name the user: a count begins there, and does not depend on how many
//! notifications there are (decision 135).

use std::ops::RangeInclusive;

use error::{Result, Status};
use model::{
    Millis, UserId,
    event::{Event, Read, Reading},
    inbox::{InboxCount, InboxMark},
    notification::{Filter, Notification},
};
use tenancy::{
    layout::EVER,
    prelude::*,
    reading::{At, Collection, missing},
    writing::Edit,
};

use super::lists;
use crate::{notifications::Notifications, prelude::*};

/// Notifications that a count looks at, and that one call marks as read.
const MAX_COUNTED: usize = 100;
/// Notifications that one call looks at for unread ones.
const MAX_SCANNED: usize = 500;
/// A notification may be stored so long after its time, in milliseconds: the mark stays behind.
const LATE: Millis = 60_000;

/// The list of a user.
fn of(user: &UserId) -> Filter {
    Filter { user_id: Some(user.clone()), ..Filter::default() }
}

/// The times behind a mark.
fn behind(mark: &InboxMark) -> RangeInclusive<Millis> {
    mark.read_until.saturating_add(1).min(*EVER.end())..=*EVER.end()
}

/// Whether a notification that could not be marked as read is left as it is.
const fn is_passed_over(status: Status) -> bool {
    matches!(status, Status::NotFound | Status::ResourceExhausted | Status::InvalidArgument)
}

impl Notifications<'_> {
    /// Up to when users have read and seen everything.
    fn inbox_marks(self) -> Collection<InboxMark> {
        self.0.collection()
    }

    async fn inbox_mark(self, user: &UserId) -> Result<InboxMark> {
        let found = self.inbox_marks().find(user).await?;
        Ok(found.unwrap_or_else(|| InboxMark::none(user.clone())))
    }

    /// How many of the newest hundred notifications of a user, which the user may see now, are unread.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn count(self, user: &UserId) -> Result<InboxCount> {
        let (mark, filter) = (self.inbox_mark(user).await?, of(user));
        let (span, lists) = (behind(&mark), lists(&filter));
        let rows = self.all();
        let found = rows.rows().merged_in(&lists, &span, true, None, MAX_COUNTED).await?;
        let is_unread =
            |(_, it): &(At, Notification)| filter.admits(it) && !it.read_by_user_ids.contains(user);
        let unread = found.items.into_iter().filter(is_unread).collect();
        let unread = self.visible(Some(user), unread).await?;
        let unseen = unread.iter().filter(|(_, it)| it.timestamp > mark.seen_until).count();
        let (unread, unseen) = (unread.len() as u64, unseen as u64);
        Ok(InboxCount { unread, unseen, has_more: found.more })
    }

    /// Marks the oldest hundred unread notifications of a user as read; returns whether there may be
    /// more. What the user may not see now is among them.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL, ABORTED.
    pub async fn read_all(self, user: &UserId) -> Result<bool> {
        let (mark, filter, now) = (self.inbox_mark(user).await?, of(user), self.0.tenant().now());
        let (span, lists) = (behind(&mark), lists(&filter));
        let (mut unread, mut scanned, mut after) = (vec![], 0, None);
        let mut read_until = mark.read_until;
        let has_more = loop {
            let rows = self.all();
            let found =
                rows.rows().merged_in(&lists, &span, false, after.as_ref(), MAX_COUNTED).await?;
            scanned += MAX_COUNTED;
            let mut is_full = false;
            for (_, it) in found.items {
                if filter.admits(&it) && !it.read_by_user_ids.contains(user) {
                    is_full = unread.len() == MAX_COUNTED;
                    if is_full {
                        break;
                    }
                    unread.push(it.id);
                }
                read_until = read_until.max(it.timestamp);
            }
            after = found.last;
            if is_full || !found.more || after.is_none() || scanned >= MAX_SCANNED {
                break is_full || found.more;
            }
        };
        if unread.is_empty() && read_until == mark.read_until {
            return Ok(false);
        }
        let read = |n: usize, stored: Option<Notification>| {
            let id = &unread[n];
            let mut it = stored.ok_or_else(|| missing::<Notification>(id))?;
            it.read_by_user_ids.insert(user.clone());
            Ok(Edit::put(it))
        };
        for result in self.all().edit_all(&unread, read).await? {
            match result {
                // Another call deleted it, or it has no room for another reader: it keeps nobody from
                // reading the others, and is not counted behind the mark.
                Err(error) if is_passed_over(error.status) => {}
                result => drop(result?),
            }
        }
        let read_until = if has_more { read_until } else { now }.min(now.saturating_sub(LATE));
        self.move_mark(user, read_until, now, Read::All).await?;
        Ok(has_more)
    }

    /// Notes that a user has seen the inbox.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL, ABORTED.
    pub async fn see_inbox(self, user: &UserId) -> Result<()> {
        self.0.own_record().record_if_missing().await?;
        let now = self.0.tenant().now();
        self.move_mark(user, 0, now, Read::Inbox { seen_at: now }).await
    }

    /// Moves a mark forwards, and never back.
    async fn move_mark(
        self,
        user: &UserId,
        read_until: Millis,
        seen_until: Millis,
        read: Read,
    ) -> Result<()> {
        let event = Reading::by(user, self.0.id(), read);
        let moved = |stored: Option<InboxMark>| {
            let stored = stored.unwrap_or_else(|| InboxMark::none(user.clone()));
            let mark = InboxMark {
                user_id: user.clone(),
                read_until: stored.read_until.max(read_until),
                seen_until: stored.seen_until.max(seen_until),
            };
            Ok(Edit::put(mark).emit(Event::Read(Box::new(event.clone()))))
        };
        self.inbox_marks().edit(user, moved).await.map(drop)
    }
}
