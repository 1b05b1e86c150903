//! `/v2/workspace/apikeyconfig/get`.

use serde_json::{Value, json};
use service::{AccessType, Table};

use crate::{
    app::{App, Options},
    schedule::put,
};

#[tokio::test]
async fn a_new_key_has_the_defaults() {
    let app = App::start().await;
    let expected = json!({
        "ownerEmail": "owner@example.com",
        "planInfo": { "type": "paid" },
        "defaultDocumentAccessType": "public",
        "isPrivateCommentsEnabled": false,
        "isThreadEditingEnabled": false,
        "requireJwtToken": false,
        "requireAutoOrgUser": false,
        "anchorMark": "",
        "publicAccessRole": "editor",
        "features": { "advancedQueries": true, "userNotificationConfig": true },
    });
    assert_eq!(app.call("workspace.api_key_config_get", json!({})).await.data(), expected);
    let old = app.call_at("/v2/workspace/apikeymetadata/get", json!({})).await.data();
    assert_eq!(old, expected);
}

/// The access type that a key shows which was made with these members.
async fn access_type(app: &App, kind: &str, members: Value) -> Value {
    let mut sent =
        json!({ "ownerEmail": "ada@example.com", "type": kind, "createAuthToken": true });
    sent.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    let created = app.call("workspace.api_key_create", sent).await.data();
    let key = app.credentials_of(created["apiKey"].as_str().unwrap()).await;
    let shown = app.call_as(&key, "workspace.api_key_config_get", json!({})).await.data();
    shown["defaultDocumentAccessType"].clone()
}

#[tokio::test]
async fn documents_of_a_new_key_are_closed_to_strangers_unless_somebody_opens_them() {
    let app = App::start().await;
    for kind in ["testing", "production"] {
        assert_eq!(access_type(&app, kind, json!({})).await, "organizationPrivate");
        for chosen in ["public", "organizationPrivate", "restricted"] {
            let sent = json!({ "defaultDocumentAccessType": chosen });
            assert_eq!(access_type(&app, kind, sent).await, chosen);
        }
    }
    let open = AccessType::Public;
    let options = Options { default_document_access_type: open, ..Options::default() };
    let app = App::start_with(options).await;
    assert_eq!(access_type(&app, "testing", json!({})).await, "public", "of the deployment");
    let sent = json!({ "defaultDocumentAccessType": "restricted" });
    assert_eq!(access_type(&app, "testing", sent).await, "restricted");
}

#[tokio::test]
async fn a_key_of_an_earlier_version_without_a_type_stays_public() {
    let app = App::start().await;
    let mut items = app.items_of(Table::Resources, &app.key).into_iter();
    let mut row = items.find(|item| item["allowedDomains"].is_object()).unwrap();
    let settings = row["settings"]["M"].as_object_mut().unwrap();
    assert!(settings.remove("defaultDocumentAccessType").is_some(), "new ones say it");
    put(&app, Table::Resources, &row).await;
    let shown = app.call("workspace.api_key_config_get", json!({})).await.data();
    assert_eq!(shown["defaultDocumentAccessType"], "public");
}

#[tokio::test]
async fn the_plan_in_the_configuration_is_that_of_the_workspace() {
    let app = App::start().await;
    let free = json!({ "id": app.workspace.id, "plan": "free" });
    app.call("operator.workspace_update", free).await.ok();
    let config = app.call("workspace.api_key_config_get", json!({})).await.data();
    assert_eq!(config["planInfo"], json!({ "type": "free" }));
}

#[tokio::test]
async fn the_body_may_be_left_out() {
    let app = App::start().await;
    for body in ["", "{}", r#"{"data":null}"#, r#"{"data":{}}"#] {
        app.caller().body_at("/v2/workspace/apikeyconfig/get", body).await.ok();
    }
}

#[tokio::test]
async fn wrong_credentials_are_refused() {
    let app = App::start().await;
    for (key, token) in
        [(app.key.api_key.as_str(), "x"), ("rt_none", &app.key.auth_token), ("", "")]
    {
        let headers = [("x-service-api-key", key), ("x-service-auth-token", token)];
        let refused = app.send("/v2/workspace/apikeyconfig/get", "{}", &headers).await;
        refused.error("PERMISSION_DENIED");
    }
}
