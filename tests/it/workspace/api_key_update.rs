//! `/v2/workspace/apikey/update`.

use serde_json::{Value, json};

use super::field;
use crate::app::App;

#[tokio::test]
async fn a_key_is_renamed_and_stays_listed_and_valid() {
    let app = App::start().await;
    let sent = json!({ "apiKey": app.key.api_key, "apiKeyName": "Renamed" });
    assert_eq!(app.call("workspace.api_key_update", sent).await.data(), Value::Null);
    let expected = json!([{ "id": app.key.api_key, "apiKeyName": "Renamed", "type": "testing" }]);
    assert_eq!(app.call("workspace.api_keys_get", json!({})).await.data(), expected);
    let workspace = app.call("workspace.get", json!({})).await.data();
    assert_eq!(workspace["apiKeyList"][&app.key.api_key]["apiKeyName"], "Renamed");
    app.call("workspace.domains_get", json!({})).await.ok();
}

#[tokio::test]
async fn a_key_of_another_workspace_is_not_found() {
    let app = App::start().await;
    let (_, foreign) = app.new_workspace().await;
    for api_key in [foreign.api_key.as_str(), "rt_none"] {
        let sent = json!({ "apiKey": api_key, "apiKeyName": "Mine" });
        app.call("workspace.api_key_update", sent).await.error("NOT_FOUND");
    }
}

#[tokio::test]
async fn a_refusal_names_the_field() {
    let app = App::start().await;
    for (member, value) in [
        ("apiKey", json!(null)),
        ("apiKey", json!("")),
        ("apiKeyName", json!("")),
        ("apiKeyName", json!("x".repeat(1001))),
    ] {
        let mut sent = json!({ "apiKey": app.key.api_key, "apiKeyName": "x".repeat(1000) });
        sent[member] = value.clone();
        let error = app.call("workspace.api_key_update", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), format!("data.{member}"), "{value}");
    }
}

#[tokio::test]
async fn calls_with_a_disabled_key_are_refused_until_it_is_enabled() {
    let app = App::start().await;
    let other = app.second_key().await;
    let disable = |disabled: bool| {
        app.call(
            "workspace.api_key_update",
            json!({ "apiKey": app.key.api_key, "disabled": disabled }),
        )
    };
    disable(true).await.ok();
    app.advance(std::time::Duration::from_secs(11));
    let error = app.call("workspace.domains_get", json!({})).await.error("PERMISSION_DENIED");
    assert!(error["message"].as_str().unwrap().contains("disabled"), "{error}");
    let wrong = crate::app::Credentials { auth_token: other.auth_token.clone(), ..app.key.clone() };
    let error = app.call_as(&wrong, "workspace.domains_get", json!({})).await;
    let error = error.error("PERMISSION_DENIED");
    assert!(!error["message"].as_str().unwrap().contains("disabled"), "only its holder is told");
    app.call_as(&other, "workspace.domains_get", json!({})).await.ok();
    let listed = app.call("workspace.api_keys_get", json!({ "apiKeys": [app.key.api_key] })).await;
    assert_eq!(listed.data()[0]["disabled"], true);
    let name = listed.data()[0]["apiKeyName"].clone();
    disable(false).await.ok();
    app.advance(std::time::Duration::from_secs(11));
    app.call("workspace.domains_get", json!({})).await.ok();
    let listed = app.call("workspace.api_keys_get", json!({ "apiKeys": [app.key.api_key] })).await;
    assert_eq!(
        listed.data(),
        json!([{ "id": app.key.api_key, "apiKeyName": name, "type": "testing" }])
    );
}

#[tokio::test]
async fn an_update_without_a_member_to_change_is_refused() {
    let app = App::start().await;
    let sent = json!({ "apiKey": app.key.api_key });
    app.call("workspace.api_key_update", sent).await.error("INVALID_ARGUMENT");
}

/// Contract `workspace.api_key_create`.
#[tokio::test]
async fn a_key_does_not_change_its_type() {
    let app = App::start().await;
    let sent = json!({
        "apiKey": app.key.api_key, "apiKeyName": "Renamed", "type": "production",
        "apiKeyType": "production",
    });
    app.call("workspace.api_key_update", sent).await.ok();
    let listed = app.call("workspace.api_keys_get", json!({})).await.data();
    assert_eq!(listed[0]["type"], "testing");
}
