//! Facts of a pending event: its involved users and headline variables. They contain ids instead of
//! names, which are read at delivery.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Naming;
use crate::{
    GroupId, Metadata, Millis, UserId,
    comment::{Agent, Reactor, Subscription},
    event::{DomainEvent, EventType},
    people::{self, Names, Part, People, Rest},
    user::Person,
};

/// Facts of an event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Facts {
    /// Directly involved users: mentioned, old and new assignee, the author of the comment reacted
    /// to, and `notifyUsers`.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub direct: BTreeSet<UserId>,
    /// Users whom the event itself names, by the tenant's server: in a new comment, as the new
    /// assignee, or in `notifyUsers`.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub addressed: BTreeSet<UserId>,
    /// User groups that are mentioned.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub groups: BTreeSet<GroupId>,
    /// Users whom the thread concerns: author, commenters, subscribers and assignee, without
    /// unsubscribed users.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub involved: BTreeSet<UserId>,
    /// The assignee of the thread: involved also after unsubscribing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignee: Option<UserId>,
    /// Users among these and the actor without a membership in the organization at the event: their
    /// access cannot end later.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub strangers: BTreeSet<UserId>,
    /// Involved agents and bots, who are not notified.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub bots: BTreeSet<UserId>,
    /// Addresses in `notifyUsers` of users of whom the organization has none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub addresses: BTreeMap<UserId, String>,
    /// The end user who caused the event; absent for the tenant's server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_end_user: Option<UserId>,
    /// Whether only directly involved users are recipients, instead of everyone with access to the
    /// document.
    pub only_direct: bool,
    /// The previous status of the thread and the user who set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<(Option<UserId>, Value)>,
    /// Variables of the headline.
    #[serde(skip_serializing_if = "Metadata::is_empty")]
    pub values: Metadata,
}

/// A thread in an event, as far as relevant here.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    from: Person,
    #[serde(default)]
    status: Metadata,
    status_updated_by_user_id: Option<UserId>,
    assigned_to: Option<Person>,
    #[serde(default)]
    subscribed_users: BTreeMap<UserId, Subscription>,
    #[serde(default)]
    unsubscribed_users: BTreeMap<UserId, Value>,
    #[serde(default)]
    comments: Vec<ShownComment>,
    /// Including those of archived comments.
    #[serde(default)]
    involved_user_ids: BTreeSet<UserId>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownComment {
    comment_id: u64,
    from: Person,
    agent: Option<Agent>,
    #[serde(default)]
    to: Vec<Person>,
    #[serde(default)]
    reaction_annotations: Vec<ShownReaction>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownReaction {
    icon: String,
    #[serde(default)]
    from_users: Vec<Reactor>,
}

impl Names for Facts {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self {
            direct,
            addressed,
            groups: _,
            involved,
            assignee,
            strangers,
            bots,
            addresses,
            by_end_user,
            only_direct: _,
            status,
            values,
        } = self;
        for users in [direct, addressed, involved, strangers, bots] {
            people::ids(walk, Part::Beside, users);
        }
        let status = status.iter_mut().filter_map(|(by, _)| by.as_mut());
        for user in assignee.iter_mut().chain(by_end_user).chain(status) {
            people::id(walk, Part::Beside, user);
        }
        people::by_id(walk, |_| Part::Recipient, addresses, |address, _| address);
        people::members(walk, values);
        Rest::Stays
    }
}

impl Facts {
    /// The facts of an event; `shown` is its thread, from the event or, if it was too large, read
    /// again.
    pub fn from_event(event: &DomainEvent, shown: Option<&Shown>) -> Self {
        let mut facts = Self { by_end_user: event.by_end_user.clone(), ..Self::default() };
        match event.event {
            EventType::NotificationAdd => facts.of_custom(event),
            _ => {
                facts.of_changes(event);
                shown.into_iter().for_each(|shown| facts.of_thread(event, shown));
            }
        }
        if facts.by_end_user.is_some() {
            facts.addressed.clear();
        }
        facts
    }

    fn of_custom(&mut self, event: &DomainEvent) {
        self.only_direct = event.data.get("notifyAll") != Some(&json!(true));
        let named = event.data.get("notifyUsers").cloned();
        let named: Vec<Person> =
            named.and_then(|users| serde_json::from_value(users).ok()).unwrap_or_default();
        for person in named {
            let email = person.address().map(String::from);
            self.addresses.extend(email.map(|email| (person.user_id.clone(), email)));
            self.addressed.insert(person.user_id.clone());
            self.direct.insert(person.user_id);
        }
    }

