//! `notifications.update`.

use std::time::Duration;

use serde_json::{Value, json};

use super::{add, find, merge, restrict, start, wrong};
use crate::app::{App, cost};

async fn update(app: &App, members: Value) -> Value {
    let mut sent = json!({ "organizationId": "acme" });
    merge(&mut sent, members);
    app.call("notifications.update", sent).await.data()
}

#[tokio::test]
async fn members_sent_are_replaced_and_omitted_or_null_members_stay() {
    let app = start().await;
    add(&app, json!({ "notificationId": "n", "notificationSourceData": { "a": 1, "b": 2 } })).await;
    let before = find(&app, "n").await;
    app.advance(Duration::from_secs(5));
    let change = json!({
        "id": "n", "displayBodyMessage": "new", "displayHeadlineMessageTemplate": "{x}",
        "displayHeadlineMessageTemplateData": { "x": "y" },
        "actionUser": { "userId": "bob", "name": "Bob" }, "notificationSourceData": { "a": 3 },
        "persistReadForUsers": true, "isRead": true,
    });
    let data = update(&app, json!({ "notifications": [change] })).await;
    assert_eq!(data["n"]["success"], true);
    assert_eq!(data["n"]["id"], "n");
    assert_eq!(data["n"]["message"], "Notification updated.");
    let mut expected = before;
    merge(
        &mut expected,
        json!({
            "displayBodyMessage": "new", "displayHeadlineMessageTemplate": "{x}",
            "displayHeadlineMessageTemplateData": { "x": "y" },
            "actionUser": { "userId": "bob", "name": "Bob" }, "notificationSourceData": { "a": 3 },
            "persistReadForUsers": true,
        }),
    );
    assert_eq!(find(&app, "n").await, expected);
    let nothing = json!({ "notifications": [{ "id": "n", "displayBodyMessage": null }] });
    assert_eq!(update(&app, nothing).await["n"]["success"], true);
    assert_eq!(find(&app, "n").await, expected);
}

#[tokio::test]
async fn users_in_read_by_user_ids_are_added_to_the_earlier_readers() {
    let app = start().await;
    add(&app, json!({ "notificationId": "n" })).await;
    for (readers, all) in [
        (json!(["bob"]), json!(["bob"])),
        (json!(["ada", "bob"]), json!(["ada", "bob"])),
        (json!(null), json!(["ada", "bob"])),
    ] {
        let change = json!({ "notifications": [{ "id": "n", "readByUserIds": readers }] });
        update(&app, change).await;
        assert_eq!(find(&app, "n").await["readByUserIds"], all);
    }
    let sent =
        json!({ "organizationId": "acme", "notifications": [{ "id": "n", "readByUserIds": [] }] });
    let path = wrong(&app, "notifications.update", sent).await;
    assert_eq!(path, json!(["data", "notifications", 0, "readByUserIds"]));
}

#[tokio::test]
async fn an_unknown_notification_fails_without_failing_the_others_and_is_not_added() {
    let app = start().await;
    add(&app, json!({ "notificationId": "n" })).await;
    let both = json!({ "notifications": [
        { "id": "x", "displayBodyMessage": "x" }, { "id": "n", "displayBodyMessage": "x" },
    ] });
    let data = update(&app, both.clone()).await;
    assert_eq!(data["x"]["success"], false);
    assert_eq!(data["n"]["success"], true);
    assert_eq!(find(&app, "x").await, json!(null));
    let mut elsewhere = both;
    elsewhere["organizationId"] = json!("unknown");
    let data = update(&app, elsewhere).await;
    assert_eq!(data["x"]["success"], false);
    assert_eq!(data["n"]["success"], false);
}

#[tokio::test]
async fn a_notification_that_does_not_match_the_filters_is_not_updated() {
    let app = start().await;
    add(&app, json!({ "notificationId": "n", "locationId": "l" })).await;
    for (filter, passes) in [
        (json!({ "documentId": "d" }), true),
        (json!({ "documentId": "e" }), false),
        (json!({ "locationId": "l" }), true),
        (json!({ "locationId": "m" }), false),
        (json!({ "userId": "ada" }), true),
        (json!({ "userId": "bob" }), false),
    ] {
        let (mut sent, text) = (filter.clone(), filter.to_string());
        sent["notifications"] = json!([{ "id": "n", "displayBodyMessage": text }]);
        assert_eq!(update(&app, sent).await["n"]["success"], passes, "{filter}");
        let is_written = find(&app, "n").await["displayBodyMessage"] == text.as_str();
        assert_eq!(is_written, passes, "{filter}");
    }
}

#[tokio::test]
async fn with_verify_user_permissions_a_user_without_access_changes_nothing() {
    let app = start().await;
    let both = json!([{ "userId": "ada" }, { "userId": "bob" }]);
    add(&app, json!({ "notificationId": "n", "notifyUsers": both })).await;
    restrict(&app, "d", &["ada"]).await;
    for (user, verify, passes) in [("ada", true, true), ("bob", true, false), ("bob", false, true)]
    {
        let sent = json!({
            "userId": user, "verifyUserPermissions": verify,
            "notifications": [{ "id": "n", "readByUserIds": [user] }],
        });
        assert_eq!(update(&app, sent).await["n"]["success"], passes, "{user} {verify}");
    }
}

#[tokio::test]
async fn two_changes_of_a_notification_in_a_request_merge_and_the_later_member_wins() {
    let app = start().await;
    add(&app, json!({ "notificationId": "n" })).await;
    let twice = json!({ "notifications": [
        { "id": "n", "displayBodyMessage": "1", "readByUserIds": ["ada"] },
        { "id": "n", "displayBodyMessage": "2", "persistReadForUsers": true },
    ] });
    let data = update(&app, twice).await;
    assert_eq!(data.as_object().unwrap().len(), 1);
    let it = find(&app, "n").await;
    assert_eq!(it["displayBodyMessage"], "2");
    assert_eq!(it["readByUserIds"], json!(["ada"]));
    assert_eq!(it["persistReadForUsers"], true);
}

#[tokio::test]
async fn a_batch_costs_few_calls() {
    let app = start().await;
    for n in 0..30 {
        add(&app, json!({ "notificationId": format!("n{n}") })).await;
    }
    let changes: Vec<Value> =
        (0..30).map(|n| json!({ "id": format!("n{n}"), "readByUserIds": ["ada"] })).collect();
    app.forget_calls();
    let data = update(&app, json!({ "notifications": changes })).await;
    assert!(data.as_object().unwrap().values().all(|entry| entry["success"] == true));
    assert!(app.calls().len() <= cost::allowed(30));
}

#[tokio::test]
async fn a_batch_has_1_to_500_notifications() {
    let app = start().await;
    for n in [0, 501] {
        let changes: Vec<Value> = (0..n).map(|n| json!({ "id": format!("n{n}") })).collect();
        let sent = json!({ "organizationId": "acme", "notifications": changes });
        let path = wrong(&app, "notifications.update", sent).await;
        assert_eq!(path, json!(["data", "notifications"]));
    }
}
