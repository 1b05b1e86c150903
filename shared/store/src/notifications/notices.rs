//! Delivery of notifications: content, read at delivery, and the write to the inbox, once.

mod shown;

use std::collections::{BTreeMap, BTreeSet};

use aws::{BatchWrite, Condition, Value, Write};
use error::{Error, Result};
use futures_util::future;
use model::{
    Metadata, NotificationId, PersonEmail, UserId,
    api_key::ApiKey,
    comment::Thread,
    event::{DeliveredNotice, Event, EventType},
    notice::{Contents, Facts, NoticeEntry},
    notification::Notification,
    template::excerpt,
    user::Person,
};
use notification::{Activity, ActivityState, Channel, Notice, PendingEvent, Recipient, TOMBSTONE};

use super::{
    eligibility::{custom_id, thread_of, threads_of},
    profiles::{Profiles, nameless},
    recipients::facts_of,
};
use crate::{notifications::Notifications, permissions::Facts as RightFacts, prelude::*};

/// The id of the notification of an activity, if there is one.
pub(crate) fn notification_of(activity: &Activity) -> Option<NotificationId> {
    let ActivityState::Delivered { notification_id, .. } = &activity.state else { return None };
    NotificationId::try_from(notification_id.clone()).ok()
}

/// Data read to render activities.
struct Found {
    rights: RightFacts,
    threads: BTreeMap<ThreadId, Thread>,
    pending: BTreeMap<String, PendingEvent>,
    customs: BTreeMap<NotificationId, Notification>,
    profiles: Profiles,
}

use shown::{about, named_in, page_url, snippet};
use tenancy::{
    layout::{EXPIRES, Entity, Key, Table, ThreadId, VERSION, item},
    prelude::*,
    reading::new_version,
    scopes::OrganizationStore,
    writing::{Unit, absent},
};

/// A published notification, whose activities may not know its id yet.
#[derive(Clone, Copy, Debug)]
pub struct PublishedNotice<'a> {
    /// The id of the notification.
    pub id: &'a str,
    /// The time of the delivery.
    pub at: model::Millis,
}

/// The variable of a headline for its reader.
pub(crate) const RECIPIENT: &str = "recipientUser";

