//! `/v2/workspace/create`.

use serde_json::json;
use service::Table;

use crate::{
    app::{App, Credentials, Workspace},
    workspace::field,
};

#[tokio::test]
async fn the_reply_has_the_workspace_its_token_and_a_first_key_that_can_be_used() {
    let app = App::start().await;
    let sent = json!({
        "ownerEmail": "ada@example.com", "name": "Ada", "workspaceName": "Engines",
        "avatar": "https://example.com/ada.png",
    });
    let data = app.call("operator.workspace_create", sent).await.data();
    assert_eq!(data["name"], "Engines");
    assert_eq!(data["owner"]["email"], "ada@example.com");
    assert_eq!(data["owner"]["name"], "Ada");
    assert_eq!(data["owner"]["avatar"], "https://example.com/ada.png");
    assert!(data["owner"]["id"].as_str().is_some_and(|id| !id.is_empty()));
    let (id, token) = (data["id"].as_str().unwrap(), data["authToken"].as_str().unwrap());
    assert!(id.starts_with("ws_"), "{id}");
    // 256 random bits.
    assert_eq!(token.strip_prefix("wst_").map(str::len), Some(43), "{token}");

    let keys = data["apiKeyList"].as_object().unwrap();
    let (api_key, key) = keys.iter().next().unwrap();
    assert_eq!(keys.len(), 1);
    let named = json!({ "id": api_key, "apiKeyName": "Ada Test API Key", "type": "testing" });
    assert_eq!(key, &named);

    let workspace = Workspace { id: id.to_owned(), token: token.to_owned() };
    let caller = app.caller().workspace(&workspace);
    let tokens =
        caller.call("workspace.auth_tokens_get", json!({ "apiKey": api_key })).await.data();
    assert_eq!(tokens["authTokens"][0]["name"], "Default Auth Token");
    let auth_token = tokens["authTokens"][0]["token"].as_str().unwrap().to_owned();
    let key = Credentials { api_key: api_key.clone(), auth_token };
    app.call_as(&key, "workspace.api_key_config_get", json!({})).await.ok();
}

#[tokio::test]
async fn omitted_names_are_derived_from_the_email_or_name_of_the_owner() {
    let app = App::start().await;
    for sent in [
        json!({ "ownerEmail": "grace.h@example.com" }),
        json!({
            "ownerEmail": "grace.h@example.com", "name": null, "workspaceName": null,
            "avatar": null, "plan": null, "selfServeProductionKeys": null,
            "maxProductionKeys": null, "unknown": 1,
        }),
    ] {
        let data = app.call("operator.workspace_create", sent).await.data();
        assert_eq!(data["owner"]["name"], "grace.h@example.com");
        assert_eq!(data["owner"]["avatar"], "");
        assert_eq!(data["name"], "grace.h@example.com workspace");
        let key = data["apiKeyList"].as_object().unwrap().values().next().unwrap();
        assert_eq!(key["apiKeyName"], "Grace.h Test API Key");
    }
    let named = json!({ "ownerEmail": "grace@example.com", "name": "Grace" });
    let data = app.call("operator.workspace_create", named).await.data();
    assert_eq!(data["name"], "Grace workspace");
}

