//! Checks before delivery: whether pending activities are still delivered, and on which channels
//! (rules N7 and N13). Threads, rights, seen marks and preferences are read once for all
//! recipients.

use std::collections::{BTreeMap, BTreeSet};

use error::{Error, Result};
use futures_util::future;
use model::{
    DocumentId, NotificationId, UserId,
    comment::Thread,
    event::EventType,
    notice::{Naming, reached},
    notification::Notification,
    rights::Access,
    seen::SeenMark,
};
use notification::{
    Activity, Channel, Eligibility, NotifiableEvent, PendingEvent, Reason, RowBody, RowKey,
    SeenCheck,
};
use tenancy::{layout::ThreadId, scopes::OrganizationStore};

use super::{
    members::Members,
    preferences::Wishes,
    recipients::{accepts, facts_of, is_stranger},
};
use crate::{
    notifications::{Notifications, TenantNotifications},
    permissions::Facts,
    prelude::*,
};

/// Rows read at once.
const AT_ONCE: usize = 100;

/// The data that decides on activities, read at one time.
struct Now<'a> {
    organization: &'a OrganizationStore,
    seen: SeenCheck,
    rights: Facts,
    threads: BTreeMap<ThreadId, Thread>,
    members: Members,
    marks: BTreeMap<(ThreadId, UserId), SeenMark>,
    notifications: BTreeMap<NotificationId, Notification>,
    wishes: Wishes,
    /// The channels whose service is off.
    off: BTreeSet<Channel>,
    /// Events, if needed.
    events: BTreeMap<String, NotifiableEvent>,
}

/// The id of the custom notification an activity is about.
pub(crate) fn custom_id(activity: &Activity) -> Option<NotificationId> {
    let is_custom = activity.kind == EventType::NotificationAdd;
    let (id, _) = activity.event_id().rsplit_once('@').filter(|_| is_custom)?;
    NotificationId::try_from(id.to_owned()).ok()
}

/// The thread an activity is about.
pub(crate) fn thread_of(activity: &Activity) -> Option<ThreadId> {
    let id = activity.annotation_id.clone().filter(|_| activity.source.has_thread())?;
    Some((activity.document_id.clone(), id))
}

/// The threads that activities are about, with the comments that they name.
pub(crate) fn threads_of<'a>(
    activities: impl IntoIterator<Item = &'a Activity>,
) -> BTreeMap<ThreadId, BTreeSet<u64>> {
    let mut threads: BTreeMap<ThreadId, BTreeSet<u64>> = BTreeMap::new();
    for activity in activities {
        if let Some(thread) = thread_of(activity) {
            threads.entry(thread).or_default().extend(activity.comment_id);
        }
    }
    threads
}

impl TenantNotifications<'_> {
    /// Pending and recent events, by id.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn pending_events(
        self,
        ids: impl IntoIterator<Item = String>,
    ) -> Result<BTreeMap<String, PendingEvent>> {
        let ids: BTreeSet<String> = ids.into_iter().collect();
        let keys: Vec<RowKey> =
            ids.into_iter().map(|event_id| RowKey::Pending { event_id }).collect();
        let mut found = BTreeMap::new();
        for keys in keys.chunks(AT_ONCE) {
            for stored in self.0.schedule().load(keys).await?.into_iter().flatten() {
                let pending = PendingEvent::from_row(stored.row)?;
                found.insert(pending.event.id.clone(), pending);
            }
        }
        Ok(found)
    }
}

