//! Tests of threads, and what other tests of comments make.

use std::collections::BTreeSet;

use serde_json::{Value, from_value, json};

use super::Thread;
use crate::{UserId, comment::AgentType, user::Person};

pub(in crate::comment) fn person(id: &str) -> Person {
    Person::from_id(id.to_owned().try_into().unwrap())
}

pub(in crate::comment) fn ids(users: &BTreeSet<UserId>) -> Vec<&str> {
    users.iter().map(UserId::as_str).collect()
}

/// A thread of comments, made at 1.
pub(in crate::comment) fn thread(comments: Value) -> Thread {
    made(json!({ "commentData": comments }))
}

pub(in crate::comment) fn made(sent: Value) -> Thread {
    let new: super::SentThread = from_value(sent).unwrap();
    let id = |text: &str| text.to_owned();
    let document = id("d").try_into().unwrap();
    let id = id("a").try_into().unwrap();
    let super::NewThread { mut thread, comments, .. } = new.into_thread(document, id, 1);
    for (n, comment) in (0..).zip(comments) {
        thread.add_comment(comment, AgentType::Custom, 1 + n, 100 * n).unwrap();
    }
    thread
}

#[test]
fn a_thread_has_defaults() {
    let thread = thread(json!([{ "from": { "userId": "ada" } }]));
    assert_eq!(thread.status.id.as_str(), "OPEN");
    assert_eq!(thread.from.user_id.as_str(), "ada");
    assert_eq!(thread.latest.unwrap().at, 1);
    assert!(thread.visibility.user_ids.is_empty() && thread.suggestion.is_none());
}

#[test]
fn comments_may_be_called_so_and_there_is_at_least_one() {
    let new = |json: Value| from_value::<super::SentThread>(json);
    assert!(new(json!({ "comments": [{ "from": { "userId": "a" } }] })).is_ok());
    assert!(new(json!({ "commentData": [] })).is_err());
    assert!(new(json!({ "commentData": [{ "commentText": "x" }] })).is_err());
}

#[test]
fn the_latest_comment_is_the_youngest() {
    let mut thread = thread(json!([
        { "commentId": 1, "from": { "userId": "ada" }, "createdAt": 1 },
        { "commentId": 2, "from": { "userId": "bob" }, "createdAt": 0 },
    ]));
    assert_eq!(thread.latest.as_ref().unwrap().by.as_str(), "ada");
    thread.remove_comment(1, 60);
    assert_eq!(thread.latest.as_ref().unwrap().at, 0);
    thread.remove_comment(2, 60);
    assert_eq!(thread.latest, None);
}

#[test]
fn what_is_stored_is_read_back() {
    let thread = made(json!({
        "type": "suggestion", "suggestion": { "newValue": [1] }, "positionX": 1.5,
        "visibility": { "type": "restricted", "userIds": ["bob"] },
        "location": { "id": 7 }, "context": { "access": { "a": 1 } },
        "anchor": { "editorId": "e", "from": { "item": { "client": 1, "clock": 0 }, "assoc": 0 },
            "to": { "tname": "default" }, "mark": "comment" },
        "commentData": [{ "from": { "userId": "ada" }, "attachments": [{ "size": 5 }] }],
    }));
    let stored = serde_json::to_value(&thread).unwrap();
    assert_eq!(from_value::<Thread>(stored).unwrap(), thread);
}
