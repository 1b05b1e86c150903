//! Notifications on their way out: what they show, read when they are delivered, and how they get
//! into the inbox, once.

use std::collections::{BTreeMap, BTreeSet};

use aws::{Condition, Value, Write};
use delivery::{Activity, ActivityState, Channel, Held, Notice, TOMBSTONE};
use error::{Error, Result};
use futures_util::future;
use model::{
    Email, Metadata, NotificationId, OrganizationId, UserId,
    access::Level,
    comment::{Annotation, Comment},
    event::{DeliveredNotice, Event, EventType},
    notice::{Contents, Entry, Facts, id_for},
    notification::Notification,
    template::{one_line, shorten},
    user::{Person, User},
};

use crate::{
    audience::facts_of,
    collection::new_version,
    commit::{Fate, Unit, absent},
    entity::Table,
    item::{self, EXPIRES, VERSION},
    key::Key,
    permissions::Rights,
    scope::OrganizationStore,
    verdicts::{Thread, custom_id, thread_of, threads_of},
};

/// The id under which a user finds what tells them of an activity or a digest. Ids of digests are
/// unique; an event, and what a caller adds, has several recipients.
fn stored_id(id: &str, event_id: &str, user: &UserId) -> Result<NotificationId> {
    let id = match id == event_id {
        true => id_for(id, user, keyring::sha256_hex),
        false => id.to_owned(),
    };
    NotificationId::try_from(id).map_err(Error::internal)
}

/// The id of the notification that told of an activity, if one did.
pub fn notification_of(activity: &Activity) -> Option<NotificationId> {
    let ActivityState::Delivered { notification_id, .. } = &activity.state else { return None };
    custom_id(activity)
        .or_else(|| stored_id(notification_id, &activity.event_id, &activity.user_id).ok())
}

/// What is read to show activities.
struct Found {
    rights: Rights,
    threads: BTreeMap<Thread, Annotation>,
    held: BTreeMap<String, Held>,
    customs: BTreeMap<NotificationId, Notification>,
    members: BTreeMap<UserId, User>,
    groups: BTreeSet<String>,
}

