//! Recordings (contract `recordings`).

use serde_json::{Value, json};

use crate::app::App;

mod add;
mod delete;
mod get;

/// A deployment with the organization `acme`, and in it the documents `d` and `e`.
async fn start() -> App {
    let app = App::start().await;
    add_documents(&app, &["d", "e"]).await;
    app
}

async fn add_documents(app: &App, ids: &[&str]) {
    let documents: Vec<Value> = ids.iter().map(|id| json!({ "documentId": id })).collect();
    let sent =
        json!({ "organizationId": "acme", "createOrganization": true, "documents": documents });
    app.call("documents.add", sent).await.ok();
}

/// A recording of a second without optional members.
fn plain(id: &str) -> Value {
    json!({ "annotationId": id, "recordedTime": { "duration": 1000 }, "attachments": [] })
}

/// Adds recordings to a document; returns the entries.
async fn add(app: &App, document: &str, recordings: Value) -> Value {
    let sent =
        json!({ "organizationId": "acme", "documentId": document, "recordings": recordings });
    app.call("recordings.add", sent).await.data()
}

/// Adds minimal recordings, which have to succeed.
async fn add_plain(app: &App, document: &str, ids: &[&str]) {
    let sent: Vec<Value> = ids.iter().map(|id| plain(id)).collect();
    let added = add(app, document, json!(sent)).await;
    for (id, entry) in added.as_object().expect("a map") {
        assert_eq!(entry["success"], true, "{id}: {entry}");
    }
}

/// One page of recordings.
async fn get(app: &App, mut sent: Value) -> Value {
    sent["organizationId"] = json!("acme");
    app.call("recordings.get", sent).await.ok()
}

/// One listed recording; null when it does not exist.
async fn find(app: &App, id: &str) -> Value {
    let mut found = get(app, json!({ "recordingIds": [id] })).await;
    found["data"].as_array_mut().and_then(Vec::pop).unwrap_or_default()
}

fn ids(result: &Value) -> Vec<Value> {
    let listed = result["data"].as_array().expect("a list");
    listed.iter().map(|item| item["annotationId"].clone()).collect()
}

async fn all(app: &App) -> Vec<Value> {
    ids(&get(app, json!({})).await)
}

/// The events of documents, in order.
fn domain_events(app: &App) -> Vec<Value> {
    let mut domain_events = app.events();
    domain_events.retain(|stored| stored["event"]["type"] == "domain");
    domain_events
}

/// `r0`, `r1` and so on.
fn numbered(n: usize) -> Vec<String> {
    (0..n).map(|n| format!("r{n}")).collect()
}
