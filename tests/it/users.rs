//! Users and their tokens (contract `users`).

mod add;
mod count;
mod delete;
mod fellows;
mod generate_token;
mod get;
mod update;

use serde_json::{Value, json};

use crate::app::App;

/// Adds members to a request.
fn with(mut sent: Value, more: Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        sent[name] = value.clone();
    }
    sent
}

/// Adds users, with their ids as names, at the level in `at`, which is created.
async fn add(app: &App, at: Value, ids: &[&str]) {
    let users: Vec<Value> = ids.iter().map(|id| json!({ "userId": id, "name": id })).collect();
    let sent = json!({
        "organizationId": "o", "users": users, "createDocument": true, "createFolder": true
    });
    let data = app.call("users.add", with(sent, at)).await.data();
    assert!(data.as_object().unwrap().values().all(|entry| entry["success"] == true), "{data}");
}

/// The result of a list of users.
async fn list(app: &App, filters: Value) -> Value {
    app.call("users.get", with(json!({ "organizationId": "o" }), filters)).await.ok()
}

/// Listed users.
async fn users(app: &App, filters: Value) -> Vec<Value> {
    list(app, filters).await["data"].as_array().unwrap().clone()
}

async fn ids(app: &App, filters: Value) -> Vec<String> {
    let users = users(app, filters).await;
    users.iter().map(|user| user["userId"].as_str().unwrap().to_owned()).collect()
}

/// Adds users of the organization to a group of it.
async fn group(app: &App, group: &str, users: &[&str]) {
    let groups = json!({ "organizationId": "o", "organizationUserGroups": [{ "groupId": group }] });
    app.call("user-groups.add", groups).await.ok();
    let members =
        json!({ "organizationId": "o", "organizationUserGroupId": group, "userIds": users });
    app.call("user-groups.users_add", members).await.ok();
}
