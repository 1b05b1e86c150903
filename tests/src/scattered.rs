//! Cost of comments whose recipients' windows differ, counted at the embedded DynamoDB.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{App, notified::Counted};

/// The window, in seconds: a week.
const WINDOW: u64 = 604_800;

/// Costs of the work behind comments and digests.
#[derive(Clone, Debug, Default)]
pub struct Scattered {
    /// Comments that made the windows different: the first one for each of some members.
    pub diverging: Vec<Counted>,
    /// Comments while all windows differ; those of some members are almost full.
    pub diverged: Vec<Counted>,
    /// The workers that are woken when the windows close.
    pub closed: Counted,
    /// Refused conditional writes of these workers.
    pub conflicts: usize,
    /// Members who have their digest afterwards.
    pub digests: usize,
}

/// Windows by user that one comment opens for all members, and that comments in documents of their
/// own make different. `activities` are those of the first and the last member.
pub async fn scattered(members: usize, activities: usize) -> Scattered {
    let app = App::start().await;
    prepare(&app, members).await;
    let mut all = Scattered::default();
    threads(&app, "everybody", 0, 1).await;
    app.settle().await;
    for member in 0..members {
        if member % 10 == 9 {
            all.diverging.push(counted(&app, member, 1).await);
        } else {
            threads(&app, &document(member), 1, 1).await;
        }
        if member % 10 == 8 {
            app.settle().await;
        }
    }
    for member in [0, members - 1] {
        threads(&app, &document(member), 2, activities - 4).await;
        app.settle().await;
    }
    for member in [0, members / 2, members - 1] {
        all.diverged.push(counted(&app, member, 100).await);
    }
    app.advance(Duration::from_secs(WINDOW + 1));
    app.forget_calls();
    app.tick().await;
    app.settle().await;
    let calls = app.calls();
    all.conflicts = calls.iter().filter(|call| call.error.is_some()).count();
    all.closed = Counted::of(calls);
    for member in 0..members {
        let sent = json!({ "organizationId": "acme", "userId": user(member) });
        let found = app.call("notifications.get", sent).await.data();
        all.digests += usize::from(found.as_array().map(Vec::len) == Some(1));
    }
    all
}

/// A comment for one member.
async fn counted(app: &App, member: usize, thread: usize) -> Counted {
    threads(app, &document(member), thread, 1).await;
    app.forget_calls();
    app.settle().await;
    Counted::of(app.calls())
}

fn user(number: usize) -> String {
    format!("user-{number:04}")
}

fn document(number: usize) -> String {
    format!("plan-{number:04}")
}

/// Threads of one comment that notifies.
async fn threads(app: &App, document: &str, first: usize, count: usize) {
    let thread = |n: usize| {
        json!({ "annotationId": format!("t{n}"), "commentData": [{
            "from": { "userId": "ada", "name": "Ada" }, "triggerNotification": true,
            "commentText": "Shall we ship this on Friday?",
        }] })
    };
    let all: Vec<Value> = (first..first + count).map(thread).collect();
    let sent = json!({
        "organizationId": "acme", "documentId": document, "commentAnnotations": all,
    });
    app.call("comments.annotations_add", sent).await.ok();
}

async fn prepare(app: &App, members: usize) {
    let organization = json!({ "organizations": [{ "organizationId": "acme" }] });
    app.call("organizations.add", organization).await.ok();
    let own: Vec<String> = (0..members).map(document).collect();
    for some in own.chunks(100) {
        let named = |id: &String| json!({ "documentId": id });
        let documents: Vec<Value> = some.iter().map(named).collect();
        let sent = json!({ "organizationId": "acme", "documents": documents });
        app.call("documents.add", sent).await.ok();
        let sent = json!({
            "organizationId": "acme", "documentIds": some, "accessType": "restricted",
        });
        app.call("documents.access_update", sent).await.ok();
    }
    let sent = json!({ "organizationId": "acme", "documents": [{ "documentId": "everybody" }] });
    app.call("documents.add", sent).await.ok();
    let person = |id: String| json!({ "userId": id, "name": id });
    let people: Vec<Value> = (0..members).map(user).chain(["ada".to_owned()]).map(person).collect();
    app.call("users.add", json!({ "organizationId": "acme", "users": people })).await.ok();
    for member in 0..members {
        let sent = json!({
            "organizationId": "acme", "documentId": document(member),
            "users": [person(user(member))],
        });
        app.call("users.add", sent).await.ok();
    }
    let window = json!({ "isEnabled": true, "batchWindowSeconds": WINDOW, "maxActivities": 50 });
    let config = json!({ "batchConfig": { "document": { "isEnabled": false }, "user": window } });
    let sent = json!({ "useNotificationService": true, "notificationServiceConfig": config });
    app.call("configuration.notifications_update", sent).await.ok();
    app.settle().await;
}