#[tokio::test]
async fn documents_of_the_first_key_are_closed_unless_the_call_opens_them() {
    let app = App::start().await;
    for (sent, expected) in [
        (json!({}), "organizationPrivate"),
        (json!({ "defaultDocumentAccessType": null }), "organizationPrivate"),
        (json!({ "defaultDocumentAccessType": "public" }), "public"),
        (json!({ "defaultDocumentAccessType": "restricted" }), "restricted"),
    ] {
        let mut sent = sent;
        sent["ownerEmail"] = json!("ada@example.com");
        let made = app.call("operator.workspace_create", sent).await.data();
        let id = made["apiKeyList"].as_object().unwrap().keys().next().unwrap();
        let items = app.embedded().dump(&roundtable::table_name(Table::Resources)).unwrap();
        let of_key = format!("key#{id}");
        let stored = items.iter().find(|item| item["PK"]["S"] == of_key.as_str()).unwrap();
        let stored = &stored["settings"]["M"]["defaultDocumentAccessType"]["S"];
        assert_eq!(stored, expected, "it is stored, not implied");
    }
    let sent = json!({ "ownerEmail": "ada@example.com", "defaultDocumentAccessType": "open" });
    app.call("operator.workspace_create", sent).await.error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn two_workspaces_share_nothing() {
    let app = App::start().await;
    let sent = json!({ "ownerEmail": "ada@example.com" });
    let one = app.call("operator.workspace_create", sent.clone()).await.data();
    let other = app.call("operator.workspace_create", sent).await.data();
    for member in ["id", "authToken", "apiKeyList"] {
        assert_ne!(one[member], other[member], "{member}");
    }
    assert_ne!(one["owner"]["id"], other["owner"]["id"]);
}

#[tokio::test]
async fn only_the_operator_creates_workspaces_and_others_are_refused_whatever_the_body() {
    let app = App::start().await;
    let own = [
        ("x-service-workspace-id", app.workspace.id.as_str()),
        ("x-service-workspace-auth-token", app.workspace.token.as_str()),
    ];
    for body in [r#"{"data":{"ownerEmail":"ada@example.com"}}"#, r#"{"data":{}}"#, "{"] {
        let headers: [&[(&str, &str)]; 4] =
            [&[], &[("x-service-admin-token", "")], &[("x-service-admin-token", "guess")], &own];
        for headers in headers {
            let refused = app.send("/v2/workspace/create", body, headers).await;
            refused.error("PERMISSION_DENIED");
        }
    }
}

#[tokio::test]
async fn a_refusal_names_the_field() {
    let app = App::start().await;
    let long = |n: usize| "x".repeat(n);
    let url = |n: usize| format!("https://{}", "x".repeat(n - 8));
    for (member, value) in [
        ("ownerEmail", json!("ada")),
        ("ownerEmail", json!("")),
        ("ownerEmail", json!(7)),
        ("ownerEmail", json!("Ada <ada@example.com>")),
        ("name", json!("")),
        ("name", json!("  ")),
        ("name", json!(long(201))),
        ("workspaceName", json!("")),
        ("workspaceName", json!(long(201))),
        ("avatar", json!(url(2001))),
        ("avatar", json!("ada.png")),
        ("plan", json!("gold")),
        ("plan", json!("Paid")),
        ("selfServeProductionKeys", json!("true")),
        ("maxProductionKeys", json!(-1)),
        ("maxProductionKeys", json!(1001)),
        ("maxProductionKeys", json!(1.5)),
        ("maxProductionKeys", json!("10")),
    ] {
        let mut sent = json!({ "ownerEmail": "ada@example.com" });
        sent[member] = value.clone();
        let error = app.call("operator.workspace_create", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), format!("data.{member}"), "{value}");
    }
    let error = app.call("operator.workspace_create", json!({})).await.error("INVALID_ARGUMENT");
    assert_eq!(field(&error), "data.ownerEmail");

    for (member, value) in [
        ("name", json!(long(200))),
        ("workspaceName", json!(long(200))),
        ("avatar", json!(url(2000))),
        ("avatar", json!("")),
        ("plan", json!("free")),
        ("maxProductionKeys", json!(0)),
        ("maxProductionKeys", json!(1000)),
        ("maxProductionKeys", json!(10.0)),
    ] {
        let mut sent = json!({ "ownerEmail": "ada@example.com" });
        sent[member] = value;
        app.call("operator.workspace_create", sent).await.ok();
    }
}

#[tokio::test]
async fn the_token_of_the_workspace_is_not_stored() {
    let app = App::start().await;
    let items = app.embedded().dump(&roundtable::table_name(Table::Resources)).unwrap();
    let stored = json!(items).to_string();
    assert!(stored.contains(&app.workspace.id));
    assert!(!stored.contains(&app.workspace.token));
    assert!(!stored.contains(&app.key.auth_token));
}
