//! People and pages of a thread that the tenant's server named. Notifications and mails trust them;
//! what only end users named could be anybody's address, and any link.

use std::collections::BTreeSet;

use super::{Comment, CommentPatch, SubscriptionType, Thread};
use crate::{UserId, api_key::ApiKey, user::Person};

impl Thread {
    /// Records that the tenant's server named the people whom a comment mentions.
    pub fn vouch_for_mentioned(&mut self, comment: u64) {
        let comment = self.comment(comment).into_iter();
        for person in comment.flat_map(Comment::mentioned).collect::<Vec<Person>>() {
            self.vouched.insert(person.user_id.clone());
            if let Some(known) = self.subscribed.get_mut(&person.user_id) {
                known.user = person;
            }
        }
    }

    /// Records that the tenant's server named the page.
    pub const fn vouch_for_page(&mut self) {
        self.is_page_vouched = true;
    }

    /// The tenant's server named a mentioned user.
    pub(super) fn vouch_for(&mut self, user: UserId) {
        self.vouched.insert(user);
    }

    pub(super) fn vouch_only_for_mentioned(&mut self) {
        if !self.vouched.is_empty() {
            let mentioned = self.mentioned();
            self.vouched.retain(|user| mentioned.contains(user));
        }
    }

    /// Whether the tenant's server mentioned a user.
    pub fn is_vouched(&self, user: &UserId) -> bool {
        self.vouched.contains(user)
    }

    /// Whether a user is in the thread by more than mentions of end users: as an author or the
    /// assignee, by a subscription of their own, or by a mention of the tenant's server.
    fn has_part(&self, user: &UserId) -> bool {
        let mut authors = self.comments.iter().map(|comment| &comment.from).chain([&self.from]);
        let subscription = self.subscribed.get(user).map(|subscription| subscription.kind);
        self.is_vouched(user)
            || subscription == Some(SubscriptionType::Manual)
            || authors.any(|person| person.user_id == *user)
            || self.assigned_to.as_ref().is_some_and(|person| person.user_id == *user)
            || self.archive.has_comments_of(user)
    }

    /// Users who are in the thread only by mentions of end users, before and after a change.
    pub fn unvouched(before: Option<&Self>, after: Option<&Self>) -> BTreeSet<UserId> {
        let states = || before.into_iter().chain(after);
        let named = states().flat_map(|thread| {
            thread.mentioned().into_iter().chain(thread.subscribed.keys().cloned())
        });
        named.filter(|user| !states().any(|thread| thread.has_part(user))).collect()
    }

    /// The page for links in mails: that of the tenant's server, or one on a domain of the key.
    /// Only URLs that a browser opens.
    pub fn page_link(&self, key: &ApiKey) -> Option<&str> {
        let info = self.page_info.as_ref()?;
        let url = ["commentUrl", "url"].iter().find_map(|name| info.get(*name)?.as_str())?;
        // A mail client makes two links of a text with a space.
        let is_one = !url.chars().any(|c| c.is_whitespace() || c.is_control());
        let is_trusted = self.is_page_vouched || (is_one && key.lists(url));
        (is_page(url) && is_trusted).then_some(url)
    }

    /// Whether all of the page may be shown in a mail.
    pub const fn is_page_vouched(&self) -> bool {
        self.is_page_vouched
    }
}

impl CommentPatch {
    /// Whether it changes whom the comments mention.
    pub const fn has_mentions(&self) -> bool {
        !self.tagged_user_contacts.is_keep()
    }
}

/// Whether a browser opens the URL.
pub fn is_page(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::super::thread::tests::{ids, person, thread};
    use crate::comment::Thread;

    #[test]
    fn who_is_only_mentioned_is_unvouched_until_the_server_mentions_them() {
        let mut thread = thread(json!([
            { "commentId": 1, "from": { "userId": "ada" }, "taggedUserContacts":
                [{ "userId": "bob" }, { "userId": "cy" }, { "userId": "dan" }, { "userId": "ada" }] },
            { "commentId": 2, "from": { "userId": "cy" }, "taggedUserContacts": [{ "userId": "eve" }] },
        ]));
        thread.subscribe(person("dan"));
        let before = thread.clone();
        assert_eq!(ids(&Thread::unvouched(None, Some(&thread))), ["bob", "eve"]);
        thread.vouch_for_mentioned(2);
        assert_eq!(ids(&Thread::unvouched(None, Some(&thread))), ["bob"]);
        assert_eq!(ids(&Thread::unvouched(Some(&before), Some(&thread))), ["bob"]);
        thread.remove_comment(2, 9).unwrap();
        assert!(!thread.is_vouched(&person("eve").user_id), "the mention is gone");
        assert_eq!(ids(&Thread::unvouched(Some(&before), Some(&thread))), ["bob", "eve"]);
    }

    #[test]
    fn the_server_vouches_for_whom_it_puts_in_anothers_place() {
        let mut thread = thread(json!([
            { "from": { "userId": "ada" }, "taggedUserContacts": [{ "userId": "bob" }] },
        ]));
        let replaced = json!([
            { "oldUser": { "userId": "bob" }, "newUser": { "userId": "cy" } },
            { "oldUser": { "userId": "dan" }, "newUser": { "userId": "eve" } },
        ]);
        let replaced: Vec<_> = from_value(replaced).unwrap();
        thread.apply(from_value(json!({})).unwrap(), &replaced, 9).unwrap();
        assert_eq!(ids(&thread.vouched), ["cy"]);
    }
}
