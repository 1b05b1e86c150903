//! `/v2/workspace/authtoken/reset`.

use std::time::Duration;

use serde_json::json;
use service::Table;

use crate::{
    app::{App, Credentials},
    schedule::put,
};

#[tokio::test]
async fn without_a_grace_period_the_old_token_stops_working_and_the_new_token_works() {
    let app = App::start().await;
    let sent = json!({ "apiKey": app.key.api_key });
    let data = app.call("workspace.auth_token_reset", sent.clone()).await.data();
    assert_eq!(data["apiKey"], app.key.api_key.as_str());
    let token = &data["newAuthToken"];
    assert_eq!(token["name"], "Default Auth Token");
    assert_eq!(token["domains"], json!([]));
    let auth_token = token["token"].as_str().unwrap().to_owned();
    assert_ne!(auth_token, app.key.auth_token);

    // Another process may believe for ten seconds what it has read.
    app.advance(Duration::from_secs(11));
    app.call("workspace.domains_get", json!({})).await.error("PERMISSION_DENIED");
    let key = Credentials { api_key: app.key.api_key.clone(), auth_token };
    app.call_as(&key, "workspace.domains_get", json!({})).await.ok();
    let listed = app.call("workspace.auth_tokens_get", sent).await.data();
    assert_eq!(listed["authTokens"], json!([token]));
}

#[tokio::test]
async fn two_resets_in_a_row_issue_two_tokens() {
    let app = App::start().await;
    let sent = json!({ "apiKey": app.key.api_key });
    let one = app.call("workspace.auth_token_reset", sent.clone()).await.data();
    let two = app.call("workspace.auth_token_reset", sent).await.data();
    assert_ne!(one["newAuthToken"]["token"], two["newAuthToken"]["token"]);
}

#[tokio::test]
async fn a_key_without_a_token_gets_its_first_token() {
    let app = App::start().await;
    let sent = json!({ "ownerEmail": "ada@example.com", "type": "testing" });
    let created = app.call("workspace.api_key_create", sent).await.data();
    let api_key = created["apiKey"].as_str().unwrap().to_owned();
    let reset = app.call("workspace.auth_token_reset", json!({ "apiKey": api_key })).await.data();
    let auth_token = reset["newAuthToken"]["token"].as_str().unwrap().to_owned();
    let key = Credentials { api_key, auth_token };
    app.call_as(&key, "workspace.domains_get", json!({})).await.ok();
}

#[tokio::test]
async fn a_reset_of_one_key_keeps_the_tokens_of_other_keys() {
    let app = App::start().await;
    let second = app.second_key().await;
    app.call("workspace.auth_token_reset", json!({ "apiKey": second.api_key })).await.ok();
    app.advance(Duration::from_secs(11));
    app.call("workspace.domains_get", json!({})).await.ok();
}

