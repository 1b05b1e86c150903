//! Cost of an operation at DynamoDB and SQS.

use embedded::{Call, Service};
use serde_json::{Value, json};
use service::Spec;

use crate::{App, Options, whole};

/// Calls of one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Calls that read, admission included.
    pub reads: usize,
    /// Calls that write; a transaction is one.
    pub writes: usize,
    /// Messages and mails sent.
    pub sends: usize,
    /// Read units.
    pub read_units: f64,
    /// Write units.
    pub write_units: f64,
    /// Capacity units of both kinds.
    pub units: f64,
}

impl Cost {
    /// Cost of these calls.
    pub fn of(calls: &[Call]) -> Self {
        let mut cost = Self::default();
        cost.add(calls);
        cost
    }

    /// Adds what these calls cost.
    pub fn add(&mut self, calls: &[Call]) {
        for call in calls {
            match (call.service, call.operation.as_str()) {
                (Service::Sqs | Service::Ses, _) => self.sends += 1,
                (_, "GetItem" | "BatchGetItem" | "Query" | "TransactGetItems") => {
                    self.reads += 1;
                    self.read_units += call.units;
                }
                _ => {
                    self.writes += 1;
                    self.write_units += call.units;
                }
            }
            self.units += call.units;
        }
    }
}

impl App {
    /// The cost of work that makes more calls than the log keeps.
    pub async fn cost_of(&self, work: impl Future<Output = ()>) -> Cost {
        let (mut work, mut cost) = (std::pin::pin!(work), Cost::default());
        self.forget_calls();
        loop {
            let is_done = tokio::time::timeout(std::time::Duration::from_millis(100), &mut work)
                .await
                .is_ok();
            cost.add(&whole(self.embedded().take_calls()));
            if is_done {
                return cost;
            }
        }
    }
}

/// The sample of an operation, called for the first time with its data. Each function has its own
/// cache, so that this one's is empty.
pub async fn of_sample(spec: &Spec) -> Cost {
    let options = Options { is_separate: true, ..Options::default() };
    let (app, second) = App::sample_world_with(options).await;
    app.skip_records().await;
    let body = app.sample_body(&spec.binary(), &second);
    app.caller().body_at(spec.paths[0], body).await.ok();
    let cost = Cost::of(&app.calls());
    app.settle().await;
    cost
}