impl Notifications<'_> {
    /// Delivers a notification to the inboxes of its recipients, if the inbox is among its
    /// channels, with its event (rule N19). Idempotent. Returns the ids under which they find it.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn publish(self, notice: &Notice) -> Result<Vec<String>> {
        let people = BTreeSet::new();
        let found = self.read_for(people, notice.activities()).await?;
        let mut ids: BTreeMap<UserId, String> = BTreeMap::new();
        for alike in found.alike(notice) {
            let id = stored_id(notice, &alike)?;
            ids.extend(
                alike.iter().map(|recipient| (recipient.user_id.clone(), id.as_str().to_owned())),
            );
            self.publish_alike(notice, id, &alike, &found).await?;
        }
        Ok(notice.users().map(|user| ids.remove(user).unwrap_or_default()).collect())
    }

    /// Publishes one notification for recipients with the same content.
    async fn publish_alike(
        self,
        notice: &Notice,
        id: NotificationId,
        alike: &[&Recipient],
        found: &Found,
    ) -> Result<()> {
        let Some(first) = alike.first() else { return Ok(()) };
        let inbox: Vec<&Activity> = first.on(Channel::Inbox).collect();
        let shown = match inbox.is_empty() {
            true => first.activities.iter().collect(),
            false => inbox.clone(),
        };
        let Some(mut contents) = found.contents(&id, self.0, &first.user_id, shown, notice.at)
        else {
            return Ok(());
        };
        contents.batch = notice.batch.as_ref().map(members).transpose()?;
        let is_custom = contents.entries.iter().all(|entry| entry.own.is_some());
        let own = contents.entries[0].own.as_deref().cloned().filter(|_| is_custom);
        let Some(mut notification) = own.or_else(|| contents.notification()) else {
            return Ok(());
        };
        if !is_custom {
            notification.notify_users =
                alike.iter().map(|recipient| (recipient.user_id.clone(), true)).collect();
            // Each reader is the recipient.
            notification.display_headline_message_template_data.remove(RECIPIENT);
        }
        let trigger = contents.entries[contents.entries.len() - 1].kind.name();
        let is_wanted = self.0.tenant().notifications().is_processed_on(trigger).await?;
        let mut emitted = None;
        if is_wanted {
            let shown = notification.clone().shown(&self.0.tenant().api_key().id, self.0.id());
            emitted = Some(Event::NoticeDelivered(Box::new(DeliveredNotice {
                organization_id: self.0.id().clone(),
                user_id: first.user_id.clone(),
                notification_id: contents.id.clone(),
                trigger: trigger.to_owned(),
                data: members(&shown)?,
            })));
        }
        let unit = match (inbox.is_empty() || is_custom, emitted) {
            (true, None) => return Ok(()),
            (true, Some(event)) => {
                let emitted = self.all().rows().emitted([event]);
                let writes = vec![self.published(&contents.id)?];
                Unit::new(writes).emitting(emitted)
            }
            (false, event) => {
                let mut unit = self.all().rows().inserted(&notification, event)?;
                // A link row that its target does not list is ignored, so it may be written first.
                let links =
                    unit.writes_mut().split_off(1).into_iter().filter_map(|write| match write {
                        Write::Put { item, .. } => Some(BatchWrite::Put(item)),
                        _ => None,
                    });
                let links = links.collect();
                let written = self.0.tenant().db().write_all(Notification::TABLE, links).await;
                written.into_iter().collect::<Result<()>>()?;
                unit
            }
        };
        // Published by an earlier call.
        self.0.tenant().db().commit(unit).await.was_executed().map(drop)
    }

    /// A marker of a publication outside the inbox, for as long as it may be repeated.
    fn published(self, id: &NotificationId) -> Result<Write> {
        let mut row = item::key(self.0.partition(), &Key::pair("notice", id.as_str()));
        let at = (self.0.tenant().now() + TOMBSTONE).div_ceil(1000);
        row.insert(EXPIRES.to_owned(), Value::N(at.to_string()));
        row.insert(VERSION.to_owned(), Value::S(new_version()?));
        let condition: Option<Condition> = Some(absent());
        Ok(Write::Put { table: Table::Resources.name(), item: row, condition })
    }

    /// Key of the pending work of a recipient.
    pub(crate) fn recipient(self, user: &UserId) -> Key {
        self.0.partition().and("recipient", user.as_str())
    }

    /// The content of activities for a user, oldest first, for mails. None when no activity is
    /// left.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn contents(
        self,
        user: &UserId,
        activities: &[Activity],
        published: PublishedNotice<'_>,
    ) -> Result<Option<Contents>> {
        let Some(newest) = activities.last() else { return Ok(None) };
        let mailed = || NotificationId::try_from(published.id.to_owned()).ok();
        let id = custom_id(newest).or_else(|| notification_of(newest)).or_else(mailed);
        let Some(id) = id else { return Ok(None) };
        let found = self.read_for([user.clone()].into(), activities).await?;
        Ok(found.contents(&id, self.0, user, activities.iter().collect(), published.at))
    }

    async fn read_for(self, people: BTreeSet<UserId>, activities: &[Activity]) -> Result<Found> {
        let documents: BTreeSet<_> =
            activities.iter().map(|activity| activity.document_id.clone()).collect();
        let threads = threads_of(activities);
        let customs: BTreeSet<_> = activities.iter().filter_map(custom_id).collect();
        let events = activities.iter().map(|activity| activity.event_id().to_owned());
        let actors = activities.iter().filter_map(|activity| activity.actor_id.clone());
        let people: BTreeSet<UserId> = actors.chain(people).collect();
        let (annotations, notifications) = (self.0.comments(), self.all());
        let (nobody, folders) = (BTreeSet::new(), BTreeSet::new());
        let (rights, threads, mut profiles, customs, pending) = future::try_join5(
            self.0.permissions().facts(&nobody, &folders, &documents),
            annotations.find_with(threads),
            self.profiles(&people),
            notifications.find_all(customs),
            self.0.tenant().notifications().pending_events(events),
        )
        .await?;
        // Reads nothing for members with an address and mentions with names.
        self.look_above(&mut profiles, &people, &rights, &documents).await?;
        let quoted = activities
            .iter()
            .filter_map(|activity| about(activity, threads.get(&thread_of(activity)?)?));
        let assignees = pending.values().filter_map(|it| assignee_of(&facts_of(&it.event)));
        let nameless: Vec<UserId> = quoted.flat_map(nameless).chain(assignees).collect();
        self.look_up(&mut profiles, nameless, &rights, &documents).await?;
        Ok(Found { rights, threads, pending, customs, profiles })
    }
}

/// The id of a notification for its recipients. A delivery shows its content to each recipient
/// once, so its first recipient identifies it.
fn stored_id(notice: &Notice, alike: &[&Recipient]) -> Result<NotificationId> {
    let custom = notice.activities().last().and_then(custom_id);
    if let Some(custom) = custom {
        return Ok(custom);
    }
    let first = alike.first().map_or("", |recipient| recipient.user_id.as_str());
    let hash = keyring::sha256_hex(&format!("{}\n{first}", notice.generation));
    let id = format!("{}-{}", notice.id, hash.get(..16).unwrap_or(&hash));
    NotificationId::try_from(id).map_err(Error::internal)
}

