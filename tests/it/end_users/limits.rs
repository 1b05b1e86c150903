//! Rate limits of end users: beside those of the tenant's server, and shared fairly.

use std::time::Duration;

use embedded::{Effect, Fault};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{at, member, token, with_document};
use crate::app::{App, Reply};

/// A deployment with a document and a limit of reads per second.
async fn with_limit(reads_per_second: u64) -> App {
    let app = with_document().await;
    let limits = json!({ "apiKey": app.key.api_key, "readsPerSecond": reads_per_second });
    app.call("operator.api_key_limits_update", limits).await.ok();
    app.advance(Duration::from_secs(11));
    app
}

async fn read(app: &App, token: &str) -> Reply {
    app.caller().end_user(token).call("live-state.get", at(json!({}))).await
}

/// Makes concurrent reads; returns how many were not refused for their rate.
async fn served(app: &App, token: &str, calls: usize) -> usize {
    let replies = join_all((0..calls).map(|_| read(app, token))).await;
    replies.iter().filter(|reply| reply.status() != 429).count()
}

#[tokio::test]
async fn one_end_user_is_limited_to_a_tenth_and_others_and_the_server_are_not_affected() {
    let app = with_limit(20).await;
    let (mallory, ada) =
        (token(&app, "mallory", json!([])).await, member(&app, "ada", "viewer").await);
    let passed = served(&app, &mallory, 60).await;
    assert_eq!(passed, 20, "a tenth of 20 a second for ten seconds");
    let refused = read(&app, &mallory).await;
    refused.error("RESOURCE_EXHAUSTED");
    assert_eq!(refused.header("ratelimit-policy").as_deref(), Some("\"reads\";q=20;w=10"));
    assert_eq!(refused.header("retry-after").as_deref(), Some("1"));
    read(&app, &ada).await.ok();
    let own = app.call("live-state.get", at(json!({}))).await;
    own.ok();
    assert_eq!(own.header("ratelimit-policy").as_deref(), Some("\"reads\";q=200;w=10"));
    // Two tokens were made at the same time.
    assert_eq!(own.header("ratelimit").as_deref(), Some("\"reads\";r=197;t=10"));
}

#[tokio::test]
async fn all_end_users_together_share_one_limit_and_the_server_has_its_own() {
    let app = with_limit(2).await;
    let mut tokens = vec![];
    for user in 0..6 {
        tokens.push(token(&app, &format!("user-{user}"), json!([])).await);
    }
    let mut all = 0;
    for token in &tokens {
        all += served(&app, token, 12).await;
    }
    assert_eq!(all, 20, "two a second for ten seconds, of 72");
    app.call("live-state.get", at(json!({}))).await.ok();
}

#[tokio::test]
async fn end_users_are_refused_while_shared_limits_fail_and_the_server_is_served() {
    let app = with_limit(20).await;
    let ada = member(&app, "ada", "viewer").await;
    let fails =
        Fault { operation: "UpdateItem".into(), skip: 0, times: 1000, effect: Effect::Throttle };
    app.fault(fails);
    read(&app, &ada).await.error("UNAVAILABLE");
    read(&app, &ada).await.error("UNAVAILABLE");
    for _ in 0..15 {
        app.call("live-state.get", at(json!({}))).await.ok();
    }
    app.embedded().clear_faults();
    read(&app, &ada).await.ok();
}

#[tokio::test]
async fn the_reads_of_an_end_user_are_counted_in_a_row_that_processes_share() {
    let app = with_limit(20).await;
    let (_, second) = (member(&app, "ada", "viewer").await, token(&app, "ada", json!([])).await);
    let rows = || -> Vec<String> {
        let items = app.embedded().dump(&roundtable::table_name(service::Table::Schedule)).unwrap();
        let place = |item: &Value| item["PK"]["S"].as_str().unwrap_or_default().to_owned();
        items.iter().map(place).filter(|place| place.starts_with("limit#")).collect()
    };
    read(&app, &second).await.ok();
    let rows = rows();
    assert_eq!(rows.len(), 1, "a twentieth of 20 is one: {rows:?}");
    assert!(rows[0].ends_with("#part#end-users#part#ada"), "{rows:?}");
}
