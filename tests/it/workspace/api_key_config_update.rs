//! `/v2/workspace/apikeyconfig/update`.

use serde_json::{Value, json};
use service::Table;

use super::field;
use crate::app::App;

async fn update(app: &App, sent: Value) -> Value {
    app.call("workspace.api_key_config_update", sent).await.data()
}

async fn config(app: &App) -> Value {
    app.call("workspace.api_key_config_get", json!({})).await.data()
}

#[tokio::test]
async fn omitted_members_keep_their_values_and_the_reply_repeats_what_was_sent() {
    let app = App::start().await;
    let mut expected = config(&app).await;
    for (member, value, shown) in [
        ("enablePrivateComments", json!(true), "isPrivateCommentsEnabled"),
        ("enableThreadEditing", json!(true), "isThreadEditingEnabled"),
        ("requireJwtToken", json!(true), "requireJwtToken"),
        ("requireAutoOrgUser", json!(true), "requireAutoOrgUser"),
        ("defaultDocumentAccessType", json!("restricted"), "defaultDocumentAccessType"),
        ("defaultDocumentAccessType", json!("organizationPrivate"), "defaultDocumentAccessType"),
        ("enablePrivateComments", json!(false), "isPrivateCommentsEnabled"),
        ("anchorMark", json!("comment"), "anchorMark"),
        ("anchorMark", json!(""), "anchorMark"),
    ] {
        let mut sent = json!({});
        sent[member] = value.clone();
        assert_eq!(update(&app, sent.clone()).await, sent);
        expected[shown] = value;
        assert_eq!(config(&app).await, expected);
    }
}

#[tokio::test]
async fn features_are_switched_one_by_one_and_at_once() {
    let app = App::start().await;
    let off = json!({ "features": { "advancedQueries": false } });
    assert_eq!(update(&app, off.clone()).await, off);
    let features = json!({ "advancedQueries": false, "userNotificationConfig": true });
    assert_eq!(config(&app).await["features"], features);
    let folders = json!({ "organizationId": "acme" });
    app.call("folders.get", folders.clone()).await.error("FAILED_PRECONDITION");
    let sent = json!({ "features": {
        "advancedQueries": true, "userNotificationConfig": false, "unknown": 1,
    } });
    let reply = update(&app, sent).await;
    let features = json!({ "advancedQueries": true, "userNotificationConfig": false });
    assert_eq!(reply, json!({ "features": features }));
    assert_eq!(config(&app).await["features"], features);
    app.call("folders.get", folders).await.ok();
}

#[tokio::test]
async fn keys_of_ai_providers_are_merged_masked_and_sealed() {
    let app = App::start().await;
    let key = |provider: &str, key: &str| json!({ "provider": provider, "customerApiKey": key });
    let long = "sk-0123456789abcdefghij";
    let sent = json!({ "aiModelApiKey": [key("openai", long), key("gemini", "short")] });
    let masked = |text: &str| json!({ "displayText": text });
    let shown = json!({ "openai": masked("sk-********ghij"), "gemini": masked("********") });
    assert_eq!(update(&app, sent).await, json!({ "aiModelsConfig": shown }));
    assert_eq!(config(&app).await["aiModelsConfig"], shown);

    let twice = "sk-later56789abcdefzzzz";
    let sent = json!({ "aiModelApiKey": [key("openai", long), key("openai", twice)] });
    let reply = update(&app, sent).await;
    assert_eq!(reply, json!({ "aiModelsConfig": { "openai": masked("sk-********zzzz") } }));
    let expected = json!({ "openai": masked("sk-********zzzz"), "gemini": masked("********") });
    assert_eq!(config(&app).await["aiModelsConfig"], expected);

    let stored = json!(app.items_of(Table::Resources, &app.key)).to_string();
    assert!(stored.contains("gemini"));
    for secret in [long, twice, "short"] {
        assert!(!stored.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn at_least_one_known_field_is_required() {
    let app = App::start().await;
    for sent in [
        json!({}),
        json!({ "unknown": 1 }),
        json!({ "enablePrivateComments": null }),
        json!({ "features": {} }),
        json!({ "features": { "unknown": true } }),
    ] {
        let error = app.call("workspace.api_key_config_update", sent).await;
        let error = error.error("INVALID_ARGUMENT");
        assert_eq!(error["message"], "At least one field must be provided for update.");
    }
    let path = "/v2/workspace/apikeyconfig/update";
    app.caller().body_at(path, "{}").await.error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn a_refusal_names_the_field_and_changes_nothing() {
    let app = App::start().await;
    let before = config(&app).await;
    for (member, value, path) in [
        ("enablePrivateComments", json!("true"), "enablePrivateComments"),
        ("requireJwtToken", json!(1), "requireJwtToken"),
        ("defaultDocumentAccessType", json!("private"), "defaultDocumentAccessType"),
        ("features", json!([]), "features"),
        ("features", json!({ "advancedQueries": 1 }), "features.advancedQueries"),
        ("aiModelApiKey", json!([]), "aiModelApiKey"),
        ("aiModelApiKey", json!({}), "aiModelApiKey"),
        ("aiModelApiKey", json!([{ "provider": "openai" }]), "aiModelApiKey.0.customerApiKey"),
        (
            "aiModelApiKey",
            json!([{ "provider": "openai", "customerApiKey": "" }]),
            "aiModelApiKey.0.customerApiKey",
        ),
        (
            "aiModelApiKey",
            json!([{ "provider": "acme", "customerApiKey": "hunter2" }]),
            "aiModelApiKey.0.provider",
        ),
    ] {
        let mut sent = json!({ "requireAutoOrgUser": true });
        sent[member] = value.clone();
        let refused = app.call("workspace.api_key_config_update", sent).await;
        assert_eq!(field(&refused.error("INVALID_ARGUMENT")), format!("data.{path}"), "{value}");
        assert!(!refused.text().contains("hunter2"));
    }
    assert_eq!(config(&app).await, before);
}

#[tokio::test]
async fn another_key_of_the_workspace_keeps_its_settings() {
    let app = App::start().await;
    let second = app.second_key().await;
    update(&app, json!({ "requireJwtToken": true })).await;
    let other = app.call_as(&second, "workspace.api_key_config_get", json!({})).await.data();
    assert_eq!(other["requireJwtToken"], false);
    let keys = app.call("workspace.api_keys_get", json!({})).await.data();
    assert_eq!(keys.as_array().unwrap().len(), 2, "a changed key stays listed");
}