impl OrganizationStore {
    /// Puts a notification into the inbox of its recipient, where some of it goes there, and tells
    /// of it (rule N19). What was published once is not published again.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn publish(&self, notice: &Notice) -> Result<()> {
        let inbox: Vec<&Activity> = notice.on(Channel::Inbox).collect();
        let told: Vec<&Activity> = match inbox.is_empty() {
            true => notice.activities.iter().collect(),
            false => inbox.clone(),
        };
        let contents = self.contents(&notice.id, &notice.user_id, told, notice.at);
        let Some(mut contents) = contents.await? else { return Ok(()) };
        contents.batch = notice.batch.as_ref().map(members).transpose()?;
        let is_custom = contents.entries.iter().all(|entry| entry.own.is_some());
        let own = contents.entries[0].own.as_deref().cloned().filter(|_| is_custom);
        let Some(notification) = own.or_else(|| contents.notification()) else { return Ok(()) };
        let shown = notification.clone().shown(&self.tenant.key.id, &self.id);
        let event = Event::NoticeDelivered(Box::new(DeliveredNotice {
            organization_id: self.id.clone(),
            user_id: notice.user_id.clone(),
            notification_id: contents.id.clone(),
            trigger: contents.entries[contents.entries.len() - 1].kind.name().to_owned(),
            data: members(&shown)?,
        }));
        let mut unit = match inbox.is_empty() || is_custom {
            true => Unit { told: self.notifications().told([event]), ..Unit::default() },
            false => self.notifications().inserted(&notification, Some(event))?,
        };
        unit.writes.insert(0, self.published(&notice.user_id, &contents.id)?);
        unit.version = None;
        match self.tenant.db.commit(unit).await {
            // It was published before.
            Fate::Done | Fate::Refused(_) => Ok(()),
            Fate::Failed(error) => Err(error),
        }
    }

    /// A row that says that something was published, for as long as it might be tried again.
    fn published(&self, user: &UserId, id: &NotificationId) -> Result<Write> {
        let sort = Key::of("notice", id.as_str());
        let mut row = item::key(&self.recipient(user), &sort);
        let at = (self.tenant.now() + TOMBSTONE).div_ceil(1000);
        row.insert(EXPIRES.to_owned(), Value::N(at.to_string()));
        row.insert(VERSION.to_owned(), Value::S(new_version()?));
        let condition: Option<Condition> = Some(absent());
        Ok(Write::Put { table: Table::Schedule.name(), item: row, condition })
    }

    /// Where the work for a recipient lies.
    pub(crate) fn recipient(&self, user: &UserId) -> Key {
        self.partition.and("recipient", user.as_str())
    }

    /// What is shown of activities of a user that are told of together under an id, oldest first:
    /// for the inbox as for mails. None when nothing is left of them.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn contents(
        &self,
        id: &str,
        user: &UserId,
        activities: Vec<&Activity>,
        at: model::Millis,
    ) -> Result<Option<Contents>> {
        let Some(newest) = activities.last() else { return Ok(None) };
        let id = match custom_id(newest) {
            Some(custom) => custom,
            None => stored_id(id, &activities[0].event_id, user)?,
        };
        let found = self.read_for(user, &activities).await?;
        let entries: Vec<Entry> =
            activities.iter().filter_map(|activity| found.entry(activity)).collect();
        if entries.is_empty() {
            return Ok(None);
        }
        let recipient = found.recipient(user, &activities);
        let organization_id: OrganizationId = self.id.clone();
        Ok(Some(Contents { id, organization_id, recipient, entries, batch: None, at }))
    }

    async fn read_for(&self, user: &UserId, activities: &[&Activity]) -> Result<Found> {
        let documents: BTreeSet<_> = activities.iter().map(|it| it.document_id.clone()).collect();
        let threads = threads_of(activities.iter().copied());
        let customs: BTreeSet<_> = activities.iter().filter_map(|it| custom_id(it)).collect();
        let events = activities.iter().map(|activity| activity.event_id.clone());
        let actors = activities.iter().filter_map(|activity| activity.actor_id.clone());
        let people: BTreeSet<UserId> = actors.chain([user.clone()]).collect();
        let levels = documents.iter().cloned().map(Level::Document).chain([Level::Organization]);
        let levels: Vec<Level> = levels.collect();
        let members =
            people.iter().flat_map(|id| levels.iter().map(|level| (level.clone(), id.clone())));
        let members: Vec<_> = members.collect();
        let (annotations, users, notifications) =
            (self.annotations(), self.users(), self.notifications());
        let (nobody, folders) = (BTreeSet::new(), BTreeSet::new());
        let (rights, threads, members, customs, held) = future::try_join5(
            self.rights(&nobody, &folders, &documents),
            annotations.find_with(threads),
            users.find_all(members),
            notifications.find_all(customs),
            self.tenant.held(events),
        )
        .await?;
        let mut profiles: BTreeMap<UserId, User> = BTreeMap::new();
        for ((level, id), member) in members {
            // What is said of somebody in the organization counts more.
            if level == Level::Organization || !profiles.contains_key(&id) {
                profiles.insert(id, member);
            }
        }
        let mentioned: BTreeSet<_> =
            held.values().flat_map(|held| facts_of(&held.event).groups).collect();
        let just_them = BTreeSet::from([user.clone()]);
        let of_group = mentioned.into_iter().map(|group| {
            let just_them = &just_them;
            async move {
                let only = BTreeSet::from([group.clone()]);
                let found = self.members_among(&only, just_them).await?;
                Ok::<_, Error>(found.contains(user).then(|| group.as_str().to_owned()))
            }
        });
        let groups = future::try_join_all(of_group).await?.into_iter().flatten().collect();
        Ok(Found { rights, threads, held, customs, members: profiles, groups })
    }
}

fn members(value: &impl serde::Serialize) -> Result<Metadata> {
    match serde_json::to_value(value).map_err(Error::internal)? {
        serde_json::Value::Object(members) => Ok(members),
        _ => Err(Error::internal("not an object")),
    }
}

impl Found {
    fn facts(&self, activity: &Activity) -> Facts {
        self.held.get(&activity.event_id).map(|held| facts_of(&held.event)).unwrap_or_default()
    }

