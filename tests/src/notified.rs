//! Cost of the notifications of a comment, counted at the embedded DynamoDB.

use std::{collections::BTreeMap, time::Duration};

use embedded::{Call, Service};
use serde_json::{Value, json};

use crate::App;

/// Recipients and channels of a case.
#[derive(Clone, Copy, Debug, Default)]
pub struct Case {
    /// Users of the organization beside the author of the comment.
    pub recipients: usize,
    /// Folders of the organization; the document lies in the deepest of a chain of them.
    pub folders: usize,
    /// Whether there is a delay, and after it a window by document.
    pub waits: bool,
}

/// Requests to DynamoDB by all the work that follows the call.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Units of reading.
    pub reads: f64,
    /// Units of writing.
    pub writes: f64,
    /// Calls and units by operation and table.
    pub by_target: BTreeMap<(String, String), (usize, f64)>,
}

impl Counted {
    /// Units of both kinds.
    pub fn units(&self) -> f64 {
        self.reads + self.writes
    }

    pub(crate) fn of(calls: Vec<Call>) -> Self {
        let mut counted = Self::default();
        for call in calls.into_iter().filter(|call| call.service == Service::DynamoDb) {
            let is_read = call.operation.contains("Get") || call.operation == "Query";
            *(if is_read { &mut counted.reads } else { &mut counted.writes }) += call.units;
            let entry = counted.by_target.entry((call.operation, call.target)).or_default();
            *entry = (entry.0 + 1, entry.1 + call.units);
        }
        counted
    }
}

/// Items in one call that prepares data.
const BATCH: usize = 500;
/// Seconds of the delay and of the window.
const WAIT: u64 = 30;

/// The cost of a comment that notifies the recipients of the case; each of them finds it in the
/// inbox.
pub async fn comment(case: Case) -> Counted {
    let app = App::start().await;
    prepare(&app, case).await;
    let thread = json!({
        "organizationId": "acme", "documentId": "plan", "commentAnnotations": [{
            "annotationId": "t", "commentData": [{
                "from": { "userId": "ada", "name": "Ada" }, "triggerNotification": true,
                "commentText": "Shall we ship this on Friday?",
            }],
        }],
    });
    app.call("comments.annotations_add", thread).await.ok();
    app.forget_calls();
    app.settle().await;
    for _ in 0..if case.waits { 2 } else { 0 } {
        app.advance(Duration::from_secs(WAIT + 1));
        app.tick().await;
        app.settle().await;
    }
    let counted = Counted::of(app.calls());
    for user in [0, case.recipients / 2, case.recipients - 1] {
        let sent = json!({ "organizationId": "acme", "userId": user_id(user) });
        let found = app.call("notifications.get", sent).await.data();
        assert_eq!(found.as_array().map(Vec::len), Some(1), "{case:?}: {found}");
    }
    counted
}

fn user_id(number: usize) -> String {
    format!("user-{number:04}")
}

async fn prepare(app: &App, case: Case) {
    let organization = json!({ "organizations": [{ "organizationId": "acme" }] });
    app.call("organizations.add", organization).await.ok();
    let folders: Vec<Value> = (0..case.folders)
        .map(|n| {
            // A chain of five, and under its end all others.
            let parent = if n == 0 { "root".to_owned() } else { format!("f{}", (n - 1).min(4)) };
            json!({ "folderId": format!("f{n}"), "parentFolderId": parent, "folderName": "Folder" })
        })
        .collect();
    let (chain, others) = folders.split_at(folders.len().min(5));
    for some in chain.chunks(1).chain(others.chunks(BATCH)) {
        let sent = json!({ "organizationId": "acme", "folders": some });
        app.call("folders.add", sent).await.ok();
    }
    let mut document = json!({ "documentId": "plan", "documentName": "Plan" });
    if case.folders > 0 {
        document["folderId"] = json!(format!("f{}", case.folders - 1));
    }
    let sent = json!({ "organizationId": "acme", "documents": [document] });
    app.call("documents.add", sent).await.ok();
    let person =
        |id: String| json!({ "userId": id, "name": id, "email": format!("{id}@example.com") });
    let people = (0..case.recipients).map(user_id).chain(["ada".to_owned()]);
    let people: Vec<Value> = people.map(person).collect();
    for some in people.chunks(BATCH) {
        app.call("users.add", json!({ "organizationId": "acme", "users": some })).await.ok();
    }
    let mut config = json!({});
    if case.waits {
        let window = json!({ "isEnabled": true, "batchWindowSeconds": WAIT, "maxActivities": 50 });
        config["delayConfig"] = json!({ "isEnabled": true, "delaySeconds": WAIT });
        config["batchConfig"] = json!({ "document": window, "user": { "isEnabled": false } });
    }
    let sent = json!({ "useNotificationService": true, "notificationServiceConfig": config });
    app.call("configuration.notifications_update", sent).await.ok();
    app.settle().await;
}
