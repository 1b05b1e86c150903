//! What is to become of what is pending (rules N7 and N13): whether its recipient is still told,
//! and on which channels.

use std::collections::{BTreeMap, BTreeSet};

use delivery::{Activity, Body, Channel, Event, Held, Reason, RowKey, SeenCheck, Verdict};
use error::Result;
use futures_util::future;
use model::{
    AnnotationId, DocumentId, NotificationId, UserId, comment::Annotation, event::EventType,
    notification::Notification, preference::Channels, seen::SeenMark,
};

use crate::{
    audience::{facts_of, wants},
    permissions::{Right, Rights},
    preferences::Preferences,
    scope::{OrganizationStore, TenantStore},
};

/// Rows read at once.
const AT_ONCE: usize = 100;

/// A thread, in its document.
pub(crate) type Thread = (DocumentId, AnnotationId);

/// Everything that decides on the activities of one recipient, as read at one time.
struct Now<'a> {
    organization: &'a OrganizationStore,
    user: &'a UserId,
    seen: SeenCheck,
    rights: Rights,
    threads: BTreeMap<Thread, Annotation>,
    marks: BTreeMap<Thread, SeenMark>,
    notifications: BTreeMap<NotificationId, Notification>,
    preferences: Option<Preferences>,
    /// The channels whose service is off.
    off: BTreeSet<Channel>,
    /// Events, as far as they are needed.
    events: BTreeMap<String, Event>,
}

/// The id of the custom notification an activity is about.
pub(crate) fn custom_id(activity: &Activity) -> Option<NotificationId> {
    let is_custom = activity.kind == EventType::NotificationAdd;
    let (id, _) = activity.event_id.rsplit_once('@').filter(|_| is_custom)?;
    NotificationId::try_from(id.to_owned()).ok()
}

/// The thread an activity is about.
pub(crate) fn thread_of(activity: &Activity) -> Option<Thread> {
    let id = activity.annotation_id.clone().filter(|_| activity.source.has_thread())?;
    Some((activity.document_id.clone(), id))
}

/// The threads that activities are about, with the comments that they name.
pub(crate) fn threads_of<'a>(
    activities: impl IntoIterator<Item = &'a Activity>,
) -> BTreeMap<Thread, BTreeSet<u64>> {
    let mut threads: BTreeMap<Thread, BTreeSet<u64>> = BTreeMap::new();
    for activity in activities {
        if let Some(thread) = thread_of(activity) {
            threads.entry(thread).or_default().extend(activity.comment_id);
        }
    }
    threads
}

impl TenantStore {
    /// Events that are pending or were not long ago, by id.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn held(
        &self,
        ids: impl IntoIterator<Item = String>,
    ) -> Result<BTreeMap<String, Held>> {
        let ids: BTreeSet<String> = ids.into_iter().collect();
        let keys: Vec<RowKey> = ids.into_iter().map(|event_id| RowKey::Held { event_id }).collect();
        let mut found = BTreeMap::new();
        for keys in keys.chunks(AT_ONCE) {
            for stored in self.load_rows(keys).await?.into_iter().flatten() {
                let held = Held::from_row(stored.row)?;
                found.insert(held.event.id.clone(), held);
            }
        }
        Ok(found)
    }
}

impl OrganizationStore {
    /// What is to become of activities of a user, in their order.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn verdicts(
        &self,
        user: &UserId,
        activities: &[Activity],
        seen: SeenCheck,
    ) -> Result<Vec<Verdict>> {
        let documents: BTreeSet<DocumentId> =
            activities.iter().map(|activity| activity.document_id.clone()).collect();
        let threads = threads_of(activities);
        let marks = |seen| match seen {
            SeenCheck::Counts => threads.keys().cloned().collect(),
            SeenCheck::Ignored => BTreeSet::new(),
        };
        let marks = marks(seen).into_iter().map(|(document, id)| (document, user.clone(), id));
        let customs: BTreeSet<NotificationId> = activities.iter().filter_map(custom_id).collect();
        let (users, folders) = ([user.clone()].into(), BTreeSet::new());
        let (notices, mails) = (self.tenant.notification_config(), self.tenant.email_config());
        let (annotations, seen_marks) = (self.annotations(), self.seen_marks());
        let notifications = self.notifications();
        let things = future::try_join4(
            self.rights(&users, &folders, &documents),
            annotations.find_with(threads.clone()),
            seen_marks.find_all(marks),
            notifications.find_all(customs),
        );
        let wishes = self.preferences_of(user, &documents);
        let wishes = future::try_join3(wishes, notices.find(&()), mails.find(&()));
        let ((rights, threads, marks, notifications), (preferences, notices, mails)) =
            future::try_join(things, wishes).await?;
        let mut off = BTreeSet::new();
        if !notices.is_some_and(|config| config.use_notification_service) {
            off.insert(Channel::Inbox);
        }
        if !mails.is_some_and(|config| config.use_email_service) {
            off.insert(Channel::Email);
        }
        let marks = marks.into_iter().map(|((document, _, id), mark)| ((document, id), mark));
        let mut now = Now {
            organization: self,
            user,
            seen,
            rights,
            threads,
            marks: marks.collect(),
            notifications,
            preferences,
            off,
            events: BTreeMap::new(),
        };
        now.read_events(activities).await?;
        Ok(activities.iter().map(|activity| now.verdict(activity)).collect())
    }
}

