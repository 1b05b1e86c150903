use serde_json::{Value, from_value, json};

use super::{
    super::thread::tests::{person, thread},
    Thread, ThreadEvent, complete,
};
use crate::{
    ApiKeyId, OrganizationId,
    event::{DomainEvent, EventType},
};

fn at() -> (ApiKeyId, OrganizationId) {
    ("k".to_owned().try_into().unwrap(), "o".to_owned().try_into().unwrap())
}

fn two() -> Thread {
    thread(json!([
        { "commentId": 1, "from": { "userId": "ada" }, "commentText": "a" },
        { "commentId": 2, "from": { "userId": "bob" }, "commentText": "b" },
    ]))
}

/// The completed event equals an event built with all data.
fn completed(happened: &ThreadEvent, old: Option<&Thread>, new: Option<&Thread>) -> DomainEvent {
    let (key, organization) = at();
    let thread = new.or(old).unwrap();
    let sent = thread.event_to_write(happened, &key, &organization);
    assert!(sent.data.is_empty() && sent.changes.is_empty(), "{sent:?}");
    let done = complete(sent, &key, old, new);
    assert_eq!(done, thread.event_with_data(happened, &key, &organization));
    done
}

#[test]
fn the_images_show_the_thread_and_the_comment() {
    let old = two();
    let mut new = old.clone();
    let sent = from_value(json!({ "commentId": 3, "from": { "userId": "cy" } })).unwrap();
    new.add_comment(sent, crate::comment::AgentType::Custom, 9, 1).unwrap();
    let comment = new.comment(3).unwrap().clone();
    let added = ThreadEvent::new(EventType::CommentAdd).by(Some(person("cy"))).to(comment);
    let event = completed(&added, Some(&old), Some(&new));
    assert_eq!(event.data["targetComment"]["commentId"], 3);
    assert_eq!(event.data["commentAnnotation"]["comments"].as_array().unwrap().len(), 3);
    assert_eq!((event.actor.unwrap().user_id.as_str(), event.truncated), ("cy", false));
    let gone = ThreadEvent::new(EventType::AnnotationDelete);
    let event = completed(&gone, Some(&old), None);
    assert_eq!(event.data["commentAnnotation"]["comments"].as_array().unwrap().len(), 2);
}

#[test]
fn they_show_what_changed() {
    let old = two();
    let mut new = old.clone();
    let patch = from_value(json!({ "commentText": "new" })).unwrap();
    new.change_comment(2, patch, 9, 0);
    let before = old.comment(2).unwrap();
    let edit = ThreadEvent::new(EventType::CommentUpdate);
    let edit = edit.to(new.comment(2).unwrap().clone()).edited(before);
    let event = completed(&edit, Some(&old), Some(&new));
    assert_eq!(event.changes["commentText"].from, Value::from("b"));

    let mut new = old.clone();
    let patch = json!({ "status": { "id": "RESOLVED" }, "assignedTo": { "userId": "bob" } });
    for happened in new.apply(from_value(patch).unwrap(), &[], 9).unwrap() {
        let event = completed(&happened, Some(&old), Some(&new));
        assert_eq!(event.changes.len(), 1, "each tells of its own member");
    }
}

#[test]
fn what_went_is_shown_as_it_was() {
    let mut old = two();
    let icon = || "HEART".to_owned().try_into().unwrap();
    old.react(1, icon(), person("bob"), None, 5).unwrap();
    let before = old.comment(1).unwrap().clone();
    let mut new = old.clone();
    new.remove_reaction(1, &icon(), &person("bob"), 6).unwrap();
    let event = ThreadEvent::new(EventType::ReactionDelete).to(before.clone());
    let event = completed(&event, Some(&old), Some(&new));
    assert_eq!(event.data["targetComment"]["reactionAnnotations"].as_array().unwrap().len(), 1);
    let mut new = old.clone();
    new.remove_comment(1, 7).unwrap();
    completed(&ThreadEvent::new(EventType::CommentDelete).to(before), Some(&old), Some(&new));
}

#[test]
fn an_archived_comment_travels_with_the_event() {
    let mut stored = thread(json!(
        (0..9).map(|n| json!({ "commentId": n, "from": { "userId": "ada" } })).collect::<Vec<_>>()
    ));
    let written = stored.surplus(usize::MAX, usize::MAX).to_vec();
    stored.move_out(&written);
    let old = stored.clone();
    stored.recall(vec![written[2].clone()]);
    let before = written[2].clone();
    let id = before.comment_id;
    let patch = from_value(json!({ "commentText": "new" })).unwrap();
    stored.change_comment(id, patch, 9, 0);
    let edit = ThreadEvent::new(EventType::CommentUpdate);
    let edit = edit.to(stored.comment(id).unwrap().clone()).edited(&before);
    let (key, organization) = at();
    let sent = stored.event_to_write(&edit, &key, &organization);
    assert_eq!(sent.changes["commentText"].to, Value::from("new"));
    stored.put_back(&[before]);
    let done = complete(sent, &key, Some(&old), Some(&stored));
    assert_eq!(done.data["targetComment"]["commentText"], "new");
    assert_eq!(done.data["commentAnnotation"]["commentsCount"], 9);
    assert!(!done.truncated);
}
