//! `/v2/workspace/apikey/create`.

use futures_util::future::join_all;
use serde_json::{Value, json};
use service::Table;

use super::field;
use crate::app::{App, Credentials};

fn testing() -> Value {
    json!({ "ownerEmail": "ada@example.com", "type": "testing" })
}

fn production() -> Value {
    json!({ "ownerEmail": "ada@example.com", "type": "production" })
}

fn with(mut sent: Value, members: Value) -> Value {
    for (name, member) in members.as_object().unwrap() {
        sent[name] = member.clone();
    }
    sent
}

async fn create(app: &App, sent: Value) -> String {
    let data = app.call("workspace.api_key_create", sent).await.data();
    data["apiKey"].as_str().unwrap().to_owned()
}

/// A stored configuration.
fn stored(app: &App, api_key: &str, name: &str) -> Option<Value> {
    let key = Credentials { api_key: api_key.to_owned(), auth_token: String::new() };
    let items = app.items_of(Table::Resources, &key);
    let place =
        if name == "webhook" { "webhook#urls".to_owned() } else { format!("config#{name}") };
    items.into_iter().find(|item| item["SK"]["S"] == place)
}

#[tokio::test]
async fn the_key_in_the_reply_can_be_used_and_is_listed() {
    let app = App::start().await;
    let sent = with(testing(), json!({ "apiKeyName": "Playground", "createAuthToken": true }));
    let api_key = create(&app, sent).await;
    let tokens = app.call("workspace.auth_tokens_get", json!({ "apiKey": api_key })).await.data();
    let token = &tokens["authTokens"][0];
    assert_eq!(token["name"], "Default Auth Token");
    assert_eq!(token["domains"], json!([]));
    let auth_token = token["token"].as_str().unwrap().to_owned();
    let key = Credentials { api_key: api_key.clone(), auth_token };
    let config = app.call_as(&key, "workspace.api_key_config_get", json!({})).await.data();
    assert_eq!(config["ownerEmail"], "ada@example.com");
    assert_eq!(config["isPrivateCommentsEnabled"], false);
    let listed = app.call("workspace.api_keys_get", json!({ "apiKeys": [api_key] })).await.data();
    let expected = json!([{ "id": api_key, "apiKeyName": "Playground", "type": "testing" }]);
    assert_eq!(listed, expected);
}

#[tokio::test]
async fn members_decide_the_settings_of_the_key() {
    let app = App::start().await;
    let sent = with(
        production(),
        json!({
            "createAuthToken": true, "requireAutoOrgUser": true, "enablePrivateComments": true,
            "allowedDomains": ["https://www.example.com/x", "*.example.org", "example.com"],
            "addLocalHostToAllowedDomains": true, "persistenceDBRegion": "eu-central-1",
            "realtimeDBRegion": "eur3", "apiKeyName": null, "unknown": [],
            "defaultDocumentAccessType": "restricted",
        }),
    );
    let api_key = create(&app, sent).await;
    let tokens = app.call("workspace.auth_tokens_get", json!({ "apiKey": api_key })).await.data();
    let auth_token = tokens["authTokens"][0]["token"].as_str().unwrap().to_owned();
    let key = Credentials { api_key: api_key.clone(), auth_token };
    let config = app.call_as(&key, "workspace.api_key_config_get", json!({})).await.data();
    assert_eq!(config["requireAutoOrgUser"], true);
    assert_eq!(config["isPrivateCommentsEnabled"], true);
    assert_eq!(config["defaultDocumentAccessType"], "restricted");
    let domains = app.call_as(&key, "workspace.domains_get", json!({})).await.data();
    let expected = ["example.com", "*.example.org", "localhost", "127.0.0.1"];
    assert_eq!(domains["allowedDomains"], json!(expected));
    let listed = app.call("workspace.api_keys_get", json!({ "apiKeys": [api_key] })).await.data();
    assert_eq!(listed[0]["apiKeyName"], "Ada Production API Key");
    assert_eq!(listed[0]["type"], "production");
}

