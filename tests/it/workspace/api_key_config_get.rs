//! `/v2/workspace/apikeyconfig/get`.

use serde_json::json;

use crate::app::App;

#[tokio::test]
async fn a_new_key_has_the_defaults() {
    let app = App::start().await;
    let expected = json!({
        "ownerEmail": "owner@example.com",
        "planInfo": { "type": "paid" },
        "defaultDocumentAccessType": "public",
        "isPrivateCommentsEnabled": false,
        "requireJwtToken": false,
        "requireAutoOrgUser": false,
        "anchorMark": "",
        "features": { "advancedQueries": true, "userNotificationConfig": true },
    });
    assert_eq!(app.call("workspace.api_key_config_get", json!({})).await.data(), expected);
    let old = app.call_at("/v2/workspace/apikeymetadata/get", json!({})).await.data();
    assert_eq!(old, expected);
}

#[tokio::test]
async fn the_plan_is_that_of_the_workspace() {
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