    fn entry(&self, activity: &Activity) -> Option<Entry> {
        let own = match activity.kind {
            EventType::NotificationAdd => {
                Some(Box::new(self.customs.get(&custom_id(activity)?)?.clone()))
            }
            _ => None,
        };
        let document = self.rights.document(&activity.document_id)?;
        let name = document.document_name.as_ref().map(|name| name.as_str().to_owned());
        let name = name.filter(|name| !name.trim().is_empty());
        let thread = thread_of(activity).and_then(|thread| self.threads.get(&thread));
        let comment = thread.and_then(|thread| about(activity, thread));
        let facts = self.facts(activity);
        let user = &activity.user_id;
        let is_mention = comment
            .filter(|_| activity.comment_id.is_some())
            .is_some_and(|comment| comment.mentioned().any(|person| person.user_id == *user))
            || facts.groups.iter().any(|group| self.groups.contains(group.as_str()));
        let mut values = facts.values.clone();
        if let Some(assignee) = values.get_mut("assignee").filter(|it| !it.is_null()) {
            let known = thread.and_then(|thread| thread.assigned_to.as_ref());
            let is_same = |person: &&Person| assignee["userId"] == person.user_id.as_str();
            if let Some(person) = known.filter(is_same) {
                *assignee = serde_json::json!(person);
            }
        }
        let own_text = own.as_ref().and_then(|own| own.display_body_message.clone());
        let snippet = own_text
            .or_else(|| comment.and_then(text))
            .map(|text| shorten(one_line(&text).trim(), Entry::MAX_SNIPPET));
        Some(Entry {
            event_id: activity.event_id.clone(),
            kind: activity.kind,
            source: own.as_ref().map_or(activity.source, |own| own.notification_source),
            actor: self.actor(activity, thread, own.as_deref(), &facts),
            at: activity.t0,
            document_name: name.unwrap_or_else(|| activity.document_id.as_str().to_owned()),
            document_id: activity.document_id.clone(),
            annotation_id: activity.annotation_id.clone(),
            comment_id: activity.comment_id,
            snippet: snippet.filter(|snippet| !snippet.is_empty()),
            is_mention,
            is_direct: activity.mine,
            is_subscriber: thread.is_some_and(|thread| thread.is_only_subscribed(user)),
            page_url: thread.and_then(page_url),
            location: thread.and_then(|thread| thread.location.clone()).map(Metadata::from),
            values,
            own,
        })
    }

    /// Who did it, as they are known now; somebody who is gone is not named any more.
    fn actor(
        &self,
        activity: &Activity,
        thread: Option<&Annotation>,
        own: Option<&Notification>,
        facts: &Facts,
    ) -> Option<Person> {
        if let Some(own) = own {
            return own.action_user.clone();
        }
        let id = activity.actor_id.as_ref()?;
        if let Some(member) = self.members.get(id) {
            return Some(person(member));
        }
        if !facts.strangers.contains(id) {
            return Some(Person::deleted());
        }
        let named = thread.and_then(|thread| named_in(thread, id));
        Some(named.unwrap_or_else(|| Person::of(id.clone())))
    }

    fn recipient(&self, user: &UserId, activities: &[&Activity]) -> Person {
        let mut known = self
            .members
            .get(user)
            .map(person)
            .or_else(|| self.threads.values().find_map(|thread| named_in(thread, user)));
        let found = known.get_or_insert_with(|| Person::of(user.clone()));
        if found.email.is_none() {
            let address = activities.iter().find_map(|it| self.facts(it).addresses.remove(user));
            found.email = address.and_then(|address| Email::try_from(address).ok());
        }
        found.clone()
    }
}

/// What a member is shown as.
fn person(member: &User) -> Person {
    let profile = member.profile.clone().shown();
    Person {
        name: profile.name,
        email: profile.email,
        photo_url: profile.photo_url,
        color: profile.color,
        text_color: profile.text_color,
        initial: profile.initial,
        ..Person::of(member.user_id.clone())
    }
}

fn named_in(thread: &Annotation, user: &UserId) -> Option<Person> {
    let comments = &thread.comments;
    let authors = comments.iter().map(|comment| comment.from.clone());
    let mentioned = comments.iter().flat_map(Comment::mentioned);
    let reactors = comments.iter().flat_map(|comment| &comment.reactions);
    let reactors = reactors.flat_map(|reaction| &reaction.from_users).map(|by| by.from.clone());
    let subscribed = thread.subscribed.values().map(|it| it.user.clone());
    let others = thread.assigned_to.clone().into_iter().chain([thread.from.clone()]);
    let mut all = authors.chain(others).chain(reactors).chain(mentioned).chain(subscribed);
    all.find(|person| person.user_id == *user)
}

/// The comment whose text is shown: that of the event, or the first of the thread.
fn about<'a>(activity: &Activity, thread: &'a Annotation) -> Option<&'a Comment> {
    match activity.comment_id {
        Some(id) => thread.comment(id),
        None => thread.comments.first(),
    }
}

/// The text of a comment, with names where it mentions somebody.
fn text(comment: &Comment) -> Option<String> {
    let mut text = comment.comment_text.clone()?;
    for person in comment.mentioned() {
        let name = person.name.as_deref().unwrap_or(person.user_id.as_str());
        text = text.replace(&format!("{{{{{}}}}}", person.user_id), &format!("@{name}"));
    }
    Some(text)
}

/// The page a thread was made on; only what a browser opens as a page.
fn page_url(thread: &Annotation) -> Option<String> {
    let info = thread.page_info.as_ref()?;
    let found = ["commentUrl", "url"].iter().find_map(|name| info.get(*name)?.as_str());
    let is_page = |url: &&str| url.starts_with("https://") || url.starts_with("http://");
    found.filter(is_page).map(str::to_owned)
}
