//! Test data for notifications, and requests about it.

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};
use service::Table;

use super::merge;
use crate::app::App;

/// A deployment with the organization `acme`, its users `ada`, `bob`, `cy` and `eve`, and the
/// documents `d` and `e`; the notification service is on.
pub(super) async fn start() -> App {
    let app = super::start().await;
    let named = json!({ "organizationId": "acme", "documents": [
        { "documentId": "d", "documentName": "Plan" }, { "documentId": "e", "documentName": "Map" },
    ] });
    app.call("documents.update", named).await.ok();
    add_users(&app, &["ada", "bob", "cy", "eve"]).await;
    configure(&app, json!({ "useNotificationService": true })).await;
    app
}

pub(super) async fn add_users(app: &App, ids: &[&str]) {
    let user = |id: &&str| {
        let name = format!("{}{}", id[..1].to_uppercase(), &id[1..]);
        json!({ "userId": id, "name": name, "email": format!("{id}@example.com") })
    };
    let users: Vec<Value> = ids.iter().map(user).collect();
    app.call("users.add", json!({ "organizationId": "acme", "users": users })).await.ok();
}

pub(super) async fn configure(app: &App, members: Value) {
    app.call("configuration.notifications_update", members).await.ok();
}

pub(super) async fn configure_mail(app: &App, members: Value) {
    app.call("configuration.email_update", members).await.ok();
}

pub(super) async fn delay(app: &App, seconds: u64) {
    let delay = json!({ "isEnabled": true, "delaySeconds": seconds });
    configure(app, json!({ "notificationServiceConfig": { "delayConfig": delay } })).await;
}

/// Windows with these seconds and activities, by document and by user; none where absent.
pub(super) async fn windows(app: &App, document: Option<(u64, u64)>, user: Option<(u64, u64)>) {
    let window = |limits: Option<(u64, u64)>| match limits {
        None => json!({ "isEnabled": false }),
        Some((seconds, max)) => {
            json!({ "isEnabled": true, "batchWindowSeconds": seconds, "maxActivities": max })
        }
    };
    let batch = json!({ "document": window(document), "user": window(user) });
    configure(app, json!({ "notificationServiceConfig": { "batchConfig": batch } })).await;
}

/// A comment that notifies.
pub(super) fn comment(user: &str, text: &str, members: Value) -> Value {
    let mut comment = json!({
        "from": { "userId": user, "name": user }, "commentText": text, "triggerNotification": true,
    });
    merge(&mut comment, members);
    comment
}

/// Adds a thread of one comment.
pub(super) async fn thread(app: &App, document: &str, id: &str, comment: Value, members: Value) {
    let mut annotation = json!({ "annotationId": id, "commentData": [comment] });
    merge(&mut annotation, members);
    let sent = json!({
        "organizationId": "acme", "documentId": document, "commentAnnotations": [annotation],
    });
    let data = app.call("comments.annotations_add", sent).await.data();
    assert_eq!(data[id]["success"], true, "{data}");
}

/// Adds a comment to a thread; returns its number.
pub(super) async fn reply(app: &App, document: &str, thread: &str, comment: Value) -> u64 {
    let sent = json!({
        "organizationId": "acme", "documentId": document, "annotationId": thread,
        "commentData": [comment],
    });
    app.call("comments.add", sent).await.data()[0].as_u64().expect("a number")
}

/// A comment that notifies, in a new thread.
pub(super) async fn say(app: &App, document: &str, id: &str, user: &str) {
    thread(app, document, id, comment(user, &format!("text of {id}"), json!({})), json!({})).await;
}

/// Changes a thread.
pub(super) async fn change(app: &App, document: &str, thread: &str, members: Value) {
    let sent = json!({
        "organizationId": "acme", "documentId": document, "annotationIds": [thread],
        "updatedData": members, "triggerNotification": true,
    });
    app.call("comments.annotations_update", sent).await.ok();
}

pub(super) async fn see(app: &App, document: &str, thread: &str, user: &str) {
    let sent = json!({
        "organizationId": "acme", "documentId": document, "annotationId": thread, "userId": user,
    });
    app.call("notifications.seen", sent).await.ok();
}

/// Sets a preference: `[inbox, email]`, for a document or the organization.
pub(super) async fn prefer(app: &App, user: &str, document: Option<&str>, config: Value) {
    let mut sent = json!({ "organizationId": "acme", "userIds": [user], "config": config });
    if let Some(document) = document {
        sent["documentIds"] = json!([document]);
    }
    app.call("notifications.config_set", sent).await.ok();
}

