//! Functions without shared memory, as in Lambda: each caches a key for ten seconds, and refuses no
//! call because of the cache.

use crate::schedule::test_clock_advance::with_delay as with_delay_of;
use std::time::Duration;

use serde_json::{Value, json};

use crate::app::{App, Credentials, Options};

async fn start() -> App {
    App::start_with(Options { is_separate: true, ..Options::default() }).await
}

/// A key with a cached record: that of a testing key is read for each call.
async fn production(app: &App) -> Credentials {
    let sent = json!({
        "ownerEmail": "owner@example.com", "type": "production", "createAuthToken": true,
    });
    let created = app.call("workspace.api_key_create", sent).await.data();
    let api_key = created["apiKey"].as_str().unwrap().to_owned();
    let tokens = app.call("workspace.auth_tokens_get", json!({ "apiKey": api_key })).await.data();
    let auth_token = tokens["authTokens"][0]["token"].as_str().unwrap().to_owned();
    Credentials { api_key, auth_token }
}

/// The key with a new token.
async fn reset(app: &App, key: &Credentials) -> Credentials {
    let sent = json!({ "apiKey": key.api_key });
    let reset = app.call("workspace.auth_token_reset", sent).await.data();
    let auth_token = reset["newAuthToken"]["token"].as_str().unwrap().to_owned();
    Credentials { auth_token, ..key.clone() }
}

/// Calls an operation that reads only the key.
async fn knock(app: &App, key: &Credentials) -> crate::app::Reply {
    app.call_as(key, "workspace.domains_get", json!({})).await
}

