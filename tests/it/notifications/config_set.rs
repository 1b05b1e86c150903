//! `notifications.config_set`.

use serde_json::{Value, json};

use super::{merge, start, stored, wrong};
use crate::app::App;

async fn set(app: &App, members: Value) -> Value {
    let mut sent = json!({ "organizationId": "acme", "userIds": ["ada"] });
    merge(&mut sent, members);
    app.call("notifications.config_set", sent).await.data()
}

/// The preferences of ada for `d` and `e`, and for the organization.
async fn wanted(app: &App) -> Vec<Value> {
    let sent = json!({
        "organizationId": "acme", "userId": "ada", "documentIds": ["d", "e"],
        "getOrganizationConfig": true,
    });
    let data = app.call("notifications.config_get", sent).await.data();
    data.as_array().unwrap().iter().map(|it| it["config"].clone()).collect()
}

fn config(inbox: &str, email: &str, chat: &str) -> Value {
    json!({ "inbox": inbox, "email": email, "chat": chat })
}

#[tokio::test]
async fn the_reply_has_one_entry_for_each_user_with_the_first_document() {
    let app = start().await;
    let sent = json!({
        "documentIds": ["e", "d", "e"], "userIds": ["bob", "ada", "bob"],
        "config": { "inbox": "NONE" },
    });
    let data = set(&app, sent).await;
    assert_eq!(data.as_object().unwrap().len(), 2);
    for user in ["ada", "bob"] {
        let expected = json!({
            "success": true, "userId": user, "documentId": "e",
            "message": "User config set successfully.",
        });
        assert_eq!(data[user], expected);
    }
    assert_eq!(stored(&app, &["preference"]).len(), 4);
}

#[tokio::test]
async fn channels_left_out_keep_their_values() {
    let app = start().await;
    set(&app, json!({ "documentIds": ["d"], "config": config("MINE", "NONE", "ALL") })).await;
    set(&app, json!({ "documentIds": ["d"], "config": { "email": "ALL", "inbox": null } })).await;
    set(&app, json!({ "documentIds": ["d"], "config": {} })).await;
    let built_in = config("ALL", "MINE", "MINE");
    assert_eq!(wanted(&app).await, [config("MINE", "ALL", "ALL"), built_in.clone(), built_in]);
}

#[tokio::test]
async fn a_preference_without_documents_applies_to_channels_that_a_document_does_not_set() {
    let app = start().await;
    let data = set(&app, json!({ "config": { "inbox": "MINE", "email": "NONE" } })).await;
    assert_eq!(data["ada"].get("documentId"), None);
    set(&app, json!({ "documentIds": ["d"], "config": { "inbox": "NONE" } })).await;
    let organization = config("MINE", "NONE", "MINE");
    let document = config("NONE", "NONE", "MINE");
    assert_eq!(wanted(&app).await, [document, organization.clone(), organization]);
}

#[tokio::test]
async fn unknown_channels_and_empty_or_too_long_lists_are_refused_with_their_path() {
    let app = start().await;
    let call = |members: Value| {
        let mut sent = json!({
            "organizationId": "acme", "userIds": ["ada"], "documentIds": ["d"], "config": {},
        });
        merge(&mut sent, members);
        let app = &app;
        async move { wrong(app, "notifications.config_set", sent).await }
    };
    for value in [json!("all"), json!(""), json!("SOME"), json!(true)] {
        let path = call(json!({ "config": { "email": value } })).await;
        assert_eq!(path, json!(["data", "config", "email"]));
    }
    for member in ["userIds", "documentIds"] {
        let many: Vec<String> = (0..501).map(|n| n.to_string()).collect();
        assert_eq!(call(json!({ member: many })).await, json!(["data", member]));
        assert_eq!(call(json!({ member: [] })).await, json!(["data", member]));
    }
    assert_eq!(stored(&app, &["preference"]), [""; 0]);
}

#[tokio::test]
async fn users_times_documents_have_a_limit() {
    let app = start().await;
    let ids = |n: usize| (0..n).map(|n| format!("i{n}")).collect::<Vec<_>>();
    let sent = |users: usize, documents: usize| {
        json!({
            "organizationId": "acme", "userIds": ids(users), "documentIds": ids(documents),
            "config": { "inbox": "NONE" },
        })
    };
    let error = app.call("notifications.config_set", sent(501 / 2, 11)).await;
    let error = error.error("INVALID_ARGUMENT");
    assert!(error["message"].as_str().unwrap().contains("2500"), "{error}");
    let data = app.call("notifications.config_set", sent(5, 500)).await.data();
    assert!(data.as_object().unwrap().values().all(|entry| entry["success"] == true), "{data}");
    assert_eq!(stored(&app, &["preference"]).len(), 2_500);
}

#[tokio::test]
async fn an_unknown_organization_fails_each_user() {
    let app = start().await;
    let sent = json!({
        "organizationId": "x", "userIds": ["ada", "bob"], "documentIds": ["d"],
        "config": { "inbox": "NONE" },
    });
    let data = set(&app, sent).await;
    for user in ["ada", "bob"] {
        assert_eq!(data[user]["success"], false);
        assert_eq!(data[user]["documentId"], "d");
    }
    assert_eq!(stored(&app, &["preference"]), [""; 0]);
}

#[tokio::test]
async fn preferences_cannot_be_set_while_the_feature_user_notification_config_is_off() {
    let app = start().await;
    let switch = |on: bool| {
        let sent = json!({ "features": { "userNotificationConfig": on } });
        app.call("workspace.api_key_config_update", sent)
    };
    let sent = json!({
        "organizationId": "acme", "userIds": ["ada"], "documentIds": ["d"], "config": {},
    });
    switch(false).await.ok();
    for path in ["/v2/notifications/config/set", "/v1/notifications/config/set"] {
        app.call_at(path, sent.clone()).await.error("FAILED_PRECONDITION");
    }
    let bad = json!({ "organizationId": "acme", "userIds": [], "config": {} });
    app.call("notifications.config_set", bad).await.error("INVALID_ARGUMENT");
    switch(true).await.ok();
    let data = app.call_at("/v1/notifications/config/set", sent).await.data();
    assert_eq!(data["ada"]["success"], true);
}
