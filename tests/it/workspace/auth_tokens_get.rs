//! `/v2/workspace/authtokens/get`.

use serde_json::json;

use super::field;
use crate::app::App;

#[tokio::test]
async fn the_same_token_is_shown_each_time() {
    let app = App::start().await;
    let sent = json!({ "apiKey": app.key.api_key });
    for _ in 0..2 {
        let data = app.call("workspace.auth_tokens_get", sent.clone()).await.data();
        let token =
            json!({ "token": app.key.auth_token, "name": "Default Auth Token", "domains": [] });
        assert_eq!(data, json!({ "apiKey": app.key.api_key, "authTokens": [token] }));
    }
    assert_eq!(app.key.auth_token.split('.').count(), 3, "a signed token");
}

#[tokio::test]
async fn a_key_of_another_workspace_is_not_found() {
    let app = App::start().await;
    let (_, foreign) = app.new_workspace().await;
    for api_key in [foreign.api_key.as_str(), "rt_none"] {
        let sent = json!({ "apiKey": api_key });
        app.call("workspace.auth_tokens_get", sent).await.error("NOT_FOUND");
    }
}

#[tokio::test]
async fn a_refusal_names_the_field() {
    let app = App::start().await;
    for sent in
        [json!({}), json!({ "apiKey": null }), json!({ "apiKey": 1 }), json!({ "apiKey": "" })]
    {
        let error = app.call("workspace.auth_tokens_get", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), "data.apiKey");
    }
}