#[tokio::test]
async fn a_key_of_another_workspace_is_not_found() {
    let app = App::start().await;
    let (_, foreign) = app.new_workspace().await;
    for api_key in [foreign.api_key.as_str(), "rt_none"] {
        let sent = json!({ "apiKey": api_key });
        app.call("workspace.auth_token_reset", sent).await.error("NOT_FOUND");
    }
    app.advance(Duration::from_secs(11));
    app.call_as(&foreign, "workspace.domains_get", json!({})).await.ok();
    app.call("workspace.auth_token_reset", json!({})).await.error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn with_a_grace_period_old_and_new_token_work_until_it_ends() {
    let app = App::start().await;
    let sent = json!({ "apiKey": app.key.api_key, "gracePeriodSeconds": 3600 });
    let reset = app.call("workspace.auth_token_reset", sent).await.data();
    let auth_token = reset["newAuthToken"]["token"].as_str().unwrap().to_owned();
    let new = Credentials { api_key: app.key.api_key.clone(), auth_token };
    app.advance(Duration::from_secs(3590));
    for key in [&app.key, &new] {
        app.call_as(key, "workspace.domains_get", json!({})).await.ok();
    }
    let sent = json!({ "apiKey": app.key.api_key });
    let listed = app.call("workspace.auth_tokens_get", sent.clone()).await.data();
    assert_eq!(listed["authTokens"][0], reset["newAuthToken"]);
    assert_eq!(listed["authTokens"][1]["token"], app.key.auth_token.as_str());
    assert!(listed["authTokens"][1]["expiresAt"].as_u64().unwrap() > app.now());
    app.advance(Duration::from_secs(11));
    app.call("workspace.domains_get", json!({})).await.error("PERMISSION_DENIED");
    app.call_as(&new, "workspace.domains_get", json!({})).await.ok();
    let listed = app.call("workspace.auth_tokens_get", sent).await.data();
    assert_eq!(listed["authTokens"], json!([reset["newAuthToken"]]));
}

#[tokio::test]
async fn a_reset_without_grace_ends_every_grace_period() {
    let app = App::start().await;
    let sent = json!({ "apiKey": app.key.api_key, "gracePeriodSeconds": 3600 });
    app.call("workspace.auth_token_reset", sent).await.ok();
    app.call("workspace.auth_token_reset", json!({ "apiKey": app.key.api_key })).await.ok();
    app.advance(Duration::from_secs(11));
    app.call("workspace.domains_get", json!({})).await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn at_most_five_old_tokens_work_and_a_grace_period_lasts_a_week_at_most() {
    let app = App::start().await;
    let reset = |grace: u64| {
        let sent = json!({ "apiKey": app.key.api_key, "gracePeriodSeconds": grace });
        app.call("workspace.auth_token_reset", sent)
    };
    for _ in 0..5 {
        reset(604_800).await.ok();
    }
    reset(1).await.error("RESOURCE_EXHAUSTED");
    reset(604_801).await.error("INVALID_ARGUMENT");
    reset(0).await.ok();
    reset(1).await.ok();
}

#[tokio::test]
async fn a_token_is_reset_although_the_record_of_its_key_is_full() {
    let app = App::start().await;
    app.call("workspace.domains_add", json!({ "domains": ["app.example.com"] })).await.ok();
    // An earlier version took so many domains that the record was full.
    let mut items = app.items_of(Table::Resources, &app.key).into_iter();
    let mut row = items.find(|item| item["allowedDomains"].is_object()).unwrap();
    let label = "x".repeat(60);
    let domains =
        (0..2070).map(|n| json!({ "S": format!("{n:04}.{label}.{label}.{label}.example") }));
    let own = [json!({ "S": "app.example.com" })].into_iter();
    row["allowedDomains"] = json!({ "L": own.chain(domains).collect::<Vec<_>>() });
    assert!(row.to_string().len() > 400 * 1024);
    put(&app, Table::Resources, &row).await;

    let sent = json!({ "apiKey": app.key.api_key });
    app.call("workspace.auth_tokens_get", sent.clone()).await.ok();
    let one_more = json!({ "domains": ["more.example.com"] });
    app.call("workspace.domains_add", one_more).await.error("RESOURCE_EXHAUSTED");
    let grace = json!({ "apiKey": app.key.api_key, "gracePeriodSeconds": 60 });
    for sent in [grace, sent.clone()] {
        app.call("workspace.auth_token_reset", sent).await.ok();
    }
    app.advance(Duration::from_secs(61));
    app.call("workspace.domains_get", json!({})).await.error("PERMISSION_DENIED");
    let tokens = app.call("workspace.auth_tokens_get", sent.clone()).await.data();
    let auth_token = tokens["authTokens"][0]["token"].as_str().unwrap().to_owned();
    let key = Credentials { api_key: app.key.api_key.clone(), auth_token };
    let listed = app.call_as(&key, "workspace.domains_get", json!({})).await.data();
    assert_eq!(listed["allowedDomains"][0], "app.example.com", "the first ones stay");
    app.call("workspace.api_key_delete", sent).await.ok();
}
