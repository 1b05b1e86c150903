//! Activities (contract `activities`).

use std::time::Duration;

use serde_json::{Value, json};

use crate::app::App;

mod add;
mod delete;
mod get;
mod update;

/// A deployment with the activity service, without organizations and documents.
async fn start() -> App {
    let app = App::start().await;
    app.enable_activities(false).await;
    app
}

/// An activity without optional members.
fn plain(id: &str) -> Value {
    json!({
        "id": id, "featureType": "comment", "actionType": "comment.add",
        "actionUser": { "userId": "ada" },
    })
}

/// `value` with more members.
fn with(mut value: Value, members: Value) -> Value {
    for (name, member) in members.as_object().expect("members") {
        value[name] = member.clone();
    }
    value
}

/// Adds activities to a document; returns how it went.
async fn add(app: &App, document: &str, activities: Value) -> Value {
    let sent =
        json!({ "organizationId": "acme", "documentId": document, "activities": activities });
    app.call("activities.add", sent).await.data()
}

/// Adds activities, which have to succeed, each a second later than the previous one.
async fn add_slowly(app: &App, document: &str, activities: &[Value]) {
    for activity in activities {
        let added = add(app, document, json!([activity])).await;
        assert_eq!(added["success"], true, "{added}");
        app.advance(Duration::from_secs(1));
    }
}

/// One page of activities.
async fn get(app: &App, sent: Value) -> Value {
    let sent = with(json!({ "organizationId": "acme" }), sent);
    app.call("activities.get", sent).await.ok()
}

/// One listed activity; null when it does not exist.
async fn find(app: &App, id: &str) -> Value {
    let mut found = get(app, json!({ "activityIds": [id] })).await;
    found["data"].as_array_mut().and_then(Vec::pop).unwrap_or_default()
}

fn ids(result: &Value) -> Vec<Value> {
    let listed = result["data"].as_array().expect("a list");
    listed.iter().map(|item| item["id"].clone()).collect()
}

/// The ids of all activities, the newest first.
async fn all(app: &App) -> Vec<Value> {
    ids(&get(app, json!({})).await)
}

/// `a0`, `a1` and so on.
fn numbered(n: usize) -> Vec<String> {
    (0..n).map(|n| format!("a{n}")).collect()
}
