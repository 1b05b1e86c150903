//! `activities.update`.

use serde_json::{Map, Value, json};

use super::{add, all, find, numbered, plain, start, with};
use crate::app::App;

async fn update(app: &App, activities: Value) -> Value {
    let sent = json!({ "organizationId": "acme", "activities": activities });
    app.call("activities.update", sent).await.data()
}

/// Everything that can be changed of an activity.
fn details(mark: &str) -> Value {
    json!({
        "changes": { (mark): { "from": 1, "to": 2 } }, "entityData": { (mark): 1 },
        "entityTargetData": [mark], "displayMessageTemplate": format!("{{{{x}}}} {mark}"),
        "displayMessageTemplateData": { "x": mark }, "actionIcon": mark,
    })
}

#[tokio::test]
async fn members_sent_replace_the_stored_members_as_a_whole() {
    let app = start().await;
    add(&app, "d", json!([with(plain("a"), details("old"))])).await;
    let before = find(&app, "a").await;
    let updated = update(&app, json!([with(json!({ "id": "a" }), details("new"))])).await;
    assert_eq!(updated, json!({ "a": { "success": true, "message": "Activity updated." } }));
    assert_eq!(find(&app, "a").await, with(before, details("new")));
}

#[tokio::test]
async fn omitted_members_keep_their_values() {
    let app = start().await;
    add(&app, "d", json!([with(plain("a"), details("old"))])).await;
    let before = find(&app, "a").await;
    let details = details("new");
    for (member, value) in details.as_object().expect("members") {
        update(&app, json!([{ "id": "a", (member): value }])).await;
        let found = find(&app, "a").await;
        assert_eq!(found, with(before.clone(), json!({ (member): value })), "{member}");
        let mut unset = json!({ "id": "a" });
        for member in details.as_object().expect("members").keys() {
            unset[member] = Value::Null;
        }
        unset[member] = before[member].clone();
        assert_eq!(update(&app, json!([unset])).await["a"]["success"], true);
        assert_eq!(find(&app, "a").await, before, "null is not sent");
    }
}

#[tokio::test]
async fn members_that_cannot_be_changed_are_ignored() {
    let app = start().await;
    add(&app, "d", json!([plain("a")])).await;
    let before = find(&app, "a").await;
    let sent = json!([{
        "id": "a", "featureType": "crdt", "actionType": "x", "actionUser": { "userId": "eve" },
        "timestamp": 1, "targetEntityId": "t", "documentId": "e", "immutable": true,
    }]);
    assert_eq!(update(&app, sent).await["a"]["success"], true);
    assert_eq!(find(&app, "a").await, before);
}

#[tokio::test]
async fn an_unknown_or_immutable_activity_fails_without_failing_the_others_in_its_batch() {
    let app = start().await;
    add(&app, "d", json!([plain("a")])).await;
    app.enable_activities(true).await;
    add(&app, "d", json!([plain("fixed")])).await;
    app.enable_activities(false).await;
    let icon = |id: &str| json!({ "id": id, "actionIcon": "x" });
    let updated = update(&app, json!([icon("fixed"), icon("nobody"), icon("a")])).await;
    assert_eq!(updated.as_object().map(Map::len), Some(3));
    for (id, reason) in [("fixed", "immutable"), ("nobody", "no activity")] {
        assert_eq!(updated[id]["success"], false);
        let message = updated[id]["message"].as_str().expect("a message");
        assert!(message.contains(id) && message.contains(reason), "{message}");
    }
    assert_eq!(updated["a"]["success"], true);
    assert_eq!(find(&app, "fixed").await.get("actionIcon"), None);
    assert_eq!(all(&app).await.len(), 2, "nothing came to be");
}

#[tokio::test]
async fn activities_are_updated_while_the_activity_service_is_off() {
    let app = start().await;
    add(&app, "d", json!([plain("a")])).await;
    app.caller().configure_activities(false, true).await;
    assert_eq!(update(&app, json!([{ "id": "a", "actionIcon": "x" }])).await["a"]["success"], true);
}

#[tokio::test]
async fn two_updates_of_an_activity_in_a_request_merge_and_the_later_member_wins() {
    let app = start().await;
    add(&app, "d", json!([plain("a")])).await;
    let sent = json!([
        { "id": "a", "actionIcon": "first", "entityData": 1 },
        { "id": "a", "actionIcon": "second" },
    ]);
    let updated = update(&app, sent).await;
    assert_eq!(updated.as_object().map(Map::len), Some(1));
    let found = find(&app, "a").await;
    assert_eq!((&found["actionIcon"], &found["entityData"]), (&json!("second"), &json!(1)));
}

#[tokio::test]
async fn an_unknown_organization_fails_each_item() {
    let app = App::start().await;
    let updated = update(&app, json!([{ "id": "a" }, { "id": "b" }])).await;
    for id in ["a", "b"] {
        assert_eq!(updated[id]["success"], false);
    }
}

#[tokio::test]
async fn an_update_that_grows_an_activity_above_400_kib_fails_and_changes_nothing() {
    let app = start().await;
    add(&app, "d", json!([with(plain("a"), json!({ "entityData": "x".repeat(300_000) }))])).await;
    let sent = json!([{ "id": "a", "entityTargetData": "x".repeat(200_000) }]);
    let updated = update(&app, sent).await;
    assert_eq!(updated["a"]["success"], false);
    assert!(updated["a"]["message"].as_str().is_some_and(|text| text.contains("409600")));
    assert_eq!(find(&app, "a").await.get("entityTargetData"), None);
}

#[tokio::test]
async fn a_batch_holds_1_to_500_activities() {
    let app = start().await;
    let changes = |n: usize| -> Vec<Value> {
        numbered(n).iter().map(|id| json!({ "id": id, "actionIcon": "x" })).collect()
    };
    for n in [0, 501] {
        let sent = json!({ "organizationId": "acme", "activities": changes(n) });
        let error = app.call("activities.update", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "activities"]));
    }
    let sent: Vec<Value> = numbered(500).iter().map(|id| plain(id)).collect();
    add(&app, "d", json!(sent)).await;
    let updated = update(&app, json!(changes(500))).await;
    let updated = updated.as_object().expect("a map");
    assert_eq!(updated.len(), 500);
    assert!(updated.values().all(|entry| entry["success"] == true));
    assert_eq!(find(&app, "a499").await["actionIcon"], "x");
}

#[tokio::test]
async fn a_malformed_item_refuses_the_whole_request() {
    let app = start().await;
    add(&app, "d", json!([plain("a")])).await;
    for (wrong, member) in [
        (json!({}), "id"),
        (json!({ "id": "" }), "id"),
        (json!({ "id": "b", "changes": [] }), "changes"),
        (json!({ "id": "b", "displayMessageTemplate": 1 }), "displayMessageTemplate"),
        (json!({ "id": "b", "displayMessageTemplateData": [] }), "displayMessageTemplateData"),
        (json!({ "id": "b", "actionIcon": {} }), "actionIcon"),
    ] {
        let sent = json!({
            "organizationId": "acme", "activities": [{ "id": "a", "actionIcon": "x" }, wrong],
        });
        let error = app.call("activities.update", sent).await.error("INVALID_ARGUMENT");
        let path = json!(["data", "activities", 1, member]);
        assert_eq!(error["details"]["issues"][0]["path"], path);
    }
    assert_eq!(find(&app, "a").await.get("actionIcon"), None);
}
