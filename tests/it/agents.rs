//! Agents (contract `agents`).

mod create;
mod delete;
mod get;
mod update;
mod version_update;
mod versions_list;
mod versions_restore;

use serde_json::{Value, json};
use service::Table;

use crate::app::App;

/// The smallest valid agent.
fn smallest() -> Value {
    json!({
        "name": "Reviewer", "description": "Reviews.", "enabled": true,
        "instructions": "Review.", "contextGathering": { "strategies": ["web-page-text"] },
        "execution": {},
    })
}

/// The smallest agent with other members replaced or added.
fn agent_with(members: Value) -> Value {
    let mut sent = smallest();
    for (name, value) in members.as_object().expect("an object") {
        sent[name] = value.clone();
    }
    sent
}

async fn create(app: &App, sent: Value) -> String {
    let data = app.call("agents.create", sent).await.data();
    data["agentId"].as_str().expect("an id").to_owned()
}

/// The agent, alone.
async fn agent(app: &App, id: &str) -> Value {
    app.call("agents.get", json!({ "agentId": id })).await.data()["agent"].clone()
}

/// The listed agents, by filter.
async fn list(app: &App, filter: Value) -> Vec<Value> {
    let data = app.call("agents.get", json!({ "filter": filter })).await.data();
    data["agents"].as_array().expect("a list").clone()
}

async fn versions(app: &App, id: &str) -> Vec<Value> {
    let data = app.call("agents.versions_list", json!({ "agentId": id })).await.data();
    data["versions"].as_array().expect("a list").clone()
}

/// Adds a version with other instructions; returns its number.
async fn next_version(app: &App, id: &str, instructions: &str) -> u64 {
    let sent = json!({ "agentId": id, "instructions": instructions });
    let data = app.call("agents.version_update", sent).await.data();
    data["version"].as_u64().expect("a number")
}

/// The stored agents, without their count.
fn stored(app: &App) -> Vec<Value> {
    let items = app.items_of(Table::Resources, &app.key).into_iter();
    let is_agent = |item: &Value| {
        item["SK"]["S"]
            .as_str()
            .is_some_and(|sort| sort.starts_with("agent") && sort != "agent-count")
    };
    items.filter(is_agent).collect()
}

/// The stored count of agents.
fn counted(app: &App) -> Value {
    let items = app.items_of(Table::Resources, &app.key).into_iter();
    let mut count = items.filter(|item| item["SK"]["S"] == "agent-count");
    count.next().map_or(Value::Null, |item| item["agents"]["N"].clone())
}

/// A direct request to the store.
async fn at_store(app: &App, verb: &str, mut request: Value) {
    request["TableName"] = json!(roundtable::table_name(Table::Resources));
    let sent = reqwest::Client::new()
        .post(app.stack().aws_endpoint().expect("a port"))
        .header("x-amz-target", format!("DynamoDB_20120810.{verb}"))
        .body(request.to_string())
        .send();
    assert_eq!(sent.await.unwrap().status(), 200);
}