/// Operations that take a batch, each with the body of one of `n` items.
pub fn batches(n: usize) -> Vec<(&'static str, Value)> {
    let ids = |prefix: &str| (0..n).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>();
    let items = |member: &str, prefix: &str| -> Vec<Value> {
        ids(prefix).into_iter().map(|id| json!({ member: id, "name": "x" })).collect()
    };
    let o = "acme";
    vec![
        ("organizations.add", json!({ "organizations": items("organizationId", "o") })),
        ("organizations.update", json!({ "organizations": items("organizationId", "o") })),
        ("organizations.disable", json!({ "organizationIds": ids("o"), "disabled": false })),
        ("organizations.delete", json!({ "organizationIds": ids("o") })),
        (
            "documents.add",
            json!({ "organizationId": o, "folderId": "handbook", "documents": items("documentId", "d") }),
        ),
        ("documents.update", json!({ "organizationId": o, "documents": items("documentId", "d") })),
        (
            "documents.access_update",
            json!({ "organizationId": o, "documentIds": ids("d"), "accessType": "public" }),
        ),
        (
            "documents.disable",
            json!({ "organizationId": o, "documentIds": ids("d"), "disabled": false }),
        ),
        ("documents.delete", json!({ "organizationId": o, "documentIds": ids("d") })),
        ("folders.add", json!({ "organizationId": o, "folders": items("folderId", "f") })),
        (
            "folders.update",
            json!({ "organizationId": o, "folders":
            ids("f").into_iter().map(|id| json!({ "folderId": id, "parentFolderId": "handbook" })).collect::<Vec<_>>() }),
        ),
        (
            "folders.access_update",
            json!({ "organizationId": o, "folderIds": ids("f"), "accessType": "public" }),
        ),
        ("users.add", json!({ "organizationId": o, "users": items("userId", "u") })),
        ("users.update", json!({ "organizationId": o, "users": items("userId", "u") })),
        (
            "user-groups.add",
            json!({ "organizationId": o, "organizationUserGroups": items("groupId", "g") }),
        ),
        (
            "user-groups.users_add",
            json!({ "organizationId": o, "organizationUserGroupId": "writers", "userIds": ids("u") }),
        ),
        (
            "user-groups.users_delete",
            json!({ "organizationId": o, "organizationUserGroupId": "writers", "userIds": ids("u") }),
        ),
        (
            "user-groups.delete",
            json!({ "organizationId": o, "organizationUserGroupIds": ids("g") }),
        ),
        (
            "permissions.add",
            json!({ "user": { "userId": "bob" }, "permissions": { "resources":
            ids("d").into_iter().map(|id| json!({ "type": "document", "id": id, "organizationId": o })).collect::<Vec<_>>() } }),
        ),
        (
            "permissions.remove",
            json!({ "userId": "bob", "permissions": { "resources":
            ids("d").into_iter().map(|id| json!({ "type": "document", "id": id, "organizationId": o })).collect::<Vec<_>>() } }),
        ),
        (
            "presence.add",
            json!({ "organizationId": o, "documentId": "welcome", "users": items("userId", "p") }),
        ),
        (
            "presence.update",
            json!({ "organizationId": o, "documentId": "welcome", "users": items("userId", "p") }),
        ),
        (
            "presence.delete",
            json!({ "organizationId": o, "documentId": "welcome", "userIds": ids("p") }),
        ),
        (
            "notifications.add",
            json!({
                "organizationId": o, "documentId": "welcome", "notifyAll": false,
                "actionUser": { "userId": "ada" }, "notifyUsers": items("userId", "u"),
                "displayHeadlineMessageTemplate": "x", "displayBodyMessage": "x",
            }),
        ),
        (
            "notifications.config_set",
            json!({
                "organizationId": o, "documentIds": ["welcome"], "userIds": ids("u"),
                "config": { "inbox": "NONE" },
            }),
        ),
        (
            "comments.annotations_add",
            json!({ "organizationId": o, "documentId": "welcome", "commentAnnotations":
            ids("a").into_iter().map(|id| json!({ "annotationId": id, "commentData": [{ "from": { "userId": "ada" } }] })).collect::<Vec<_>>() }),
        ),
        (
            "comments.add",
            json!({ "organizationId": o, "documentId": "welcome", "annotationId": "intro", "commentData":
            (1..=n).map(|id| json!({ "commentId": id, "from": { "userId": "ada" } })).collect::<Vec<_>>() }),
        ),
        (
            "comments.update",
            json!({ "organizationId": o, "documentId": "welcome", "annotationId": "intro",
            "commentIds": (1..=n).collect::<Vec<_>>(), "updatedData": { "commentText": "x" } }),
        ),
        (
            "comments.delete",
            json!({ "organizationId": o, "documentId": "welcome", "annotationId": "intro",
            "commentIds": (1..=n).collect::<Vec<_>>() }),
        ),
        ("users.delete", json!({ "organizationId": o, "userIds": ids("u") })),
        (
            "recordings.add",
            json!({ "organizationId": o, "documentId": "roadmap", "recordings":
            ids("r").into_iter().map(|id| json!({ "annotationId": id, "recordedTime": { "duration": 1 }, "attachments": [] })).collect::<Vec<_>>() }),
        ),
        ("user-data.delete", json!({ "userIds": ids("u") })),
        ("recordings.delete", json!({ "organizationId": o, "recordingIds": ids("r") })),
        (
            "activities.add",
            json!({ "organizationId": o, "documentId": "roadmap", "activities":
            ids("a").into_iter().map(|id| json!({ "id": id, "featureType": "crdt", "actionType": "x", "actionUser": { "userId": "ada" } })).collect::<Vec<_>>() }),
        ),
        (
            "activities.update",
            json!({ "organizationId": o, "activities":
            ids("a").into_iter().map(|id| json!({ "id": id, "actionIcon": "x" })).collect::<Vec<_>>() }),
        ),
        ("activities.delete", json!({ "organizationId": o, "activityIds": ids("a") })),
    ]
}

/// Maximum number of calls for a batch of `n`: one for each 25 items and each 25 link rows it
/// writes, one for each 100 it reads, and 2.
pub fn allowed(n: usize) -> usize {
    2 * n.div_ceil(25) + n.div_ceil(100) + 2
}

/// Maximum number of calls for a batch of an operation. Comments are added to their thread 50 at a
/// time: each time it is read and written, and older ones are archived.
pub fn allowed_for(operation: &str, n: usize) -> usize {
    let is_of_comments = ["comments.add", "comments.update", "comments.delete"];
    allowed(n) + if is_of_comments.contains(&operation) { 6 * n.div_ceil(50) } else { 0 }
}
