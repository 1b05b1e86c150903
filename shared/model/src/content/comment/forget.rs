//! Erasure of a user from a thread (contract `user-data.erasure`).

use std::collections::BTreeSet;

use super::{Annotation, Comment};
use crate::{UserId, erasure::Forgotten, user::Person};

impl Annotation {
    /// Further users that the thread names, besides involved and reacting ones.
    pub fn named_beside(&self) -> BTreeSet<UserId> {
        let ids = self.resolved_by_user_id.iter().chain(&self.status_updated_by_user_id);
        let ids = ids.chain(self.unsubscribed.keys()).chain(&self.visibility.user_ids);
        let involved = self.involved();
        ids.filter(|id| !involved.contains(id)).cloned().collect()
    }

    /// Erases a user: comments and reactions of the user are removed, and with the last comment the
    /// thread. Where a user is required, a deleted user takes the place. Times do not change,
    /// because nobody acted. The archive is already rewritten.
    pub fn forget(&mut self, user: &UserId) -> Forgotten {
        let before = self.clone();
        let deleted = Person::deleted();
        self.comments.retain(|comment| comment.from.user_id != *user);
        let had_archived = self.archive.forget(user, &deleted.user_id);
        let is_theirs = self.from.user_id == *user
            || had_archived
            || self.comments.len() < before.comments.len();
        if self.comments_count() == 0 && is_theirs {
            return Forgotten::Gone;
        }
        self.assigned_to.take_if(|person| person.user_id == *user);
        self.subscribed.remove(user);
        self.unsubscribed.remove(user);
        self.visibility.user_ids.remove(user);
        for comment in &mut self.comments {
            comment.forget(user);
        }
        self.replace_user(user, &deleted);
        if *self == before { Forgotten::Unchanged } else { Forgotten::Changed }
    }
}

impl Comment {
    /// Erases a user who is not the author. A mention becomes one of a deleted user.
    pub(super) fn forget(&mut self, user: &UserId) {
        for reaction in &mut self.reactions {
            reaction.from_users.retain(|by| by.from.user_id != *user);
        }
        self.reactions.retain(|reaction| !reaction.from_users.is_empty());
        for tagged in &mut self.tagged_user_contacts {
            tagged.contact.take_if(|contact| contact.user_id == *user);
        }
        let (old, new) = (format!("{{{{{user}}}}}"), format!("{{{{{}}}}}", UserId::deleted()));
        for text in self.comment_text.iter_mut().chain(&mut self.comment_html) {
            if text.contains(&old) {
                *text = text.replace(&old, &new);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json, to_value};

    use super::super::annotation::tests::{made, person, thread};
    use crate::{comment::Annotation, erasure::Forgotten};

    fn forget(thread: &mut Annotation, user: &str) -> Forgotten {
        thread.forget(&person(user).user_id)
    }

    fn stored(thread: &Annotation) -> Value {
        to_value(thread).unwrap()
    }

    #[test]
    fn a_thread_goes_with_its_last_comment() {
        let both = json!([{ "from": { "userId": "ada" } }, { "from": { "userId": "bob" } }]);
        let mut thread = thread(both);
        assert_eq!(forget(&mut thread, "eve"), Forgotten::Unchanged);
        assert_eq!(forget(&mut thread, "ada"), Forgotten::Changed);
        assert_eq!(forget(&mut thread, "ada"), Forgotten::Unchanged);
        assert_eq!(thread.from.user_id.as_str(), "deleted-user");
        assert_eq!(thread.comments.len(), 1);
        assert_eq!(forget(&mut thread, "bob"), Forgotten::Gone);
    }

    #[test]
    fn a_thread_without_comments_stays_while_its_author_does() {
        let mut thread = thread(json!([{ "commentId": 1, "from": { "userId": "ada" } }]));
        thread.remove_comment(1, 5);
        thread.subscribe(person("bob"));
        assert_eq!(forget(&mut thread, "bob"), Forgotten::Changed);
        assert_eq!(forget(&mut thread, "ada"), Forgotten::Gone);
    }

    #[test]
    fn every_trace_of_the_user_goes_and_of_others_none() {
        let mut thread = made(json!({
            "assignedTo": { "userId": "zoe-1", "name": "Zoe" },
            "visibility": { "type": "restricted", "userIds": ["zoe-1", "bob"] },
            "commentData": [
                { "commentId": 1, "from": { "userId": "zoe-1", "name": "Zoe" }, "commentText": "mine" },
                {
                    "commentId": 2, "from": { "userId": "bob", "name": "Bob" },
                    "commentText": "{{zoe-1}} and {{bob}}", "commentHtml": "<b>{{zoe-1}}</b>",
                    "taggedUserContacts": [
                        { "userId": "zoe-1", "contact": { "userId": "zoe-1", "email": "zoe@example.com" } },
                        { "userId": "cy", "contact": { "userId": "zoe-1" } },
                    ],
                },
            ],
        }));
        let icon = |name: &str| name.to_owned().try_into().unwrap();
        for (name, user) in [("HEART", "zoe-1"), ("SMILE", "zoe-1"), ("SMILE", "bob")] {
            let id = Some(format!("r-{name}").try_into().unwrap());
            thread.react(2, icon(name), person(user), id, 5).unwrap();
        }
        thread.vouch_for_mentioned(2);
        thread.resolved_by_user_id = Some(person("zoe-1").user_id);
        thread.status_updated_by_user_id = Some(person("zoe-1").user_id);
        thread.unsubscribed.insert(person("zoe-1").user_id, person("zoe-1"));
        assert_eq!(forget(&mut thread, "zoe-1"), Forgotten::Changed);
        let shown = stored(&thread);
        assert!(!shown.to_string().to_lowercase().contains("zoe"), "{shown}");
        let comment = &shown["comments"][0];
        assert_eq!(comment["commentText"], "{{deleted-user}} and {{bob}}");
        assert_eq!(comment["from"], json!({ "userId": "bob", "name": "Bob" }));
        assert_eq!(comment["taggedUserContacts"][0]["contact"]["name"], "Deleted user");
        assert_eq!(comment["taggedUserContacts"][1], json!({ "userId": "cy" }));
        assert_eq!(comment["reactions"].as_array().unwrap().len(), 1);
        assert_eq!(thread.last_updated, 5, "nobody did anything");
        assert!(thread.visibility.user_ids.contains(&person("bob").user_id));
        let subscribed: Vec<&str> = thread.subscribed.keys().map(|id| id.as_str()).collect();
        assert_eq!(subscribed, ["cy"]);
        assert!(thread.assigned_to.is_none());
    }

    #[test]
    fn whoever_is_named_in_passing_is_found() {
        let mut thread = thread(json!([{ "from": { "userId": "ada" } }]));
        thread.subscribe(person("bob"));
        thread.unsubscribe(person("bob"));
        thread.resolved_by_user_id = Some(person("cy").user_id);
        thread.status_updated_by_user_id = Some(person("ada").user_id);
        let named: Vec<String> = thread.named_beside().into_iter().map(String::from).collect();
        assert_eq!(named, ["bob", "cy"]);
    }
}