/// Contract `workspace.auth_tokens_get`.
#[tokio::test]
async fn without_create_auth_token_the_key_has_no_token() {
    let app = App::start().await;
    for sent in [json!({}), json!({ "createAuthToken": false }), json!({ "createAuthToken": null })]
    {
        let api_key = create(&app, with(testing(), sent)).await;
        let tokens = app.call("workspace.auth_tokens_get", json!({ "apiKey": api_key })).await;
        assert_eq!(tokens.data()["authTokens"], json!([]));
    }
}

#[tokio::test]
async fn a_refusal_names_the_field() {
    let app = App::start().await;
    let domains = |n: usize| (0..n).map(|n| format!("h{n}.example.com")).collect::<Vec<_>>();
    for (member, value, path) in [
        ("ownerEmail", json!(null), "ownerEmail"),
        ("ownerEmail", json!("ada@localhost"), "ownerEmail"),
        ("type", json!(null), "type"),
        ("type", json!("development"), "type"),
        ("type", json!("Production"), "type"),
        ("persistenceDBRegion", json!(""), "persistenceDBRegion"),
        ("persistenceDBRegion", json!("moon-1"), "persistenceDBRegion"),
        ("persistenceDBRegion", json!(1), "persistenceDBRegion"),
        ("realtimeDBRegion", json!(""), "realtimeDBRegion"),
        ("realtimeDBRegion", json!("moon-1"), "realtimeDBRegion"),
        ("createAuthToken", json!("yes"), "createAuthToken"),
        ("apiKeyName", json!(" "), "apiKeyName"),
        ("allowedDomains", json!("example.com"), "allowedDomains"),
        ("allowedDomains", json!(["example.com", "a b"]), "allowedDomains.1"),
        ("allowedDomains", json!(domains(101)), "allowedDomains"),
        ("useEmailService", json!(1), "useEmailService"),
        ("emailServiceConfig", json!([]), "emailServiceConfig"),
        ("emailServiceConfig", json!({ "type": "smtp" }), "emailServiceConfig.type"),
        ("emailServiceConfig", json!({ "apiKey": 1 }), "emailServiceConfig.apiKey"),
        (
            "webhookServiceConfig",
            json!({ "rawNotificationUrl": "ftp://x" }),
            "webhookServiceConfig.rawNotificationUrl",
        ),
    ] {
        let mut sent = with(production(), json!({}));
        sent[member] = value.clone();
        let refused = app.call("workspace.api_key_create", sent).await;
        assert_eq!(field(&refused.error("INVALID_ARGUMENT")), format!("data.{path}"), "{value}");
    }
    create(&app, with(production(), json!({ "allowedDomains": domains(100) }))).await;
    // Nothing refused was counted.
    let rights =
        app.call("operator.workspace_update", json!({ "id": app.workspace.id })).await.data();
    assert_eq!(rights["productionKeys"], 1);
}