/// Advances the clock, and runs due work.
pub(super) async fn wait(app: &App, seconds: u64) {
    app.settle().await;
    app.advance(Duration::from_secs(seconds));
    app.tick().await;
    app.settle().await;
}

/// The notifications of a user, newest first.
pub(super) async fn inbox(app: &App, user: &str) -> Vec<Value> {
    super::get(app, json!({ "userId": user })).await
}

/// Number of notifications of each of these users.
pub(super) async fn counts<const N: usize>(app: &App, users: [&str; N]) -> [usize; N] {
    let mut counts = [0; N];
    for (count, user) in counts.iter_mut().zip(users) {
        *count = inbox(app, user).await.len();
    }
    counts
}

/// Number of activities in a notification.
pub(super) fn size(notification: &Value) -> usize {
    let batch = &notification["notificationSourceData"]["batch"]["activities"];
    batch.as_array().map_or(1, Vec::len)
}

/// The sizes of the notifications of a user, oldest first.
pub(super) async fn sizes(app: &App, user: &str) -> Vec<usize> {
    inbox(app, user).await.iter().rev().map(size).collect()
}

/// The delivery states of events.
pub(super) async fn trace(app: &App, members: Value) -> Vec<Value> {
    let mut sent = json!({ "organizationId": "acme" });
    merge(&mut sent, members);
    let data = app.call("notifications.trace_get", sent).await.data();
    data.as_array().expect("a list").clone()
}

/// State and reason of every row of a user: `inbox dropped seen`.
pub(super) async fn fates(app: &App, user: &str) -> Vec<String> {
    let rows = trace(app, json!({ "userId": user })).await;
    let text = |row: &Value| {
        let parts = ["channel", "state", "reason"].map(|name| row[name].as_str().unwrap_or(""));
        parts.join(" ").trim_end().to_owned()
    };
    rows.iter().map(text).collect()
}

/// The keys of pending work of a kind.
pub(super) fn work(app: &App, kind: &str) -> Vec<Value> {
    let items = app.items_of(Table::Schedule, &app.key);
    let is_kind = |item: &Value| {
        let sort = item["SK"]["S"].as_str().unwrap_or_default();
        sort == kind || sort.starts_with(&format!("{kind}#"))
    };
    items.into_iter().filter(is_kind).collect()
}

/// Recipients of events with their states, from pending work.
fn recorded(app: &App) -> Vec<(String, Value)> {
    let first = work(app, "pending").into_iter().map(|item| (item, "/first/groups"));
    let further = work(app, "recipients").into_iter().map(|item| (item, "/groups"));
    let mut found = Vec::new();
    for (item, path) in first.chain(further) {
        let body: Value = serde_json::from_str(item["body"]["S"].as_str().unwrap()).unwrap();
        for group in body.pointer(path).and_then(Value::as_array).unwrap() {
            let users = group["users"].as_array().unwrap().iter();
            let state = &group["state"];
            found.extend(users.map(|user| (user.as_str().unwrap().to_owned(), state.clone())));
        }
    }
    found
}

/// Number of recorded recipients, per event.
pub(super) fn recipients(app: &App) -> usize {
    recorded(app).len()
}

/// Delivered notifications: user and id of each.
pub(super) fn delivered(app: &App) -> BTreeSet<(String, String)> {
    let delivered = recorded(app).into_iter().filter(|(_, state)| state["is"] == "delivered");
    let pair = |(user, state): (String, Value)| {
        (user, state["notificationId"].as_str().unwrap_or_default().to_owned())
    };
    delivered.map(pair).collect()
}

/// The text of a headline with its variables replaced.
pub(super) fn headline(notification: &Value) -> String {
    let mut text =
        notification["displayHeadlineMessageTemplate"].as_str().unwrap_or_default().to_owned();
    let data = notification["displayHeadlineMessageTemplateData"].as_object().cloned();
    for (name, value) in data.unwrap_or_default() {
        let shown = match &value {
            Value::String(text) => text.clone(),
            Value::Object(person) => {
                let name = person.get("name").and_then(Value::as_str);
                name.or(person["userId"].as_str()).unwrap_or_default().to_owned()
            }
            other => other.to_string(),
        };
        text = text.replace(&format!("{{{name}}}"), &shown);
    }
    text
}

/// The ids of events with recipients.
pub(super) fn told_of(app: &App) -> Vec<String> {
    let events = app.events().into_iter().filter(|event| event["event"]["notify"] == true);
    events.map(|event| event["id"].as_str().unwrap_or_default().to_owned()).collect()
}
