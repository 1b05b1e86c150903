//! Erasure of user data (contract `user-data.erasure`): jobs, tasks, and anonymization of free
//! JSON.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{JobId, Label, MessageId, Metadata, Millis, OrganizationId, UserId, user::Person};

/// Retention of a job.
const RETENTION: Millis = 30 * 24 * 60 * 60 * 1000;

/// An erasure job as stored. Users with a finished task are removed from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErasureJob {
    /// Generated id.
    pub job_id: JobId,
    /// Time of the request.
    pub created_at: Millis,
    /// Users with unfinished tasks, by id, so that each can be removed separately.
    pub open: BTreeMap<UserId, bool>,
    /// Time of the last finished task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_task_completed_time: Option<Millis>,
}

impl ErasureJob {
    /// A job with one task for each user.
    pub fn new(job_id: JobId, users: &BTreeSet<UserId>, now: Millis) -> Self {
        let open = users.iter().map(|user| (user.clone(), true)).collect();
        Self { job_id, created_at: now, open, last_task_completed_time: None }
    }

    /// Expiry.
    pub fn ends(&self) -> Millis {
        self.created_at + RETENTION
    }
}

/// A task to erase one user, on a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErasureTask {
    /// The job it is part of.
    pub job_id: JobId,
    /// The user.
    pub user_id: UserId,
    /// The organizations; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_ids: Option<BTreeSet<OrganizationId>>,
    /// Time of the request.
    pub at: Millis,
    /// The last organization that was processed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<OrganizationId>,
    /// The last processed row of editors in the next organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// The last processed webhook message, after all organizations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
    /// Number of completed passes.
    #[serde(default)]
    pub pass: u32,
}

/// Effect of an erasure on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgotten {
    /// Did not name the user.
    Unchanged,
    /// No longer names the user.
    Changed,
    /// Nothing is left.
    Gone,
}

impl Person {
    /// The replacement of an erased user.
    pub fn deleted() -> Self {
        Self {
            name: Some(Label::from_constant("Deleted user")),
            ..Self::from_id(UserId::deleted())
        }
    }
}

/// Erases a user from free JSON, as far as its members have the names of our own resources: a
/// person becomes a deleted one; comments by the user are removed, and so are ids of the user in
/// lists and maps of user ids.
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

/// Like [`forget_in`], for members stored separately.
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

/// Whether a text of JSON written by this service names a user in a place that [`forget_in`] would
/// find.
pub fn is_named_in(text: &str, user: &UserId) -> bool {
    // Most texts do not contain the id at all.
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
