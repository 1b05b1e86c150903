//! `schedule.test_clock_advance`.

use serde_json::{Value, json};

use crate::app::{App, Credentials};

async fn advance(app: &App, key: &Credentials, seconds: Value) -> Value {
    let sent = json!({ "seconds": seconds });
    let now = app.call_as(key, "schedule.test_clock_advance", sent).await.data()["now"].clone();
    app.settle().await;
    now
}

/// The clock of a key in an organization with the users `ada` and `bob` and a notification delay in
/// seconds.
pub(crate) async fn with_delay(app: &App, key: &Credentials, seconds: u64) {
    let delay = json!({ "isEnabled": true, "delaySeconds": seconds });
    for (operation, sent) in [
        (
            "documents.add",
            json!({
                "organizationId": "acme", "createOrganization": true,
                "documents": [{ "documentId": "d" }],
            }),
        ),
        (
            "users.add",
            json!({ "organizationId": "acme", "users": [{ "userId": "ada" }, { "userId": "bob" }] }),
        ),
        (
            "configuration.notifications_update",
            json!({
                "useNotificationService": true,
                "notificationServiceConfig": { "delayConfig": delay },
            }),
        ),
    ] {
        app.call_as(key, operation, sent).await.ok();
    }
}

async fn say(app: &App, key: &Credentials) {
    let comment = json!({
        "from": { "userId": "ada" }, "commentText": "x", "triggerNotification": true,
    });
    let sent = json!({
        "organizationId": "acme", "documentId": "d",
        "commentAnnotations": [{ "commentData": [comment] }],
    });
    app.call_as(key, "comments.annotations_add", sent).await.ok();
    app.settle().await;
}

async fn inbox(app: &App, key: &Credentials) -> Vec<Value> {
    let sent = json!({ "organizationId": "acme", "userId": "bob" });
    let data = app.call_as(key, "notifications.get", sent).await.data();
    data.as_array().unwrap().clone()
}

#[tokio::test]
async fn a_notification_delayed_by_six_months_appears_after_advances_of_six_months() {
    let app = App::start().await;
    let key = app.key.clone();
    with_delay(&app, &key, 15_552_000).await;
    say(&app, &key).await;
    let before = app.now();
    let now = advance(&app, &key, json!(15_551_000)).await.as_u64().unwrap();
    assert!(now >= before + 15_551_000_000 && now <= app.now() + 15_551_000_000);
    assert_eq!(inbox(&app, &key).await.len(), 0, "not early");
    advance(&app, &key, json!(1_001)).await;
    let [it] = inbox(&app, &key).await.try_into().unwrap();
    assert!(it["timestamp"].as_u64().unwrap() >= before + 15_552_000_000, "in its own time");
}

#[tokio::test]
async fn batch_windows_close_by_the_advanced_clock() {
    let app = App::start().await;
    let key = app.key.clone();
    with_delay(&app, &key, 10).await;
    let window = json!({ "isEnabled": true, "batchWindowSeconds": 604_800, "maxActivities": 50 });
    let sent = json!({ "notificationServiceConfig": { "batchConfig": { "user": window } } });
    app.call("configuration.notifications_update", sent).await.ok();
    say(&app, &key).await;
    say(&app, &key).await;
    advance(&app, &key, json!(11)).await;
    assert_eq!(inbox(&app, &key).await.len(), 0);
    advance(&app, &key, json!(604_800)).await;
    let [digest] = inbox(&app, &key).await.try_into().unwrap();
    assert_eq!(digest["notificationSourceData"]["batch"]["total"], 2);
}

#[tokio::test]
async fn second_cleanup_passes_and_mails_are_due_by_the_advanced_clock() {
    let app = App::start().await;
    let key = app.key.clone();
    with_delay(&app, &key, 10).await;
    crate::emails::set_up(&app).await;
    let bob = json!({ "userId": "bob", "email": "bob@example.com" });
    app.call("users.add", json!({ "organizationId": "acme", "users": [bob] })).await.ok();
    let window = json!({ "isEnabled": true, "batchWindowSeconds": 600, "maxActivities": 50 });
    let sent = json!({ "notificationServiceConfig": { "batchConfig": { "user": window } } });
    app.call("configuration.notifications_update", sent).await.ok();
    crate::emails::mention(&app, "d", "t", "x").await;
    let spare = json!({ "organizationId": "acme", "documents": [{ "documentId": "spare" }] });
    app.call("documents.add", spare).await.ok();
    let gone = json!({ "organizationId": "acme", "documentIds": ["spare"] });
    app.call("documents.delete", gone).await.ok();
    app.settle().await;
    assert!(app.mails().is_empty());
    let waiting = || super::rows(&app).iter().filter(|row| row["queue"]["S"] == "cleanup").count();
    assert_eq!(waiting(), 1);
    advance(&app, &key, json!(11)).await;
    advance(&app, &key, json!(1_300)).await;
    assert_eq!((app.mails().len(), waiting()), (1, 0));
}

#[tokio::test]
async fn advancing_the_clock_of_one_key_does_not_move_that_of_another() {
    let app = App::start().await;
    let (key, other) = (app.key.clone(), app.second_key().await);
    for key in [&key, &other] {
        with_delay(&app, key, 600).await;
        say(&app, key).await;
    }
    advance(&app, &key, json!(601)).await;
    assert_eq!((inbox(&app, &key).await.len(), inbox(&app, &other).await.len()), (1, 0));
}

#[tokio::test]
async fn the_time_of_a_production_key_cannot_be_moved() {
    let app = App::start().await;
    let sent = json!({
        "ownerEmail": "owner@example.com", "type": "production", "createAuthToken": true,
    });
    let created = app.call("workspace.api_key_create", sent).await.data();
    let api_key = created["apiKey"].as_str().unwrap().to_owned();
    let tokens = app.call("workspace.auth_tokens_get", json!({ "apiKey": api_key })).await.data();
    let auth_token = tokens["authTokens"][0]["token"].as_str().unwrap().to_owned();
    let production = Credentials { api_key, auth_token };
    let sent = json!({ "seconds": 1 });
    let refused = app.call_as(&production, "schedule.test_clock_advance", sent).await;
    refused.error("FAILED_PRECONDITION");
}

#[tokio::test]
async fn all_advances_together_are_a_century_at_most() {
    let app = App::start().await;
    let sent = json!({ "seconds": 31_536_000 });
    for _ in 0..100 {
        app.call("schedule.test_clock_advance", sent.clone()).await.ok();
    }
    app.call("schedule.test_clock_advance", sent).await.error("RESOURCE_EXHAUSTED");
}

#[tokio::test]
async fn seconds_are_an_integer_up_to_a_year() {
    let app = App::start().await;
    for seconds in
        [json!(0), json!(-1), json!(31_536_001), json!(1.5), json!("1"), json!(null), json!(true)]
    {
        let sent = json!({ "seconds": seconds });
        let error = app.call("schedule.test_clock_advance", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "seconds"]), "{seconds}");
    }
    let key = app.key.clone();
    for seconds in [json!(1), json!(10.0), json!(31_536_000)] {
        advance(&app, &key, seconds).await;
    }
}
