//! Notifications (contract `notifications`).

mod add;
mod batch;
mod budgets;
mod config_get;
mod config_set;
mod count;
mod crashes;
mod custom;
mod delay;
mod delete;
mod delivery;
mod departed;
mod digest;
mod erasure;
mod get;
mod people;
mod recipients;
mod removal;
mod rows;
mod scene;
mod seen;
mod trace_get;
mod update;
mod visibility;

use serde_json::{Value, json};
use service::Table;

use crate::app::App;

/// A deployment with the organization `acme`, and in it the documents `d` and `e`.
async fn start() -> App {
    let app = App::start().await;
    let sent = json!({
        "organizationId": "acme", "createOrganization": true,
        "documents": [{ "documentId": "d" }, { "documentId": "e" }],
    });
    app.call("documents.add", sent).await.ok();
    app
}

/// The request for a notification for `ada` in `d`, with other members.
fn sent(members: Value) -> Value {
    let mut sent = json!({
        "organizationId": "acme", "documentId": "d", "notifyAll": false,
        "actionUser": { "userId": "eve" }, "notifyUsers": [{ "userId": "ada" }],
        "displayHeadlineMessageTemplate": "{actionUser} did", "displayBodyMessage": "it",
    });
    merge(&mut sent, members);
    sent
}

fn merge(into: &mut Value, members: Value) {
    let members = members.as_object().expect("members").clone();
    into.as_object_mut().expect("an object").extend(members);
}

/// Adds a notification; returns its id.
async fn add(app: &App, members: Value) -> String {
    let data = app.call("notifications.add", sent(members)).await.data();
    assert_eq!(data["success"], true, "{data}");
    data["id"].as_str().expect("an id").to_owned()
}

/// Notifications of the organization, as listed on one page.
async fn get(app: &App, members: Value) -> Vec<Value> {
    let mut sent = json!({ "organizationId": "acme" });
    merge(&mut sent, members);
    let data = app.call("notifications.get", sent).await.data();
    data.as_array().expect("a list").clone()
}

/// Ids of these notifications.
async fn ids(app: &App, members: Value) -> Vec<String> {
    let id = |it: &Value| it["id"].as_str().expect("an id").to_owned();
    get(app, members).await.iter().map(id).collect()
}

/// One notification; null when it does not exist.
async fn find(app: &App, id: &str) -> Value {
    get(app, json!({ "notificationIds": [id] })).await.pop().unwrap_or_default()
}

/// The sort keys of the stored rows of some kinds.
fn stored(app: &App, kinds: &[&str]) -> Vec<String> {
    let items = app.items_of(Table::Resources, &app.key);
    let sorts = items.iter().filter_map(|item| item["SK"]["S"].as_str().map(str::to_owned));
    sorts.filter(|sort| kinds.iter().any(|kind| sort.starts_with(&format!("{kind}#")))).collect()
}

/// Restricts a document to users with a grant.
async fn restrict(app: &App, document: &str, users: &[&str]) {
    let sent = json!({
        "organizationId": "acme", "documentIds": [document], "accessType": "restricted",
    });
    app.call("documents.access_update", sent).await.ok();
    for user in users {
        let sent = json!({ "user": { "userId": user }, "permissions": { "resources": [
            { "type": "document", "id": document, "organizationId": "acme" },
        ] } });
        app.call("permissions.add", sent).await.ok();
    }
}

/// The path of the first issue of a call.
async fn wrong(app: &App, operation: &str, sent: Value) -> Value {
    let error = app.call(operation, sent).await.error("INVALID_ARGUMENT");
    error["details"]["issues"][0]["path"].clone()
}
