//! Configurations of services (contract `configuration`).

mod activities_get;
mod activities_update;
mod advanced_webhooks_get;
mod advanced_webhooks_update;
mod email_get;
mod email_update;
mod notifications_get;
mod notifications_update;
mod webhooks_get;
mod webhooks_update;

use serde_json::{Value, json};
use service::Table;

pub(crate) use crate::workspace::field;

use crate::app::{App, Credentials};

/// The dotted types of the 16 standard comment triggers.
const STANDARD: [&str; 16] = [
    "comment_annotation.add",
    "comment.add",
    "comment.update",
    "comment.delete",
    "comment_annotation.approve",
    "comment_annotation.accept",
    "comment_annotation.reject",
    "comment_annotation.assign",
    "comment_annotation.status_change",
    "comment_annotation.priority_change",
    "comment_annotation.access_mode_change",
    "comment_annotation.custom_list_change",
    "comment.reaction_add",
    "comment.reaction_delete",
    "comment_annotation.subscribe",
    "comment_annotation.unsubscribe",
];

/// The keys of the standard comment triggers in their group.
const STANDARD_KEYS: [&str; 16] = [
    "newlyAdded",
    "added",
    "updated",
    "deleted",
    "approved",
    "accepted",
    "rejected",
    "assigned",
    "statusChanged",
    "priorityChanged",
    "accessModeChanged",
    "customListChanged",
    "reactionAdded",
    "reactionDeleted",
    "subscribed",
    "unsubscribed",
];

/// A public key of 1024 bits: the base64 of its SPKI.
const PUBLIC_KEY: &str = "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQD1NtdCGjEnHI7GYTSyIMcj34lUJnBTI7wUVF/2nFzq\
    QAUisviLX8CANtZ7yd+wmJK5swlwooxMqDCGqLx6hz13SEgeI6eTrMi41spU3Qn/i/VIb5Ai3Tr+7xIW\
    6To6oFH0HAvWkTc0E26D6pusvnwGE67X6kgSKKZIuWdE7Khh0wIDAQAB";

const HUDDLE: [&str; 2] = ["huddle.create", "huddle.join"];

/// Switches with one position.
fn switches(keys: &[&str], on: bool) -> Value {
    keys.iter().map(|key| ((*key).to_owned(), json!(on))).collect::<serde_json::Map<_, _>>().into()
}

/// One object with the members of both.
fn with(mut object: Value, more: Value) -> Value {
    object.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    object
}

async fn update(app: &App, name: &str, sent: Value) -> Value {
    app.call(&format!("configuration.{name}_update"), sent).await.data()
}

async fn get(app: &App, name: &str) -> Value {
    app.call(&format!("configuration.{name}_get"), json!({})).await.data()
}

/// Asserts that a body is refused at a field without a write.
async fn refused(app: &App, name: &str, sent: Value, path: &str) {
    let before = get(app, name).await;
    let reply = app.call(&format!("configuration.{name}_update"), sent.clone()).await;
    let error = reply.error("INVALID_ARGUMENT");
    assert_eq!(field(&error), format!("data.{path}"), "{sent}: {error}");
    assert_eq!(get(app, name).await, before, "{sent}");
}

/// Creates a key with configurations.
async fn key_with(app: &App, members: Value) -> Credentials {
    let sent =
        json!({ "ownerEmail": "ada@example.com", "type": "testing", "createAuthToken": true });
    let created = app.call("workspace.api_key_create", with(sent, members)).await.data();
    let api_key = created["apiKey"].as_str().unwrap().to_owned();
    let tokens = app.call("workspace.auth_tokens_get", json!({ "apiKey": api_key })).await.data();
    let auth_token = tokens["authTokens"][0]["token"].as_str().unwrap().to_owned();
    Credentials { api_key, auth_token }
}

/// The stored item of a configuration.
fn stored(app: &App, name: &str) -> String {
    let items = app.items_of(Table::Resources, &app.key);
    let sort = match name {
        "webhook" => "webhook#urls".to_owned(),
        name => format!("config#{name}"),
    };
    let mut own = items.iter().filter(|item| item["SK"]["S"] == sort.as_str());
    own.next().unwrap_or_else(|| panic!("no {name}")).to_string()
}
