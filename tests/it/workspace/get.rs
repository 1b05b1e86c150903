//! `/v2/workspace/get`.

use serde_json::json;

use crate::app::App;

#[tokio::test]
async fn the_workspace_is_returned_as_its_creation_replied_without_the_token() {
    let app = App::start().await;
    let created = app
        .call("operator.workspace_create", json!({ "ownerEmail": "ada@example.com" }))
        .await
        .data();
    let text = |member: &str| created[member].as_str().unwrap().to_owned();
    let workspace = crate::app::Workspace { id: text("id"), token: text("authToken") };
    let caller = app.caller().workspace(&workspace);
    let mut expected = created;
    expected.as_object_mut().unwrap().remove("authToken");
    assert_eq!(caller.call("workspace.get", json!({})).await.data(), expected);
}

#[tokio::test]
async fn every_key_of_the_workspace_and_no_other_is_listed() {
    let app = App::start().await;
    let second = app.second_key().await;
    let (other, foreign) = app.new_workspace().await;
    let data = app.call("workspace.get", json!({})).await.data();
    let keys = data["apiKeyList"].as_object().unwrap();
    assert_eq!(keys.len(), 2);
    assert!(keys.contains_key(&app.key.api_key) && keys.contains_key(&second.api_key));
    let caller = app.caller().workspace(&other);
    let data = caller.call("workspace.get", json!({})).await.data();
    let keys: Vec<&String> = data["apiKeyList"].as_object().unwrap().keys().collect();
    assert_eq!(keys, [&foreign.api_key]);
}

#[tokio::test]
async fn the_body_may_be_left_out() {
    let app = App::start().await;
    for body in ["", "{}", r#"{"data":null}"#, r#"{"data":{}}"#, r#"{"data":{"unknown":1}}"#] {
        app.caller().body_at("/v2/workspace/get", body).await.ok();
    }
    for body in ["[]", "{", r#"{"data":[]}"#, r#"{"data":"x"}"#] {
        app.caller().body_at("/v2/workspace/get", body).await.error("INVALID_ARGUMENT");
    }
}

#[tokio::test]
async fn wrong_credentials_all_get_the_same_answer() {
    let app = App::start().await;
    let (other, _) = app.new_workspace().await;
    let (id, token) = (app.workspace.id.as_str(), app.workspace.token.as_str());
    let mut messages = Vec::new();
    for (id, token) in
        [(id, ""), (id, "wst_guess"), ("ws_none", token), ("", token), (id, &other.token)]
    {
        let headers = [("x-service-workspace-id", id), ("x-service-workspace-auth-token", token)];
        let error = app.send("/v2/workspace/get", "{}", &headers).await.error("PERMISSION_DENIED");
        messages.push(error["message"].as_str().unwrap().to_owned());
    }
    let one = [("x-service-workspace-id", id)];
    for headers in [&[], one.as_slice()] {
        let error = app.send("/v2/workspace/get", "{}", headers).await.error("PERMISSION_DENIED");
        messages.push(error["message"].as_str().unwrap().to_owned());
    }
    messages.dedup();
    assert_eq!(messages.len(), 1, "{messages:?}");
}
