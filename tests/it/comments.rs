//! Threads of comments (contract `comments`).

use serde_json::{Value, json};
use service::Table;

use crate::app::App;

mod activities;
mod add;
mod annotations_add;
mod annotations_count;
mod annotations_delete;
mod annotations_get;
mod annotations_subscribe;
mod annotations_unsubscribe;
mod annotations_update;
mod background;
mod delete;
mod get;
mod in_replies;
mod long;
mod long_changes;
mod many;
mod organization_private;
mod reactions_add;
mod reactions_delete;
mod update;

/// A deployment with the documents `d` and `e` of the organization `o`.
async fn start() -> App {
    let app = App::start().await;
    let documents = json!({
        "organizationId": "o", "createOrganization": true,
        "documents": [{ "documentId": "d" }, { "documentId": "e" }],
    });
    app.call("documents.add", documents).await.ok();
    app
}

/// A minimal comment of a user.
fn by(user: &str) -> Value {
    json!({ "from": { "userId": user }, "commentText": format!("by {user}") })
}

/// Ids of a document, with additional members.
fn at(document: &str, more: Value) -> Value {
    let mut sent = json!({ "organizationId": "o", "documentId": document });
    sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    sent
}

/// Ids of the thread `a` of the document `d`, with additional members.
fn thread(more: Value) -> Value {
    let mut sent = at("d", more);
    sent["annotationId"] = json!("a");
    sent
}

/// Adds a thread to a document; returns its entry.
async fn add_to(app: &App, document: &str, annotation: Value) -> Value {
    let sent = at(document, json!({ "commentAnnotations": [annotation] }));
    let entries = app.call("comments.annotations_add", sent).await.data();
    let entry = entries.as_object().unwrap().values().next().unwrap().clone();
    assert_eq!(entry["success"], true, "{entry}");
    entry
}

/// A deployment with the thread `a` of Ada's comment 1 and Bob's comment 2.
async fn with_thread() -> App {
    let app = start().await;
    let (mut first, mut second) = (by("ada"), by("bob"));
    first["commentId"] = json!(1);
    second["commentId"] = json!(2);
    add_to(&app, "d", json!({ "annotationId": "a", "commentData": [first, second] })).await;
    app
}

/// The threads a filter finds.
async fn list(app: &App, filter: Value) -> Vec<Value> {
    let mut sent = filter;
    sent["organizationId"] = json!("o");
    app.call("comments.annotations_get", sent).await.data().as_array().unwrap().clone()
}

fn ids(threads: &[Value]) -> Vec<&str> {
    threads.iter().map(|thread| thread["annotationId"].as_str().unwrap_or("null")).collect()
}

/// The thread of an id in `d`; null when there is none.
async fn find(app: &App, id: &str) -> Value {
    list(app, json!({ "documentId": "d", "annotationIds": [id] })).await[0].clone()
}

/// The events of a document, in order, as in the stream.
fn events_in(app: &App, document: &str) -> Vec<Value> {
    let table = roundtable::table_name(Table::Resources);
    let records = app.embedded().stream(&table, None, 10_000).expect("the stream");
    let recorded = records.iter().flat_map(|record| {
        let mut record = record.record.clone();
        record["eventSourceARN"] = json!(format!("arn:aws:dynamodb:r:1:table/{table}/stream/s"));
        service::store::journal::recorded(&record).expect("a record").1
    });
    let events = recorded.map(|recorded| serde_json::to_value(recorded.event).expect("JSON"));
    events.filter(|stored| stored["event"]["documentId"] == document).collect()
}

/// The names of the events of `d` after the first `n` events.
fn names_after(app: &App, n: usize) -> Vec<String> {
    let events = events_in(app, "d").into_iter().skip(n);
    events.map(|stored| stored["event"]["event"].as_str().unwrap().to_owned()).collect()
}

/// The sort keys of comments in an organization.
fn rows(app: &App) -> Vec<String> {
    let items = app.items_of(Table::Resources, &app.key);
    let sorts = items.iter().map(|item| item["SK"]["S"].as_str().unwrap().to_owned());
    let heads = ["annotation#", "link#", "seen#", "archived#", "comment-id#"];
    let mut rows: Vec<String> =
        sorts.filter(|sort| heads.iter().any(|head| sort.starts_with(head))).collect();
    rows.sort();
    rows
}