impl Notifications<'_> {
    /// The decisions about activities, in their order.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn eligibility(
        self,
        activities: &[Activity],
        seen: SeenCheck,
    ) -> Result<Vec<Eligibility>> {
        let users: BTreeSet<UserId> =
            activities.iter().map(|activity| activity.user_id.clone()).collect();
        let documents: BTreeSet<DocumentId> =
            activities.iter().map(|activity| activity.document_id.clone()).collect();
        let threads = threads_of(activities);
        let customs: BTreeSet<NotificationId> = activities.iter().filter_map(custom_id).collect();
        let marked = match seen {
            SeenCheck::Counts => Vec::from_iter(threads.keys()),
            SeenCheck::Ignored => vec![],
        };
        let marks = marked.into_iter().map(|thread| async {
            let marks = self.seen_by(&users, thread).await?.into_iter();
            let key = |mark: SeenMark| ((thread.clone(), mark.user_id.clone()), mark);
            Ok::<Vec<_>, Error>(marks.map(key).collect())
        });
        let folders = BTreeSet::new();
        let (notices, mails) = (
            self.0.tenant().configuration().notification(),
            self.0.tenant().configuration().email(),
        );
        let (annotations, notifications) = (self.0.comments(), self.all());
        let things = future::try_join4(
            self.0.permissions().facts(&users, &folders, &documents),
            annotations.find_with(threads.clone()),
            future::try_join_all(marks),
            notifications.find_all(customs),
        );
        let services = future::try_join(notices.find(), mails.find());
        let ((rights, threads, marks, notifications), (notices, mails)) =
            future::try_join(things, services).await?;
        let visibilities = threads.values().map(|thread| &thread.visibility);
        let members = self.members(&users, visibilities);
        // After the rights, which know the containers of preferences.
        let (members, wishes) = future::try_join(members, self.wishes(&users, &documents)).await?;
        let mut off = BTreeSet::new();
        if !notices.is_some_and(|config| config.use_notification_service) {
            off.insert(Channel::Inbox);
        }
        if !mails.is_some_and(|config| config.use_email_service) {
            off.insert(Channel::Email);
        }
        let mut now = Now {
            organization: self.0,
            seen,
            rights,
            threads,
            members,
            marks: marks.into_iter().flatten().collect(),
            notifications,
            wishes,
            off,
            events: BTreeMap::new(),
        };
        now.read_events(activities).await?;
        Ok(activities.iter().map(|activity| now.decide(activity)).collect())
    }
}