#[tokio::test]
async fn a_reset_token_works_at_once_where_the_old_key_is_cached() {
    let app = start().await;
    let key = production(&app).await;
    knock(&app, &key).await.ok();
    let new = reset(&app, &key).await;
    knock(&app, &new).await.ok();
    knock(&app, &key).await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn user_tokens_issued_with_the_old_auth_token_end_within_eleven_seconds_of_the_reset() {
    let app = start().await;
    let key = production(&app).await;
    let asked = json!({
        "userId": "eve", "userProperties": { "name": "Eve", "email": "eve@example.com" },
        "permissions": { "resources": [] },
    });
    let issued = async |key: &Credentials| {
        let issued = app.call_as(key, "users.generate_token", asked.clone()).await;
        issued.data()["token"].as_str().unwrap().to_owned()
    };
    let read = async |token: &str| {
        let sent = json!({ "organizationId": "acme", "documentId": "d" });
        app.caller().end_user(token).call("live-state.get", sent).await
    };
    issued(&key).await;
    let new = reset(&app, &key).await;
    app.advance(Duration::from_secs(5));
    let stolen = issued(&key).await;
    let own = issued(&new).await;
    app.advance(Duration::from_secs(6));
    read(&stolen).await.error("PERMISSION_DENIED");
    read(&own).await.error("NOT_FOUND");

    // Two resets of one moment are two.
    let one = reset(&app, &new).await;
    let between = issued(&one).await;
    let two = reset(&app, &one).await;
    let last = issued(&two).await;
    app.advance(Duration::from_secs(11));
    read(&between).await.error("PERMISSION_DENIED");
    read(&last).await.error("NOT_FOUND");
}

#[tokio::test]
async fn a_key_that_is_enabled_again_works_within_a_second() {
    let app = start().await;
    let key = production(&app).await;
    let disable = |disabled: bool| {
        let sent = json!({ "apiKey": key.api_key, "disabled": disabled });
        app.call("workspace.api_key_update", sent)
    };
    disable(true).await.ok();
    knock(&app, &key).await.error("PERMISSION_DENIED");
    disable(false).await.ok();
    knock(&app, &key).await.ok();
}

#[tokio::test]
async fn a_token_that_is_refused_costs_a_read_a_second_at_most() {
    let app = start().await;
    let key = production(&app).await;
    reset(&app, &key).await;
    knock(&app, &key).await.error("PERMISSION_DENIED");
    knock(&app, &key).await.error("PERMISSION_DENIED");
    app.forget_calls();
    for _ in 0..5 {
        knock(&app, &key).await.error("PERMISSION_DENIED");
    }
    let reads = || app.calls().len();
    assert!(reads() <= 1, "{} reads", reads());
    app.advance(Duration::from_secs(2));
    app.forget_calls();
    knock(&app, &key).await.error("PERMISSION_DENIED");
    assert_eq!(reads(), 1);
}

/// A deployment where the user `bob` is notified after 900 seconds.
async fn with_delay() -> App {
    let app = start().await;
    with_delay_of(&app, &app.key, 900).await;
    app
}

async fn say(app: &App) {
    let comment = json!({
        "from": { "userId": "ada" }, "commentText": "x", "triggerNotification": true,
    });
    let sent = json!({
        "organizationId": "acme", "documentId": "d",
        "commentAnnotations": [{ "commentData": [comment] }],
    });
    app.call("comments.annotations_add", sent).await.ok();
}

async fn move_clock(app: &App, seconds: u64) {
    app.call("schedule.test_clock_advance", json!({ "seconds": seconds })).await.ok();
}

async fn notices(app: &App) -> usize {
    let sent = json!({ "organizationId": "acme", "userId": "bob" });
    let data = app.call("notifications.get", sent).await.data();
    data.as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn advancing_the_clock_releases_notifications_due_at_the_new_time() {
    let app = with_delay().await;
    say(&app).await;
    app.settle().await;
    assert_eq!(notices(&app).await, 0);
    move_clock(&app, 901).await;
    app.settle().await;
    assert_eq!(notices(&app).await, 1, "workers believe the time of before");
}

#[tokio::test]
async fn a_notification_armed_at_the_old_time_is_released_within_15_seconds_of_an_advance() {
    let app = with_delay().await;
    say(&app).await;
    app.settle().await;
    // Due timers fire before the second event is processed.
    say(&app).await;
    move_clock(&app, 901).await;
    app.settle().await;
    assert_eq!(notices(&app).await, 1);
    app.advance(Duration::from_secs(15));
    app.settle().await;
    assert_eq!(notices(&app).await, 2);
}

#[tokio::test]
async fn a_retry_of_a_webhook_is_made_when_the_clock_is_moved() {
    let app = start().await;
    let receiver = crate::app::receiver::Receiver::start(&app).await;
    receiver.answer(crate::app::receiver::Answer::status(500));
    app.call("configuration.advanced_webhooks_update", json!({ "isEnabled": true })).await.ok();
    app.call("webhook-endpoints.create", json!({ "url": receiver.url })).await.ok();
    app.advance(Duration::from_millis(1));
    let documents = json!({
        "organizationId": "acme", "createOrganization": true,
        "documents": [{ "documentId": "d" }],
    });
    app.call("documents.add", documents).await.ok();
    say(&app).await;
    app.settle().await;
    app.advance(Duration::from_secs(7));
    app.settle().await;
    let before = receiver.take().len();
    assert!(before > 0);
    move_clock(&app, 3600).await;
    app.settle().await;
    assert!(receiver.count() > 0, "the third attempt");
}

#[tokio::test]
async fn presence_ends_at_once_when_the_clock_is_moved() {
    let app = start().await;
    let at = json!({ "organizationId": "o", "documentId": "d" });
    let mut sent = at.clone();
    sent["users"] = json!([{ "userId": "ada" }]);
    app.call("presence.add", sent).await.ok();
    let present = async || -> Value { app.call("presence.get", at.clone()).await.data() };
    assert_eq!(present().await.as_array().map(Vec::len), Some(1));
    move_clock(&app, 2 * 24 * 3600).await;
    assert_eq!(present().await, json!([]));
}
