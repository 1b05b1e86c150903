//! People named by a thread.

use super::{Subscription, Thread};
use crate::{
    people::{self, Names, Part, People, Rest},
    user::Person,
};

/// Comments and reactions of a user who leaves are removed, and with the last comment the thread.
/// Times do not change, because nobody acted. An archive is rewritten apart from that.
impl Names for Thread {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self {
            annotation_id: _,
            document_id: _,
            kind: _,
            comment_type: _,
            from,
            created_at: _,
            last_updated: _,
            location,
            target_element,
            // Ids of an editor and of items in it.
            anchor: _,
            context,
            page_info,
            layout: _,
            status: _,
            assigned_to,
            priority: _,
            visibility,
            suggestion,
            agent,
            resolved_by_user_id,
            status_updated_by_user_id,
            subscribed,
            unsubscribed,
            vouched,
            is_page_vouched: _,
            comments,
            archive,
            recalled: _,
            positions: _,
            // Derived from the comments.
            latest: _,
            begun: _,
            life: _,
        } = self;
        let author = from.user_id.clone();
        people::person(walk, Part::Author, from);
        let number = comments.len();
        comments.retain_mut(|comment| comment.people(walk) == Rest::Stays);
        let are_gone = archive.people(walk) || comments.len() < number || from.user_id != author;
        people::optional(walk, Part::Assignee, assigned_to);
        let by = resolved_by_user_id.iter_mut().chain(status_updated_by_user_id);
        by.for_each(|user| people::id(walk, Part::Beside, user));
        let become_subscribed =
            |was: Subscription, user: &Person| Subscription { user: user.clone(), ..was };
        people::by_id(walk, |_| Part::Subscriber, subscribed, become_subscribed);
        people::by_id(walk, |_| Part::Beside, unsubscribed, |_, user| user.clone());
        // A user who takes the place of a subscriber stays subscribed.
        unsubscribed.retain(|user, _| !subscribed.contains_key(user));
        people::ids(walk, Part::Beside, vouched);
        people::inside(walk, visibility);
        people::inside(walk, location);
        people::inside(walk, context);
        people::inside(walk, suggestion);
        people::inside(walk, agent);
        let custom = target_element.iter_mut().chain(page_info);
        custom.for_each(|custom| people::members(walk, custom));
        if walk.has_changed() {
            self.refresh();
        }
        if are_gone && self.comments_count() == 0 { Rest::Gone } else { Rest::Stays }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json, to_value};

    use super::super::thread::tests::{made, person, thread};
    use crate::{
        comment::Thread,
        people::{Forgotten, Names},
    };

    fn forget(thread: &mut Thread, user: &str) -> Forgotten {
        thread.forget(&person(user).user_id)
    }

    fn stored(thread: &Thread) -> Value {
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
        let named = thread.found().beside();
        let named: Vec<String> = named.into_iter().map(String::from).collect();
        assert_eq!(named, ["bob", "cy"]);
    }
}
