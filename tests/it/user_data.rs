//! The data of users (contract `user-data`).

use std::time::Duration;

use serde_json::{Value, json};

use crate::app::App;

mod delete;
mod delete_status;
mod erase;
mod get;
mod gone;
mod implied;
mod people;
mod remains;
mod webhooks;

/// A deployment with the documents `d` and `e` in the organization `acme`.
async fn start() -> App {
    let app = App::start().await;
    add_documents(&app, "acme").await;
    app
}

async fn add_documents(app: &App, organization: &str) {
    let documents = json!([{ "documentId": "d" }, { "documentId": "e" }]);
    let sent = json!({
        "organizationId": organization, "createOrganization": true, "documents": documents,
    });
    app.call("documents.add", sent).await.ok();
}

fn person(id: &str) -> Value {
    json!({ "userId": id, "name": format!("Name of {id}"), "email": format!("{id}@example.com") })
}

/// Calls an operation with an organization; every item has to succeed.
async fn call_in(app: &App, organization: &str, operation: &str, mut sent: Value) -> Value {
    sent["organizationId"] = json!(organization);
    let done = app.call(operation, sent).await.ok();
    assert!(!done.to_string().contains("\"success\":false"), "{operation}: {done}");
    done["data"].clone()
}

async fn call(app: &App, operation: &str, sent: Value) -> Value {
    call_in(app, "acme", operation, sent).await
}

/// Adds a thread.
async fn add_thread(app: &App, document: &str, thread: Value) {
    let sent = json!({ "documentId": document, "commentAnnotations": [thread] });
    call(app, "comments.annotations_add", sent).await;
}

/// Adds a thread of one comment.
async fn add_comment(app: &App, id: &str, author: &str) {
    let comment = json!({ "commentId": 1, "from": person(author), "commentText": "A text." });
    add_thread(app, "d", json!({ "annotationId": id, "commentData": [comment] })).await;
}

async fn react(app: &App, annotation: &str, comment: u64, icon: &str, user: &str) {
    let sent = json!({
        "documentId": "d", "annotationId": annotation, "commentId": comment, "icon": icon,
        "from": person(user),
    });
    call(app, "comments.reactions_add", sent).await;
}

async fn add_recording(app: &App, id: &str, user: &str) {
    let recording = json!({
        "annotationId": id, "recordedTime": { "duration": 1 }, "attachments": [],
        "from": person(user),
    });
    let sent = json!({ "documentId": "d", "recordings": [recording] });
    call(app, "recordings.add", sent).await;
}

async fn add_notification(app: &App, id: &str, by: &str, to: &[&str], all: bool) {
    let to: Vec<Value> = to.iter().map(|user| person(user)).collect();
    let sent = json!({
        "documentId": "d", "notificationId": id, "actionUser": person(by), "notifyUsers": to,
        "notifyAll": all, "displayHeadlineMessageTemplate": "{actionUser} has news",
        "displayHeadlineMessageTemplateData": { "actionUser": person(by) },
        "displayBodyMessage": "Read it.",
    });
    call(app, "notifications.add", sent).await;
}

/// Requests the erasure of users in all organizations; returns the id of the job.
async fn delete(app: &App, users: &[&str]) -> String {
    let ordered = app.call("user-data.delete", json!({ "userIds": users })).await.data();
    ordered["jobId"].as_str().expect("an id").to_owned()
}

async fn status(app: &App, job: &str) -> Value {
    app.call("user-data.delete_status", json!({ "jobId": job })).await.data()
}

/// Both passes of the job.
async fn finish(app: &App) {
    app.settle().await;
    app.advance(Duration::from_secs(61));
    app.settle().await;
}

async fn get(app: &App, user: &str) -> Value {
    app.call("user-data.get", json!({ "organizationId": "acme", "userId": user })).await.ok()
}

/// One page of the data of a user.
async fn page_of(app: &App, user: &str, token: &Value) -> Value {
    let sent = json!({ "organizationId": "acme", "userId": user, "pageToken": token });
    app.call("user-data.get", sent).await.ok()
}

/// The ids in a list.
fn ids(list: &Value) -> Vec<&str> {
    let id = |item: &Value| item.get("annotationId").or(item.get("id")).cloned();
    let list = list.as_array().expect("a list");
    assert!(list.iter().all(|item| id(item).is_some()));
    list.iter().map(|item| item["annotationId"].as_str().or(item["id"].as_str()).unwrap()).collect()
}

/// Whether a text has the word, not only a random version that contains its letters.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}