fn members(value: &impl serde::Serialize) -> Result<Metadata> {
    match serde_json::to_value(value).map_err(Error::internal)? {
        serde_json::Value::Object(members) => Ok(members),
        _ => Err(Error::internal("not an object")),
    }
}

/// The new assignee of the thread, in an event about that.
fn assignee_of(facts: &Facts) -> Option<UserId> {
    let id = facts.values.get("assignee")?.get("userId")?.as_str()?;
    UserId::try_from(id.to_owned()).ok()
}

impl Found {
    fn facts(&self, activity: &Activity) -> Facts {
        let pending = self.pending.get(activity.event_id());
        pending.map(|pending| facts_of(&pending.event)).unwrap_or_default()
    }

    /// The recipients of a notification by content: its part in the inbox, and whether it says
    /// "you".
    fn alike<'a>(&self, notice: &'a Notice) -> Vec<Vec<&'a Recipient>> {
        let first = notice.activities().first();
        let assignee = first.and_then(|activity| assignee_of(&self.facts(activity)));
        let mut alike: BTreeMap<(Vec<&str>, bool), Vec<&Recipient>> = BTreeMap::new();
        for recipient in &notice.recipients {
            let inbox = recipient.on(Channel::Inbox).map(Activity::event_id).collect();
            let is_assignee = assignee.as_ref() == Some(&recipient.user_id);
            alike.entry((inbox, is_assignee)).or_default().push(recipient);
        }
        alike.into_values().collect()
    }

    fn contents(
        &self,
        id: &NotificationId,
        organization: &OrganizationStore,
        user: &UserId,
        activities: Vec<&Activity>,
        at: model::Millis,
    ) -> Option<Contents> {
        let key = organization.tenant().api_key();
        let entries: Vec<NoticeEntry> =
            activities.iter().filter_map(|activity| self.entry(activity, key)).collect();
        let recipient = self.recipient(user, &activities);
        let (id, organization_id) = (id.clone(), organization.id().clone());
        (!entries.is_empty()).then_some(Contents {
            id,
            organization_id,
            recipient,
            entries,
            batch: None,
            at,
        })
    }

    fn entry(&self, activity: &Activity, key: &ApiKey) -> Option<NoticeEntry> {
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
        let is_mention = activity.named && activity.comment_id.is_some();
        let mut values = facts.values.clone();
        if let Some(assignee) = values.get_mut("assignee").filter(|assignee| !assignee.is_null()) {
            let known = thread.and_then(|thread| thread.assigned_to.as_ref());
            let is_same = |person: &&Person| assignee["userId"] == person.user_id.as_str();
            if let Some(person) = known.filter(is_same) {
                *assignee = serde_json::json!(person);
            }
            let id = assignee_of(&facts).filter(|_| assignee["name"].is_null());
            if let Some(person) = id.and_then(|id| self.profiles.of(&id)) {
                *assignee = serde_json::json!(person);
            }
        }
        let own_text = own.as_ref().and_then(|own| own.display_body_message.clone());
        let snippet = match own_text {
            Some(text) => Some(excerpt(&text, &[], NoticeEntry::MAX_SNIPPET)),
            None => comment.and_then(|comment| snippet(comment, &self.profiles)),
        };
        Some(NoticeEntry {
            event_id: activity.event_id().to_owned(),
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
            page_url: thread.and_then(|thread| page_url(thread, document, key)),
            location: thread.and_then(|thread| thread.location.clone()).map(Metadata::from),
            values,
            by_end_user: facts.by_end_user,
            own,
        })
    }

    /// The current profile of the actor, or as the thread names them; one who left is not named.
    fn actor(
        &self,
        activity: &Activity,
        thread: Option<&Thread>,
        own: Option<&Notification>,
        facts: &Facts,
    ) -> Option<Person> {
        if let Some(own) = own {
            return own.action_user.clone();
        }
        let id = activity.actor_id.as_ref()?;
        if let Some(known) = self.profiles.of(id) {
            return Some(known.clone());
        }
        // A user who had a right and has none any more has left.
        if !facts.strangers.contains(id) && !self.profiles.holds(id) {
            return Some(Person::deleted());
        }
        let named = thread.and_then(|thread| named_in(thread, id));
        Some(named.unwrap_or_else(|| Person::from_id(id.clone())))
    }

    fn recipient(&self, user: &UserId, activities: &[&Activity]) -> Person {
        let mut known = self
            .profiles
            .of(user)
            .cloned()
            .or_else(|| self.threads.values().find_map(|thread| named_in(thread, user)));
        let found = known.get_or_insert_with(|| Person::from_id(user.clone()));
        if found.address().is_none() {
            let address =
                activities.iter().find_map(|activity| self.facts(activity).addresses.remove(user));
            found.email = address.and_then(|address| PersonEmail::try_from(address).ok());
        }
        found.clone()
    }
}
