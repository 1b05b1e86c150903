//! Erasing what is known of users (siblings 12): jobs, their tasks, and what happens to free JSON
//! that names them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{JobId, Label, MessageId, Metadata, Millis, OrganizationId, UserId, user::Person};

/// How long a job can be asked for.
const KEPT: Millis = 30 * 24 * 60 * 60 * 1000;

/// A job that erases users, as stored. A user whose task is done is not named any more.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErasureJob {
    /// Generated id.
    pub job_id: JobId,
    /// When it was ordered.
    pub created_at: Millis,
    /// Users whose tasks are left. By id, so that each can be taken out alone.
    pub open: BTreeMap<UserId, bool>,
    /// When the last task was done, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_task_completed_time: Option<Millis>,
}

impl ErasureJob {
    /// A job with one task for each user.
    pub fn new(job_id: JobId, users: &BTreeSet<UserId>, now: Millis) -> Self {
        let open = users.iter().map(|user| (user.clone(), true)).collect();
        Self { job_id, created_at: now, open, last_task_completed_time: None }
    }

    /// When it is forgotten.
    pub fn ends(&self) -> Millis {
        self.created_at + KEPT
    }
}

/// The order to erase one user, as it travels on a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErasureTask {
    /// The job it is part of.
    pub job_id: JobId,
    /// Who.
    pub user_id: UserId,
    /// Where; everywhere when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_ids: Option<BTreeSet<OrganizationId>>,
    /// When it was ordered.
    pub at: Millis,
    /// The last organization that was looked through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<OrganizationId>,
    /// The last row of editors that was looked at in the organization behind that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// The last message of webhooks that was looked at, when all organizations were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
    /// How many times everything was looked through.
    #[serde(default)]
    pub pass: u32,
}

/// What erasing a user makes of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgotten {
    /// It did not name the user.
    Unchanged,
    /// It does not name the user any more.
    Changed,
    /// Nothing of it is left.
    Gone,
}

impl Person {
    /// Who stands where a user stood who was erased.
    pub fn deleted() -> Self {
        Self { name: Some(Label::of_constant("Deleted user")), ..Self::of(UserId::deleted()) }
    }
}

/// Takes a user out of free JSON, as far as its members have the meaning they have elsewhere: a
/// person becomes a deleted one, comments by the user go, and so does the user where a member
/// that says so holds ids of users or is a map by those.
pub fn forget_in(value: &mut Value, user: &UserId) {
    match value {
        Value::Array(elements) => {
            elements.retain(|element| !is_comment_by(element, user));
            elements.iter_mut().for_each(|element| forget_in(element, user));
        }
        Value::Object(members) if is_user(members.get("userId"), user) => {
            *value = json!(Person::deleted());
        }
        Value::Object(members) => forget_in_members(members, user),
        _ => {}
    }
}

/// As [`forget_in`], for members that are stored one by one.
pub fn forget_in_members(members: &mut Metadata, user: &UserId) {
    members.retain(|_, value| !is_comment_by(value, user));
    for (name, value) in members {
        let is_of_users =
            ["UserIds", "userIds", "Users", "ByUserId"].iter().any(|end| name.ends_with(end));
        match value {
            Value::Object(by_id) if is_of_users => drop(by_id.remove(user.as_str())),
            Value::Array(ids) if is_of_users => ids.retain(|id| !is_user(Some(id), user)),
            Value::String(id)
                if (name.ends_with("UserId") || name == "lastUpdatedBy") && id == user.as_str() =>
            {
                *id = UserId::deleted().into();
            }
            _ => {}
        }
        forget_in(value, user);
    }
}

/// Whether a text of JSON, as this service writes it, names a user: somewhere where
/// [`forget_in`] would find them.
pub fn is_named_in(text: &str, user: &UserId) -> bool {
    // Most texts do not even have the id in them.
    if !text.contains(&Value::from(user.as_str()).to_string()) {
        return false;
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else { return true };
    let mut without = value.clone();
    forget_in(&mut without, user);
    without != value
}

fn is_user(id: Option<&Value>, user: &UserId) -> bool {
    id.and_then(Value::as_str) == Some(user.as_str())
}

fn is_comment_by(value: &Value, user: &UserId) -> bool {
    value.get("commentId").is_some()
        && is_user(value.get("from").and_then(|from| from.get("userId")), user)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{forget_in, is_named_in};
    use crate::UserId;

    #[test]
    fn free_json_names_the_user_no_more_and_everybody_else_still() {
        let user = UserId::try_from("ada".to_owned()).unwrap();
        let mut value = json!({
            "from": { "userId": "ada", "name": "Ada", "email": "ada@example.com" },
            "involvedUserIds": ["ada", "bob"], "resolvedByUserId": "ada", "lastUpdatedBy": "ada",
            "subscribedUsers": { "ada": { "user": { "userId": "ada" } }, "bob": { "type": "auto" } },
            "comments": [
                { "commentId": 1, "from": { "userId": "ada" }, "commentText": "Ada's" },
                { "commentId": 2, "from": { "userId": "bob" }, "to": [{ "userId": "ada" }] },
            ],
            "title": "ada", "ada": 1,
        });
        forget_in(&mut value, &user);
        let deleted = json!({ "userId": "deleted-user", "name": "Deleted user" });
        let expected = json!({
            "from": deleted, "involvedUserIds": ["bob"], "resolvedByUserId": "deleted-user",
            "lastUpdatedBy": "deleted-user",
            "subscribedUsers": { "bob": { "type": "auto" } },
            "comments": [{ "commentId": 2, "from": { "userId": "bob" }, "to": [deleted] }],
            "title": "ada", "ada": 1,
        });
        assert_eq!(value, expected, "what only looks like the user's id stays");
        forget_in(&mut value, &user);
        assert_eq!(value, expected);
    }

    #[test]
    fn a_text_names_a_user_where_an_id_of_users_stands() {
        let is_named = |value: Value, user: &str| {
            is_named_in(&value.to_string(), &UserId::try_from(user.to_owned()).unwrap())
        };
        for value in [
            json!({ "data": { "actionUser": { "userId": "a\"é" } } }),
            json!([{ "visibility": { "userIds": ["b", "a\"é"] } }]),
            json!({ "notifyUsers": { "a\"é": true } }),
            json!({ "crdtData": { "lastUpdatedBy": "a\"é" } }),
        ] {
            assert!(is_named(value.clone(), "a\"é"), "{value}");
            assert!(!is_named(value.clone(), "a") && !is_named(value.clone(), "é"), "{value}");
        }
        assert!(!is_named(json!({ "documentId": "1", "text": "1", "1": 1 }), "1"));
    }
}
