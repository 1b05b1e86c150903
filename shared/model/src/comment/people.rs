//! Users involved in a thread.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Comment, Thread};
use crate::{UserId, user::Person};

/// Origin of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SubscriptionType {
    /// As the author, or by a mention.
    Auto,
    /// Explicitly.
    Manual,
}

/// A user who subscribed to a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AnnotationSubscription")]
pub struct Subscription {
    /// The user.
    pub user: Person,
    /// Origin of the subscription.
    #[serde(rename = "type")]
    pub kind: SubscriptionType,
}

/// Users by id.
pub(super) type People = BTreeMap<UserId, Person>;

impl Thread {
    /// Users mentioned in a comment.
    pub fn mentioned(&self) -> BTreeSet<UserId> {
        let mentioned = self.comments.iter().flat_map(Comment::mentioned).map(|user| user.user_id);
        mentioned.chain(self.archive.mentioned().cloned()).collect()
    }

    /// Users whom the thread concerns: participants and subscribers.
    pub fn involved(&self) -> BTreeSet<UserId> {
        let mut involved = self.participants();
        involved.extend(self.subscribed.keys().cloned());
        involved
    }

    /// Author, commenters, mentioned users and the assignee.
    fn participants(&self) -> BTreeSet<UserId> {
        let authors = self.comments.iter().map(|comment| &comment.from);
        let people = authors.chain([&self.from]).chain(&self.assigned_to);
        let mut participants = self.mentioned();
        participants.extend(people.map(|person| person.user_id.clone()));
        participants.extend(self.archive.participants().cloned());
        participants
    }

    /// Whether a user began it, and wrote all of its comments.
    pub fn is_by_alone(&self, user: &UserId) -> bool {
        self.from.user_id == *user
            && self.comments.iter().all(|comment| comment.from.user_id == *user)
            && !self.archive.has_author_besides(user)
    }

    /// Whether the thread concerns a user only because of an explicit subscription.
    pub fn is_only_subscribed(&self, user: &UserId) -> bool {
        let subscription = self.subscribed.get(user).map(|subscription| subscription.kind);
        subscription == Some(SubscriptionType::Manual) && !self.participants().contains(user)
    }

    /// Subscribes a user explicitly; returns whether they were not subscribed before.
    pub fn subscribe(&mut self, user: Person) -> bool {
        self.unsubscribed.remove(&user.user_id);
        let kind = SubscriptionType::Manual;
        let subscription = Subscription { user, kind };
        self.subscribed.insert(subscription.user.user_id.clone(), subscription).is_none()
    }

    /// Unsubscribes a user explicitly; returns whether they were subscribed. Mentions do not
    /// subscribe them again.
    pub fn unsubscribe(&mut self, user: Person) -> bool {
        let was = self.subscribed.remove(&user.user_id).is_some();
        if was {
            self.unsubscribed.insert(user.user_id.clone(), user);
        }
        was
    }

    pub(super) fn subscribe_automatically(&mut self, user: Person) {
        if !self.unsubscribed.contains_key(&user.user_id) {
            let id = user.user_id.clone();
            let kind = SubscriptionType::Auto;
            self.subscribed.entry(id).or_insert(Subscription { user, kind });
        }
    }

    /// Ends subscriptions from removed mentions, unless the user is involved otherwise.
    pub(super) fn unsubscribe_automatically(&mut self, once_mentioned: Vec<Person>) {
        for user in once_mentioned {
            let id = user.user_id;
            let is_auto = self
                .subscribed
                .get(&id)
                .is_some_and(|subscription| subscription.kind == SubscriptionType::Auto);
            if !is_auto {
                continue;
            }
            let taken_out = self.subscribed.remove(&id);
            if self.involved().contains(&id) {
                self.subscribed.extend(taken_out.map(|subscription| (id, subscription)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::super::thread::tests::{ids, person, thread};
    use crate::people::Names;

    #[test]
    fn the_author_and_whoever_is_mentioned_is_subscribed() {
        let thread = thread(json!([
            { "from": { "userId": "ada" }, "taggedUserContacts": [{ "userId": "bob" }] },
            { "from": { "userId": "cy" } },
        ]));
        assert_eq!(ids(&thread.mentioned()), ["bob"]);
        assert_eq!(ids(&thread.involved()), ["ada", "bob", "cy"]);
        assert_eq!(thread.subscribed.len(), 2, "who only answers is not");
    }

    #[test]
    fn a_thread_is_of_one_user_until_somebody_else_comments() {
        let own = json!({ "from": { "userId": "ada" } });
        let mut one = thread(json!([own, own]));
        let (ada, bob) = (person("ada").user_id, person("bob").user_id);
        assert!(one.is_by_alone(&ada) && !one.is_by_alone(&bob));
        let two = thread(json!([own, { "from": { "userId": "bob" } }]));
        assert!(!two.is_by_alone(&ada));
        one.from = person("bob");
        assert!(!one.is_by_alone(&ada), "it is another user's by now");
    }

    #[test]
    fn who_takes_part_is_not_only_subscribed() {
        let mut thread = thread(json!([
            { "from": { "userId": "ada" }, "taggedUserContacts": [{ "userId": "bob" }] },
            { "from": { "userId": "cy" } },
        ]));
        thread.assigned_to = Some(person("dan"));
        for id in ["ada", "bob", "cy", "dan", "eve"] {
            assert!(!thread.is_only_subscribed(&person(id).user_id), "{id}");
            thread.subscribe(person(id));
            assert_eq!(thread.is_only_subscribed(&person(id).user_id), id == "eve", "{id}");
        }
    }

    #[test]
    fn a_mention_that_goes_ends_the_subscription_it_brought() {
        let mut thread = thread(json!([
            { "commentId": 1, "from": { "userId": "ada" } },
            { "commentId": 2, "from": { "userId": "ada" }, "taggedUserContacts":
                [{ "userId": "bob" }, { "userId": "cy" }, { "userId": "eve" }, { "userId": "ada" }] },
            { "commentId": 3, "from": { "userId": "cy" } },
        ]));
        thread.subscribe(person("eve"));
        thread.remove_comment(2, 9).unwrap();
        let subscribed: Vec<&str> = thread.subscribed.keys().map(|id| id.as_str()).collect();
        assert_eq!(subscribed, ["ada", "cy", "eve"]);
    }

    #[test]
    fn who_unsubscribed_is_not_subscribed_again_by_a_mention() {
        let mut thread = thread(json!([{ "from": { "userId": "ada" } }]));
        assert!(thread.unsubscribe(person("ada")));
        assert!(!thread.unsubscribe(person("ada")));
        thread.subscribe_automatically(person("ada"));
        assert!(thread.subscribed.is_empty());
        assert!(thread.subscribe(person("ada")));
        assert!(!thread.subscribe(person("ada")));
        assert!(thread.unsubscribed.is_empty());
    }

    #[test]
    fn a_user_takes_the_place_of_another_everywhere() {
        let mut thread = thread(json!([
            { "commentId": 1, "from": { "userId": "ada" }, "taggedUserContacts": [{ "userId": "ada" }] },
        ]));
        thread.react(1, "HEART".to_owned().try_into().unwrap(), person("ada"), None, 9).unwrap();
        thread.assigned_to = Some(person("ada"));
        thread.visibility.user_ids.insert(person("ada").user_id);
        let replaced = json!([{ "oldUser": { "userId": "ada" }, "newUser": { "userId": "bob" } }]);
        assert!(thread.replace_users(&from_value::<Vec<_>>(replaced).unwrap()));
        assert!(!serde_json::to_string(&thread).unwrap().contains("ada"), "{thread:?}");
    }
}