#[tokio::test]
async fn a_persistence_region_is_for_production_keys_only() {
    let app = App::start().await;
    let sent = with(testing(), json!({ "persistenceDBRegion": "eu-central-1" }));
    let error = app.call("workspace.api_key_create", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(field(&error), "data.persistenceDBRegion");
    create(&app, with(testing(), json!({ "persistenceDBRegion": null }))).await;
    create(&app, with(testing(), json!({ "realtimeDBRegion": "eu-central-1" }))).await;
    for region in ["us-east-1", "nam5", "eur3"] {
        create(&app, with(production(), json!({ "persistenceDBRegion": region }))).await;
    }
}

#[tokio::test]
async fn arguments_are_checked_before_self_service_then_plan_then_maximum() {
    let app = App::start().await;
    let update = |change: Value| {
        app.call("operator.workspace_update", with(json!({ "id": app.workspace.id }), change))
    };
    let invalid = with(production(), json!({ "realtimeDBRegion": "" }));
    let nothing =
        json!({ "plan": "free", "selfServeProductionKeys": false, "maxProductionKeys": 0 });
    update(nothing).await.ok();
    app.call("workspace.api_key_create", invalid).await.error("INVALID_ARGUMENT");
    app.call("workspace.api_key_create", production()).await.error("PERMISSION_DENIED");
    update(json!({ "selfServeProductionKeys": true })).await.ok();
    app.call("workspace.api_key_create", production()).await.error("FAILED_PRECONDITION");
    update(json!({ "plan": "paid" })).await.ok();
    app.call("workspace.api_key_create", production()).await.error("RESOURCE_EXHAUSTED");
    // None of it concerns testing keys.
    let nothing = json!({ "plan": "free", "selfServeProductionKeys": false });
    update(nothing).await.ok();
    create(&app, testing()).await;
}

#[tokio::test]
async fn a_production_key_needs_self_service() {
    let app = App::start().await;
    let sent = json!({ "id": app.workspace.id, "selfServeProductionKeys": false });
    app.call("operator.workspace_update", sent).await.ok();
    app.call("workspace.api_key_create", production()).await.error("PERMISSION_DENIED");
    create(&app, testing()).await;
}

#[tokio::test]
async fn a_production_key_needs_a_paid_plan() {
    let app = App::start().await;
    let sent = json!({ "id": app.workspace.id, "plan": "free" });
    app.call("operator.workspace_update", sent).await.ok();
    app.call("workspace.api_key_create", production()).await.error("FAILED_PRECONDITION");
    create(&app, testing()).await;
}

#[tokio::test]
async fn simultaneous_calls_cannot_exceed_the_maximum() {
    let app = App::start().await;
    // One below the maximum of ten.
    for _ in 0..9 {
        create(&app, production()).await;
    }
    let calls = (0..50).map(|_| app.call("workspace.api_key_create", production()));
    let replies = join_all(calls).await;
    let created = replies.iter().filter(|reply| reply.status() == 200).count();
    assert_eq!(created, 1);
    for refused in replies.iter().filter(|reply| reply.status() != 200) {
        refused.error("RESOURCE_EXHAUSTED");
    }
    let keys = app.call("workspace.api_keys_get", json!({})).await.data();
    assert_eq!(keys.as_array().unwrap().len(), 11);
    let rights =
        app.call("operator.workspace_update", json!({ "id": app.workspace.id })).await.data();
    assert_eq!(rights["productionKeys"], 10);
}

#[tokio::test]
async fn default_triggers_are_seeded_only_when_asked_for() {
    let app = App::start().await;
    let switches = json!({
        "useEmailService": true, "useNotificationService": true, "useWebhookService": true,
    });
    let plain = create(&app, with(testing(), switches.clone())).await;
    let email = stored(&app, &plain, "email").unwrap();
    assert_eq!(email["useEmailService"]["BOOL"], true);
    assert!(email["emailServiceConfig"]["M"]["triggers"]["M"].is_null(), "{email}");
    let notification = stored(&app, &plain, "notification").unwrap();
    assert_eq!(notification["useNotificationService"]["BOOL"], true);
    assert!(notification["notificationServiceConfig"]["M"]["triggers"]["M"].is_null());
    assert_eq!(stored(&app, &plain, "webhook").unwrap()["useWebhookService"]["BOOL"], true);

    let seeds = json!({ "setDefaultEmailTriggers": true, "setDefaultNotificationTriggers": true });
    let seeded = create(&app, with(with(testing(), switches), seeds.clone())).await;
    let email = stored(&app, &seeded, "email").unwrap()["emailServiceConfig"]["M"].take();
    assert_eq!(email["type"]["S"], "custom");
    let triggers = email["triggers"]["M"].as_object().unwrap();
    assert_eq!(triggers.len(), 18);
    assert_eq!(triggers["comment_annotation.add"]["BOOL"], true);
    assert_eq!(triggers["huddle.join"]["BOOL"], true);
    let notification = stored(&app, &seeded, "notification").unwrap();
    let groups = &notification["notificationServiceConfig"]["M"]["triggers"]["M"];
    assert_eq!(groups["comment"]["M"].as_object().unwrap().len(), 16);
    assert_eq!(groups["huddle"]["M"]["created"]["BOOL"], true);

    // The flags alone switch nothing on.
    let flags = create(&app, with(testing(), seeds)).await;
    for name in ["email", "webhook", "notification"] {
        assert!(stored(&app, &flags, name).is_none(), "{name}");
    }
}

#[tokio::test]
async fn the_email_type_sent_overrides_the_default_and_type_custom_enables_emails() {
    let app = App::start().await;
    let email = |members: Value| async {
        let api_key = create(&app, with(testing(), members)).await;
        stored(&app, &api_key, "email").unwrap()
    };
    let sent = json!({
        "useEmailService": true, "setDefaultEmailTriggers": true, "emailServiceConfig": {
            "type": "thirdparty", "apiKey": "SG.x", "fromEmail": "a@example.com",
        },
    });
    let config = email(sent).await;
    assert_eq!(config["emailServiceConfig"]["M"]["type"]["S"], "thirdparty");
    let config = email(json!({ "emailServiceConfig": { "type": "custom" } })).await;
    assert_eq!(config["useEmailService"]["BOOL"], true);
    let config = email(json!({ "emailServiceConfig": { "fromCompany": "Acme" } })).await;
    assert_eq!(config["useEmailService"]["BOOL"], false);
    assert_eq!(config["emailServiceConfig"]["M"]["fromCompany"]["S"], "Acme");
}

#[tokio::test]
async fn keys_at_providers_are_sealed_at_rest() {
    let app = App::start().await;
    let sent = json!({
        "emailServiceConfig": { "type": "thirdparty", "apiKey": "SG.hunter2" },
        "webhookServiceConfig": { "authToken": "hunter3", "rawNotificationUrl": "https://example.com/raw" },
    });
    let api_key = create(&app, with(testing(), sent)).await;
    let (email, webhook) =
        (stored(&app, &api_key, "email").unwrap(), stored(&app, &api_key, "webhook").unwrap());
    assert!(email["emailServiceConfig"]["M"]["apiKey"]["S"].is_string());
    assert!(webhook["webhookServiceConfig"]["M"]["authToken"]["S"].is_string());
    assert!(webhook.to_string().contains("https://example.com/raw"));
    for secret in ["hunter2", "hunter3"] {
        assert!(!json!([email, webhook]).to_string().contains(secret));
    }
}

#[tokio::test]
async fn wrong_credentials_never_learn_whether_the_body_was_valid() {
    let app = App::start().await;
    let headers = [
        ("x-service-workspace-id", app.workspace.id.as_str()),
        ("x-service-workspace-auth-token", "wst_guess"),
    ];
    for body in [json!({ "data": testing() }).to_string(), "{".to_owned()] {
        let refused = app.send("/v2/workspace/apikey/create", body, &headers).await;
        refused.error("PERMISSION_DENIED");
    }
}

#[tokio::test]
async fn a_workspace_has_at_most_100_testing_keys_however_many_are_created_at_once() {
    let app = App::start().await;
    let calls = (0..110).map(|_| app.call("workspace.api_key_create", testing()));
    let replies = join_all(calls).await;
    let created = replies.iter().filter(|reply| reply.status() == 200).count();
    assert_eq!(created, 99, "one came with the workspace");
    app.call("workspace.api_key_create", testing()).await.error("RESOURCE_EXHAUSTED");
    let workspace = app.call("workspace.get", json!({})).await.data();
    assert_eq!(workspace["apiKeyList"].as_object().unwrap().len(), 100);
    create(&app, production()).await;
}
