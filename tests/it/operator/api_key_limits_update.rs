//! `/v2/workspace/apikey/limits/update`, and the limits.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use service::{Limits, Table};

use crate::{
    app::{ADMIN_TOKEN, App, Credentials, Options, Reply},
    schedule::put,
};

async fn limit(app: &App, key: &Credentials, mut limits: Value) -> Value {
    limits["apiKey"] = json!(key.api_key);
    let data = app.call("operator.api_key_limits_update", limits).await.data();
    app.advance(Duration::from_secs(11));
    data
}

async fn write(app: &App, key: &Credentials) -> Reply {
    app.call_as(key, "workspace.domains_add", json!({ "domains": ["example.com"] })).await
}

async fn read(app: &App, key: &Credentials) -> Reply {
    app.call_as(key, "workspace.domains_get", json!({})).await
}

#[tokio::test]
async fn members_left_out_keep_their_values() {
    let app = App::start().await;
    let data = limit(&app, &app.key, json!({ "readsPerSecond": 5 })).await;
    let mut expected = json!({ "apiKey": app.key.api_key, "readsPerSecond": 5,
        "writesPerSecond": null, "deliveriesPerSecond": null, "mailsPerDay": null,
        "editorsPerDocument": null });
    assert_eq!(data, expected);
    expected["mailsPerDay"] = json!(7);
    assert_eq!(limit(&app, &app.key, json!({ "mailsPerDay": 7 })).await, expected);
    let unknown = json!({ "apiKey": "rt_none", "mailsPerDay": 7 });
    app.call("operator.api_key_limits_update", unknown).await.error("NOT_FOUND");
}

#[tokio::test]
async fn null_returns_to_the_default_of_the_deployment() {
    let app = App::start_with(Options {
        limits: Limits { reads_per_second: Some(7), ..Limits::default() },
        ..Options::default()
    })
    .await;
    let policy = async || read(&app, &app.key).await.header("ratelimit-policy");
    let all = json!({ "readsPerSecond": 5, "writesPerSecond": 6, "deliveriesPerSecond": 7,
        "mailsPerDay": 8, "editorsPerDocument": 9 });
    limit(&app, &app.key, all).await;
    assert_eq!(policy().await.as_deref(), Some("\"reads\";q=50;w=10"));
    let data = limit(&app, &app.key, json!({ "readsPerSecond": null })).await;
    assert_eq!((&data["readsPerSecond"], &data["writesPerSecond"]), (&json!(null), &json!(6)));
    assert_eq!(policy().await.as_deref(), Some("\"reads\";q=70;w=10"));
    let rest = json!({ "writesPerSecond": null, "deliveriesPerSecond": null, "mailsPerDay": null,
        "editorsPerDocument": null });
    let data = limit(&app, &app.key, rest).await;
    assert!(data.as_object().unwrap().values().filter(|limit| limit.is_null()).count() == 5);
}

#[tokio::test]
async fn replies_without_a_limit_have_no_ratelimit_header() {
    let app = App::start().await;
    assert_eq!(read(&app, &app.key).await.header("ratelimit"), None);
    limit(&app, &app.key, json!({ "readsPerSecond": 0 })).await;
    assert_eq!(read(&app, &app.key).await.header("ratelimit"), None);
}

#[tokio::test]
async fn a_flood_of_one_tenant_is_refused_and_the_calls_of_others_go_on() {
    let app = App::start().await;
    let other = app.second_key().await;
    limit(&app, &app.key, json!({ "writesPerSecond": 1 })).await;
    let first = write(&app, &app.key).await;
    first.ok();
    assert_eq!(first.header("ratelimit-policy").as_deref(), Some("\"writes\";q=10;w=10"));
    assert!(first.header("ratelimit").is_some_and(|it| it == "\"writes\";r=9;t=9"));
    assert_eq!(first.header("retry-after"), None);
    let mut refused = None;
    for _ in 0..40 {
        let reply = write(&app, &app.key).await;
        write(&app, &other).await.ok();
        if reply.status() == 429 {
            refused = Some(reply);
            break;
        }
    }
    let refused = refused.expect("more than 10 at once are too many");
    refused.error("RESOURCE_EXHAUSTED");
    assert_eq!(refused.header("retry-after").as_deref(), Some("1"));
    assert_eq!(refused.header("ratelimit").as_deref(), Some("\"writes\";r=0;t=1"));
    read(&app, &app.key).await.ok();
    app.advance(Duration::from_secs(2));
    write(&app, &app.key).await.ok();
}