    fn of_changes(&mut self, event: &DomainEvent) {
        for (member, change) in &event.changes {
            let (name, value) = match member.as_str() {
                "assignedTo" => {
                    let people = [&change.from, &change.to].into_iter();
                    self.direct.extend(people.filter_map(user_id_of));
                    self.addressed.extend(user_id_of(&change.to));
                    let id = change.to.get("userId").map(|id| json!({ "userId": id }));
                    ("assignee", id.unwrap_or_default())
                }
                "status" => ("status", name_of(&change.to)),
                "priority" => ("priority", name_of(&change.to)),
                _ => continue,
            };
            self.values.insert(name.to_owned(), value);
        }
    }

    fn of_thread(&mut self, event: &DomainEvent, shown: &Shown) {
        let authors = shown.comments.iter().map(|comment| &comment.from.user_id);
        self.involved.extend(authors.cloned());
        self.involved.extend(shown.involved_user_ids.iter().cloned());
        self.involved.insert(shown.from.user_id.clone());
        self.involved.extend(shown.subscribed_users.keys().cloned());
        self.involved.retain(|id| !shown.unsubscribed_users.contains_key(id));
        self.assignee = shown.assigned_to.as_ref().map(|person| person.user_id.clone());
        self.involved.extend(self.assignee.clone());
        if event.event == EventType::AnnotationAdd {
            self.addressed.extend(shown.assigned_to.iter().map(|person| person.user_id.clone()));
        }
        let by_agents = shown.comments.iter().filter(|comment| comment.agent.is_some());
        self.bots.extend(by_agents.map(|comment| comment.from.user_id.clone()));
        let status = shown.status.get("id").cloned().unwrap_or_default();
        self.status = Some((shown.status_updated_by_user_id.clone(), status));
        let is_meant = |comment: &&ShownComment| Some(comment.comment_id) == event.comment_id;
        // The event does not contain archived comments.
        let target = event.data.get("targetComment").cloned();
        let target = target.and_then(|target| serde_json::from_value(target).ok());
        let comment = shown.comments.iter().find(is_meant).cloned().or(target);
        let Some(comment) = comment else { return };
        let mentioned = || comment.to.iter().map(|person| person.user_id.clone());
        self.direct.extend(mentioned());
        if let EventType::AnnotationAdd | EventType::CommentAdd = event.event {
            self.addressed.extend(mentioned());
        }
        if let EventType::ReactionAdd | EventType::ReactionDelete = event.event {
            self.direct.insert(comment.from.user_id.clone());
            let actor = event.actor.as_ref().map(|actor| &actor.user_id);
            let latest = comment.latest_reaction(actor);
            self.values.extend(latest.map(|icon| ("icon".to_owned(), json!(icon))));
        }
    }

    /// Leaves out users whom the organization does not know and only end users named.
    pub fn leave_out(&mut self, unvouched: &BTreeSet<UserId>) {
        let is_out = |user: &UserId| unvouched.contains(user) && self.strangers.contains(user);
        self.direct.retain(|user| !is_out(user));
        self.involved.retain(|user| !is_out(user));
    }

    /// Naming of a user by the event, at this time, and by its thread, except for the user's own
    /// acts.
    pub fn naming(&self, user: &UserId, at: Millis) -> Naming {
        Naming {
            at,
            is_addressed: self.addressed.contains(user),
            is_involved: self.direct.contains(user) || self.involved.contains(user),
            acted: None,
        }
    }

    /// Whether the event involves a user (rule N3): `is_named` says whether it names the user,
    /// directly or by a group. A user who unsubscribed is involved no further than that, or as the
    /// assignee.
    pub fn involves(&self, user: &UserId, is_named: bool, has_unsubscribed: bool) -> bool {
        is_named
            || self.assignee.as_ref() == Some(user)
            || (!has_unsubscribed && self.involved.contains(user))
    }

    /// All users it names, besides the actor.
    pub fn named(&self) -> BTreeSet<UserId> {
        self.direct.union(&self.involved).cloned().collect()
    }
}

impl ShownComment {
    fn latest_reaction(&self, of: Option<&UserId>) -> Option<&str> {
        let by = self.reaction_annotations.iter().flat_map(|reaction| {
            reaction.from_users.iter().map(move |by| (by.last_updated, by, &reaction.icon))
        });
        let own = by.filter(|(_, by, _)| Some(&by.from.user_id) == of);
        own.max_by_key(|(at, ..): &(Millis, _, _)| *at).map(|(_, _, icon)| icon.as_str())
    }
}

fn user_id_of(person: &Value) -> Option<UserId> {
    UserId::try_from(person.get("userId")?.as_str()?.to_owned()).ok()
}

/// The name of a status or priority, or its id.
fn name_of(value: &Value) -> Value {
    let name = value.get("name").filter(|name| name.as_str().is_some_and(|name| !name.is_empty()));
    name.or_else(|| value.get("id")).cloned().unwrap_or_default()
}