impl Now<'_> {
    /// Reads events if needed, which is rare.
    async fn read_events(&mut self, activities: &[Activity]) -> Result<()> {
        let needed = activities.iter().filter(|activity| {
            let set_by_them = self.thread(activity).is_some_and(|thread| {
                thread.status_updated_by_user_id.as_ref() == Some(&activity.user_id)
                    && thread.last_updated > activity.t0
            });
            let is_unknown = is_stranger(&self.rights, &activity.user_id, &activity.document_id);
            let is_open = activity.mine && !activity.named && self.has_unsubscribed(activity);
            is_unknown || is_open || (self.seen == SeenCheck::Counts && set_by_them)
        });
        let ids: Vec<String> = needed.map(|activity| activity.event_id().to_owned()).collect();
        if !ids.is_empty() {
            let pending = self.organization.tenant().notifications().pending_events(ids).await?;
            self.events = pending.into_iter().map(|(id, it)| (id, it.event)).collect();
        }
        Ok(())
    }

    fn thread(&self, activity: &Activity) -> Option<&Thread> {
        self.threads.get(&thread_of(activity)?)
    }

    fn decide(&self, activity: &Activity) -> Eligibility {
        if let Some(reason) = self.obstacle(activity) {
            return Eligibility::Ineligible(reason);
        }
        let wanted = self.wishes.of(&activity.user_id, &activity.document_id);
        let is_mine = self.involves(activity);
        let is_custom = activity.kind == EventType::NotificationAdd;
        let mut withheld = BTreeMap::new();
        for (channel, wanted) in [
            (Channel::Inbox, wanted.inbox),
            (Channel::Email, wanted.email),
            (Channel::Chat, wanted.chat),
        ] {
            // A custom notification is in the inbox even if the service is off (contract
            // `notifications.add`).
            let is_off = self.off.contains(&channel) && !(is_custom && channel == Channel::Inbox);
            if is_off {
                withheld.insert(channel, Reason::ServiceOff);
            } else if !accepts(wanted, is_mine) {
                withheld.insert(channel, Reason::Muted);
            }
        }
        Eligibility::Eligible { withheld }
    }

    /// The reason for dropping it.
    fn obstacle(&self, activity: &Activity) -> Option<Reason> {
        if !self.is_there(activity) || self.has_left(activity) {
            return Some(Reason::Deleted);
        }
        let sees = self.thread(activity).is_none_or(|thread| {
            thread.visibility.admits(&activity.user_id, self.members.of(&activity.user_id))
        });
        if !self.reaches(activity) || !sees {
            return Some(Reason::NoAccess);
        }
        let is_seen = self.seen == SeenCheck::Counts && self.has_seen(activity);
        is_seen.then_some(Reason::Seen)
    }

    /// Whether its subject still exists.
    fn is_there(&self, activity: &Activity) -> bool {
        let is_custom = activity.kind == EventType::NotificationAdd;
        let is_gone = custom_id(activity).is_none_or(|id| !self.notifications.contains_key(&id));
        let access = self.rights.access_to_document(&activity.document_id);
        // A thread of a document that was added again may have the same id.
        let is_of_before = !self.rights.covers(&activity.document_id, activity.t0);
        if access == Access::Absent || is_of_before || (is_custom && is_gone) {
            return false;
        }
        if thread_of(activity).is_none() {
            return true;
        }
        let Some(thread) = self.thread(activity) else { return false };
        let Some(id) = activity.comment_id else { return true };
        let comment = thread.comment(id);
        match activity.kind {
            EventType::CommentDelete | EventType::ReactionDelete => true,
            EventType::ReactionAdd => comment.is_some_and(|comment| {
                let mut by = comment.reactions.iter().flat_map(|reaction| &reaction.from_users);
                by.any(|by| Some(&by.from.user_id) == activity.actor_id.as_ref())
            }),
            _ => comment.is_some(),
        }
    }

    /// Whether the recipient lost access since the event.
    fn has_left(&self, activity: &Activity) -> bool {
        let Some(event) = self.events.get(activity.event_id()) else { return false };
        is_stranger(&self.rights, &activity.user_id, &activity.document_id)
            && !facts_of(event).strangers.contains(&activity.user_id)
    }

    /// Whether the recipient still may be told.
    fn reaches(&self, activity: &Activity) -> bool {
        let user = &activity.user_id;
        let facts = self.events.get(activity.event_id()).map(facts_of).unwrap_or_default();
        let naming = Naming {
            is_involved: activity.mine,
            acted: self.thread(activity).and_then(|thread| thread.last_act_of(user)),
            ..facts.naming(user, activity.t0)
        };
        reached(self.rights.standing(user, &activity.document_id), naming)
    }

    /// Whether the recipient has seen the thread or acted in it since.
    fn has_seen(&self, activity: &Activity) -> bool {
        let marked = thread_of(activity)
            .and_then(|thread| self.marks.get(&(thread, activity.user_id.clone())));
        if marked.is_some_and(|mark| mark.seen_at >= activity.t0) {
            return true;
        }
        let read = custom_id(activity).and_then(|id| self.notifications.get(&id));
        if read
            .is_some_and(|notification| notification.read_by_user_ids.contains(&activity.user_id))
        {
            return true;
        }
        let Some(thread) = self.thread(activity) else { return false };
        thread.has_acted_since(&activity.user_id, activity.t0)
            || self.has_set_status(activity, thread)
    }

    fn has_set_status(&self, activity: &Activity, thread: &Thread) -> bool {
        let Some(event) = self.events.get(activity.event_id()) else { return false };
        let is_theirs = thread.status_updated_by_user_id.as_ref() == Some(&activity.user_id);
        let Some((by, id)) = facts_of(event).status else { return false };
        let is_other = by.as_ref() != Some(&activity.user_id) || id != *thread.status.id.as_str();
        is_theirs && is_other
    }

    /// Whether the event still involves the recipient, who may have unsubscribed meanwhile.
    fn involves(&self, activity: &Activity) -> bool {
        if !activity.mine || !self.has_unsubscribed(activity) {
            return activity.mine;
        }
        let facts = self.events.get(activity.event_id()).map(facts_of).unwrap_or_default();
        facts.involves(&activity.user_id, activity.named, true)
    }

    fn has_unsubscribed(&self, activity: &Activity) -> bool {
        let thread = self.thread(activity);
        thread.is_some_and(|thread| thread.unsubscribed.contains_key(&activity.user_id))
    }
}
