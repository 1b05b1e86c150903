//! Every stored type with all members, of which none names an erased user.

use std::collections::BTreeSet;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, from_value, json, to_value};

use super::{
    Forgotten, Names,
    filled::{USER, filled, free},
};
use crate::{
    UserId,
    activity::{Activity, Details},
    comment::{ArchivedComment, Comment, Thread},
    document::Document,
    inbox::InboxMark,
    notification::Notification,
    organization::Organization,
    permissions::Grant,
    presence::Presence,
    recording::Recording,
    seen::SeenMark,
    user::{Person, User},
    user_group::GroupMember,
};

fn zoe() -> UserId {
    USER.to_owned().try_into().unwrap()
}

/// The paths in a value where the user is named.
fn paths(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.contains(USER) => drop(found.insert(at.to_owned())),
        Value::Array(elements) => elements.iter().for_each(|element| paths(element, at, found)),
        Value::Object(members) => {
            for (name, value) in members {
                let at = format!("{at}.{name}");
                if name.contains(USER) {
                    found.insert(at.clone());
                }
                paths(value, &at, found);
            }
        }
        _ => {}
    }
}

fn named_in<T: Serialize>(value: &T) -> Vec<String> {
    let mut found = BTreeSet::new();
    paths(&to_value(value).unwrap(), "", &mut found);
    found.into_iter().collect()
}

/// Erases the user from a value that belongs to others: only what is not a person's stays, of which
/// each place is said here.
fn only<T: Names + Clone + Serialize + DeserializeOwned>(mut value: T, stays: &[&str]) {
    let of_type = std::any::type_name::<T>();
    assert!(value.found().names(&zoe()), "{of_type}");
    assert_eq!(value.forget(&zoe()), Forgotten::Changed, "{of_type}");
    assert_eq!(named_in(&value), stays, "{of_type}");
    assert!(!value.found().names(&zoe()), "{of_type}");
    assert_eq!(value.forget(&zoe()), Forgotten::Unchanged, "{of_type}");
    // The rest can be stored and read.
    from_value::<T>(to_value(&value).unwrap()).unwrap();
}

/// A value that belongs to the user alone goes.
fn goes<T: Names + Clone>(mut value: T) {
    assert!(value.found().names(&zoe()));
    assert_eq!(value.forget(&zoe()), Forgotten::Gone, "{}", std::any::type_name::<T>());
}

fn bob() -> Person {
    Person::from_id("bob".to_owned().try_into().unwrap())
}

fn comment() -> Comment {
    let mut comment: Comment = filled();
    comment.from = bob();
    comment
}

#[test]
fn a_thread_and_its_comments() {
    goes::<ArchivedComment>(filled());
    let mut archived: ArchivedComment = filled();
    archived.comment = comment();
    only(
        archived,
        &[
            ".annotationId",
            ".comment.agent.agentId",
            ".comment.agent.agentName",
            ".comment.agent.executionId",
            ".comment.attachments.bucketPath",
            ".comment.attachments.mimeType",
            ".comment.attachments.name",
            ".comment.attachments.thumbnail",
            ".comment.attachments.type",
            ".documentId",
        ],
    );
    let mut thread: Thread = filled();
    thread.comments.push(Comment { comment_id: 2, ..comment() });
    thread.archive.count = 3;
    only(
        thread,
        &[
            ".agent.agentId",
            ".agent.agentName",
            ".agent.executionId",
            ".anchor.editorId",
            ".anchor.from.tname",
            ".anchor.mark",
            ".anchor.to.tname",
            ".annotationId",
            ".begun.call",
            ".comments.agent.agentId",
            ".comments.agent.agentName",
            ".comments.agent.executionId",
            ".comments.attachments.bucketPath",
            ".comments.attachments.mimeType",
            ".comments.attachments.name",
            ".comments.attachments.thumbnail",
            ".comments.attachments.type",
            ".documentId",
            ".priority.color",
            ".priority.id",
            ".priority.lightColor",
            ".priority.name",
            ".status.color",
            ".status.id",
            ".status.lightColor",
            ".status.name",
            ".status.svg",
            ".visibility.organizationId",
            ".visibility.organizationIds",
        ],
    );
}

#[test]
fn an_activity_of_another_and_of_the_user() {
    let mut stored = to_value(filled::<Details>()).unwrap();
    let own = json!({
        "id": "a", "documentId": "d", "featureType": "custom", "actionType": "x",
        "actionUser": bob(), "timestamp": 1, "targetEntityId": "t", "targetSubEntityId": "s",
    });
    stored.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
    let activity: Activity = from_value(stored).unwrap();
    let stays = [".actionIcon", ".displayMessageTemplate"];
    only(activity.clone(), &stays);
    only(Activity { action_user: filled(), ..activity }, &stays);
}

#[test]
fn a_notification_for_others() {
    goes::<Notification>(Notification { notify_all: false, ..filled() });
    let mut notification: Notification = filled();
    notification.delivered = false;
    notification.notify_users.insert(bob().user_id, true);
    notification.context.access = free().as_object().unwrap().clone();
    only(
        notification,
        &[
            ".displayBodyMessageTemplate",
            ".displayHeadlineMessageTemplate",
            ".documentId",
            ".furtherDocumentIds",
            ".id",
            ".locationId",
            ".targetAnnotationId",
        ],
    );
}

#[test]
fn custom_members() {
    only::<Document>(filled(), &[".documentId", ".documentName", ".folderId"]);
    only::<Organization>(filled(), &[".organizationId", ".organizationName"]);
}

#[test]
fn what_belongs_to_the_user_alone() {
    goes::<Recording>(filled());
    goes::<Presence>(filled());
    goes::<SeenMark>(filled());
    goes::<InboxMark>(filled());
    goes::<GroupMember>(filled());
    let level = json!({ "level": "organization" });
    let grant = json!({ "userId": USER, "level": level, "accessRole": "viewer", "expiresAt": 1 });
    goes::<Grant>(from_value(grant).unwrap());
    goes::<User>(from_value(json!({ "userId": USER, "level": level, "profile": {} })).unwrap());
}