impl Now<'_> {
    /// Reads events where they are needed, which is seldom.
    async fn read_events(&mut self, activities: &[Activity]) -> Result<()> {
        let is_unknown = !self.rights.is_known(self.user);
        let needed = activities.iter().filter(|activity| {
            let set_by_them = self.thread(activity).is_some_and(|thread| {
                thread.status_updated_by_user_id.as_ref() == Some(self.user)
                    && thread.last_updated > activity.t0
            });
            is_unknown || (self.seen == SeenCheck::Counts && set_by_them)
        });
        let ids: Vec<String> = needed.map(|activity| activity.event_id.clone()).collect();
        if !ids.is_empty() {
            let held = self.organization.tenant.held(ids).await?;
            self.events = held.into_iter().map(|(id, held)| (id, held.event)).collect();
        }
        Ok(())
    }

    fn thread(&self, activity: &Activity) -> Option<&Annotation> {
        self.threads.get(&thread_of(activity)?)
    }

    fn verdict(&self, activity: &Activity) -> Verdict {
        if let Some(reason) = self.obstacle(activity) {
            return Verdict::Drop(reason);
        }
        let wanted = self.preferences.as_ref();
        let wanted = wanted.map(|it| it.effective(Some(&activity.document_id)));
        let wanted = wanted.unwrap_or(Channels::BUILT_IN);
        let is_mine = activity.mine && !self.has_unsubscribed(activity);
        let is_custom = activity.kind == EventType::NotificationAdd;
        let mut withheld = BTreeMap::new();
        for (channel, wanted) in [
            (Channel::Inbox, wanted.inbox),
            (Channel::Email, wanted.email),
            (Channel::Chat, wanted.chat),
        ] {
            // A custom one is in the inbox whether or not the service is on (decisions 5).
            let is_off = self.off.contains(&channel) && !(is_custom && channel == Channel::Inbox);
            if is_off {
                withheld.insert(channel, Reason::ServiceOff);
            } else if !wants(wanted, is_mine) {
                withheld.insert(channel, Reason::Muted);
            }
        }
        Verdict::Keep { withheld }
    }

    /// Why it goes out nowhere.
    fn obstacle(&self, activity: &Activity) -> Option<Reason> {
        if !self.is_there(activity) || self.has_left(activity) {
            return Some(Reason::Deleted);
        }
        let reaches = self.rights.of_document(self.user, &activity.document_id);
        let sees = self
            .thread(activity)
            .is_none_or(|thread| thread.visibility.admits(self.user, &self.organization.id));
        if !matches!(reaches, Right::Held(..)) || !sees {
            return Some(Reason::NoAccess);
        }
        let is_seen = self.seen == SeenCheck::Counts && self.has_seen(activity);
        is_seen.then_some(Reason::Seen)
    }

    /// Whether what it is about is still there.
    fn is_there(&self, activity: &Activity) -> bool {
        let is_custom = activity.kind == EventType::NotificationAdd;
        let is_gone = custom_id(activity).is_none_or(|id| !self.notifications.contains_key(&id));
        if !self.rights.is_there(&activity.document_id) || (is_custom && is_gone) {
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

    /// Whether the recipient held something when it happened, and holds nothing any more.
    fn has_left(&self, activity: &Activity) -> bool {
        let Some(event) = self.events.get(&activity.event_id) else { return false };
        !self.rights.is_known(self.user) && !facts_of(event).strangers.contains(self.user)
    }

    /// Whether the recipient has seen the thread since, or done something in it.
    fn has_seen(&self, activity: &Activity) -> bool {
        let marked = thread_of(activity).and_then(|thread| self.marks.get(&thread));
        if marked.is_some_and(|mark| mark.seen_at >= activity.t0) {
            return true;
        }
        let read = custom_id(activity).and_then(|id| self.notifications.get(&id));
        if read.is_some_and(|it| it.read_by_user_ids.contains(self.user)) {
            return true;
        }
        let Some(thread) = self.thread(activity) else { return false };
        thread.has_acted_since(self.user, activity.t0) || self.has_set_status(activity, thread)
    }

    fn has_set_status(&self, activity: &Activity, thread: &Annotation) -> bool {
        let Some(event) = self.events.get(&activity.event_id) else { return false };
        let is_theirs = thread.status_updated_by_user_id.as_ref() == Some(self.user);
        let Some((by, id)) = facts_of(event).status else { return false };
        let is_other = by.as_ref() != Some(self.user) || id != *thread.status.id.as_str();
        is_theirs && is_other
    }

    /// Whether the recipient has unsubscribed from the thread, and is not meant in particular.
    fn has_unsubscribed(&self, activity: &Activity) -> bool {
        let Some(thread) = self.thread(activity) else { return false };
        let comment = activity.comment_id.and_then(|id| thread.comment(id));
        let is_mentioned =
            comment.is_some_and(|comment| comment.mentioned().any(|it| it.user_id == *self.user));
        let is_author = comment.is_some_and(|comment| comment.from.user_id == *self.user);
        let is_assignee =
            thread.assigned_to.as_ref().is_some_and(|person| person.user_id == *self.user);
        thread.unsubscribed.contains_key(self.user) && !(is_mentioned || is_author || is_assignee)
    }
}