#[tokio::test]
async fn a_call_takes_a_token_for_each_50_units_that_it_consumes() {
    let app = App::start().await;
    limit(&app, &app.key, json!({ "writesPerSecond": 3 })).await;
    let add = async |call: usize| {
        let folder = |n| json!({ "folderId": format!("f{call}-{n}") });
        let folders: Vec<Value> = (0..300).map(folder).collect();
        let sent = json!({ "organizationId": "o", "createOrganization": true, "folders": folders });
        app.call("folders.add", sent).await
    };
    let first = add(0).await;
    first.ok();
    let consumed = first.header("x-consumed-units").expect("units");
    let units: f64 = consumed
        .split(", ")
        .map(|part| part.split_once('=').unwrap().1.parse::<f64>().unwrap())
        .sum();
    assert!(units >= 600.0, "an item and a row of an index each: {consumed}");
    let state = first.header("ratelimit").expect("a state");
    let remaining: u64 =
        state.strip_prefix("\"writes\";r=").unwrap().split(';').next().unwrap().parse().unwrap();
    let taken = 30 - remaining;
    assert!((12..=15).contains(&taken), "{state} after {consumed}");
    let mut calls = 1;
    while add(calls).await.status() == 200 {
        calls += 1;
        assert!(calls < 6, "the bucket holds 30 tokens, and refills 3 in a second");
    }
    assert!(calls >= 2, "{calls}");
    let refused = add(calls).await;
    refused.error("RESOURCE_EXHAUSTED");
    let wait: u64 = refused.header("retry-after").expect("a time").parse().unwrap();
    app.advance(Duration::from_secs(wait));
    write(&app, &app.key).await.ok();
}

#[tokio::test]
async fn processes_share_a_limit_and_little_use_writes_no_shared_row() {
    let app = App::start().await;
    limit(&app, &app.key, json!({ "readsPerSecond": 10 })).await;
    let shared = || {
        let items = app.embedded().dump(&roundtable::table_name(Table::Schedule)).unwrap();
        let is_limit =
            |it: &&Value| it["PK"]["S"].as_str().is_some_and(|pk| pk.starts_with("limit#"));
        items.iter().filter(is_limit).count()
    };
    let flood = async || {
        let replies = join_all((0..30).map(|_| read(&app, &app.key))).await;
        replies.into_iter().filter(|reply| reply.status() == 429).count()
    };
    read(&app, &app.key).await.ok();
    assert_eq!(shared(), 0, "a twentieth of 100 is not used yet");
    assert_eq!((flood().await, shared()), (0, 1));
    // Other processes used up what there was.
    let full = (app.now() + 11_000) * 1000;
    let item = json!({ "PK": { "S": format!("limit#{}", app.key.api_key) },
        "SK": { "S": "reads" }, "fullAt": { "N": full.to_string() } });
    put(&app, Table::Schedule, &item).await;
    assert!(flood().await > 0);
}

#[tokio::test]
async fn a_workspace_is_limited_like_a_key_and_the_operator_is_not_limited() {
    let limits =
        Limits { reads_per_second: Some(1), writes_per_second: Some(1), ..Limits::default() };
    let app = App::start_with(Options { limits, ..Options::default() }).await;
    let (other, _) = app.new_workspace().await;
    let first = app.call("workspace.get", json!({})).await;
    assert_eq!(first.header("ratelimit-policy").as_deref(), Some("\"reads\";q=10;w=10"));
    let flood: Vec<Reply> = join_all((0..40).map(|_| app.call("workspace.get", json!({})))).await;
    let refused = flood.iter().find(|reply| reply.status() == 429).expect("ten are served at once");
    refused.error("RESOURCE_EXHAUSTED");
    assert!(refused.header("retry-after").is_some());
    app.caller().workspace(&other).call("workspace.get", json!({})).await.ok();
    let operator = [
        ("x-service-admin-token", ADMIN_TOKEN),
        ("x-service-workspace-id", app.workspace.id.as_str()),
    ];
    let limits = json!({ "data": { "apiKey": app.key.api_key, "readsPerSecond": 5 } }).to_string();
    for _ in 0..20 {
        let path = "/v2/workspace/apikey/limits/update";
        let reply = app.send(path, limits.clone(), &operator).await;
        assert_eq!((reply.status(), reply.header("ratelimit")), (200, None));
        let path = "/v2/workspace/authtoken/rotate";
        let reply = app.send(path, "{\"data\":{}}", &operator).await;
        assert_eq!(reply.header("ratelimit"), None, "{}", reply.text());
    }
}
