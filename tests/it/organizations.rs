//! Organizations (contract `organizations`).

use serde_json::{Value, json};

use crate::app::App;

mod add;
mod delete;
mod disable;
mod get;
mod update;

/// Adds minimal organizations.
async fn add(app: &App, ids: &[&str]) {
    let organizations: Vec<Value> = ids.iter().map(|id| json!({ "organizationId": id })).collect();
    let added = app.call("organizations.add", json!({ "organizations": organizations })).await;
    for (id, entry) in added.data().as_object().expect("a map") {
        assert_eq!(entry["success"], true, "{id}: {entry}");
    }
}

/// One listed organization; null when it does not exist.
async fn find(app: &App, id: &str) -> Value {
    app.call("organizations.get", json!({ "organizationIds": [id] })).await.data()[0].take()
}

/// The ids of all organizations, as listed on one page.
async fn all(app: &App) -> Vec<Value> {
    ids(&app.call("organizations.get", json!({})).await.data())
}

fn ids(listed: &Value) -> Vec<Value> {
    listed.as_array().expect("a list").iter().map(|item| item["id"].clone()).collect()
}
