//! `/v2/workspace/apikey/delete`.

use std::time::Duration;

use serde_json::{Value, json};
use service::Table;

use crate::{
    app::{App, Credentials},
    schedule::put,
};

const TABLES: [Table; 3] = [Table::Resources, Table::Realtime, Table::Crdt];

fn left(app: &App, key: &Credentials) -> Vec<Value> {
    TABLES.into_iter().flat_map(|table| app.items_of(table, key)).collect()
}

async fn delete(app: &App, key: &Credentials) {
    let sent = json!({ "apiKey": key.api_key });
    assert_eq!(app.call("workspace.api_key_delete", sent).await.data(), Value::Null);
}

async fn wait(app: &App, by: Duration) {
    app.settle().await;
    app.advance(by);
    app.tick().await;
    app.advance(Duration::from_secs(15 * 60));
    app.settle().await;
}

#[tokio::test]
async fn all_data_of_a_deleted_key_are_removed_and_data_of_another_key_stay() {
    let app = App::start().await;
    app.fill_sample_world("").await;
    let other = app.second_key().await;
    let organization = json!({ "organizationId": "acme", "createOrganization": true,
        "documents": [{ "documentId": "welcome" }] });
    app.call_as(&other, "documents.add", organization).await.ok();
    app.settle().await;
    let theirs = left(&app, &other);
    assert!(left(&app, &app.key).len() > 20);
    delete(&app, &app.key).await;
    app.call("workspace.domains_get", json!({})).await.error("PERMISSION_DENIED");
    app.settle().await;
    let record = left(&app, &app.key);
    assert_eq!(record.len(), 1, "all but the record of the key: {record:?}");
    assert_eq!(record[0]["SK"]["S"], "key");
    assert!(!record[0].to_string().contains("tk_"), "no token is left");
    wait(&app, Duration::from_secs(20 * 60)).await;
    wait(&app, Duration::from_secs(25 * 60 * 60)).await;
    assert_eq!(left(&app, &app.key), Vec::<Value>::new());
    assert_eq!(left(&app, &other), theirs);
    app.call_as(&other, "organizations.get", json!({})).await.ok();
}

/// Data written by a call in flight during the deletion.
#[tokio::test]
async fn data_written_late_are_removed_by_the_second_pass() {
    let app = App::start().await;
    let organization = json!({ "organizations": [{ "organizationId": "late" }] });
    app.call("organizations.add", organization).await.ok();
    let items = app.items_of(Table::Resources, &app.key);
    let late = items.iter().find(|item| item["SK"]["S"] == "organization#late").unwrap();
    delete(&app, &app.key).await;
    app.settle().await;
    put(&app, Table::Resources, late).await;
    assert_eq!(left(&app, &app.key).len(), 2);
    wait(&app, Duration::from_secs(20 * 60)).await;
    assert_eq!(left(&app, &app.key).len(), 1);
}

#[tokio::test]
async fn a_deleted_key_is_no_longer_found_or_listed_in_its_workspace() {
    let app = App::start().await;
    let second = app.second_key().await;
    delete(&app, &second).await;
    let listed = app.call("workspace.api_keys_get", json!({})).await.data();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(listed[0]["id"], app.key.api_key.as_str());
    let named = json!({ "apiKeys": [second.api_key] });
    assert_eq!(app.call("workspace.api_keys_get", named).await.data(), json!([]));
    let workspace = app.call("workspace.get", json!({})).await.data();
    assert_eq!(workspace["apiKeyList"].as_object().unwrap().len(), 1);
    for (operation, more) in [
        ("workspace.api_key_delete", json!({})),
        ("workspace.api_key_update", json!({ "disabled": false })),
        ("workspace.auth_token_reset", json!({})),
        ("workspace.auth_tokens_get", json!({})),
    ] {
        let mut sent = more;
        sent["apiKey"] = json!(second.api_key);
        app.call(operation, sent).await.error("NOT_FOUND");
    }
    app.call_as(&second, "workspace.domains_get", json!({})).await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn a_deleted_key_makes_room_for_another_key() {
    let app = App::start().await;
    let most = json!({ "id": app.workspace.id, "maxTestingKeys": 2 });
    app.call("operator.workspace_update", most).await.ok();
    let second = app.second_key().await;
    let sent = json!({ "ownerEmail": "ada@example.com", "type": "testing" });
    app.call("workspace.api_key_create", sent.clone()).await.error("RESOURCE_EXHAUSTED");
    delete(&app, &second).await;
    let rights =
        app.call("operator.workspace_update", json!({ "id": app.workspace.id })).await.data();
    assert_eq!((&rights["testingKeys"], &rights["maxTestingKeys"]), (&json!(1), &json!(2)));
    app.call("workspace.api_key_create", sent).await.ok();
}

#[tokio::test]
async fn a_key_of_another_workspace_is_not_found() {
    let app = App::start().await;
    let (_, foreign) = app.new_workspace().await;
    for api_key in [foreign.api_key.as_str(), "rt_none"] {
        let sent = json!({ "apiKey": api_key });
        app.call("workspace.api_key_delete", sent).await.error("NOT_FOUND");
    }
    app.call_as(&foreign, "workspace.domains_get", json!({})).await.ok();
    app.call("workspace.api_key_delete", json!({})).await.error("INVALID_ARGUMENT");
}
