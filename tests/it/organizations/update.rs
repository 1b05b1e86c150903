use std::time::Duration;

use serde_json::{Value, json};

use super::{add, all, find};
use crate::app::App;

async fn update(app: &App, organizations: Value) -> Value {
    app.call("organizations.update", json!({ "organizations": organizations })).await.data()
}

#[tokio::test]
async fn omitted_members_keep_their_values() {
    let app = App::start().await;
    let sent = json!({
        "organizationId": "acme", "organizationName": "Acme", "tier": "gold", "seats": 5,
    });
    app.call("organizations.add", json!({ "organizations": [sent] })).await.ok();
    let before = find(&app, "acme").await;

    app.advance(Duration::from_secs(1));
    let updated = update(&app, json!([{ "organizationId": "acme", "tier": "silver" }])).await;
    assert_eq!(updated["acme"]["success"], true);
    assert_eq!(updated["acme"]["id"], "acme");
    let after = find(&app, "acme").await;
    assert_eq!(after["organizationName"], "Acme");
    assert_eq!(after["seats"], 5);
    assert_eq!(after["tier"], "silver");
    assert_eq!(after["createdAt"], before["createdAt"]);
    assert!(after["lastUpdated"].as_u64() > before["lastUpdated"].as_u64());

    update(&app, json!([{ "organizationId": "acme", "organizationName": "Acme Inc." }])).await;
    let after = find(&app, "acme").await;
    assert_eq!(after["organizationName"], "Acme Inc.");
    assert_eq!(after["tier"], "silver");
}

#[tokio::test]
async fn a_custom_member_is_replaced_as_a_whole_and_null_removes_it() {
    let app = App::start().await;
    let sent = json!({
        "organizationId": "acme", "organizationName": "Acme", "a": { "x": 1, "y": 2 }, "b": 1, "c": 2,
    });
    app.call("organizations.add", json!({ "organizations": [sent] })).await.ok();
    let sent = json!([{
        "organizationId": "acme", "organizationName": null, "a": { "x": null }, "b": null, "d": [1],
        "never": null,
    }]);
    update(&app, sent).await;
    let found = find(&app, "acme").await;
    assert_eq!(found["a"], json!({ "x": null }));
    assert_eq!(found.get("b"), None);
    assert_eq!(found["c"], 2);
    assert_eq!(found["d"], json!([1]));
    assert_eq!(found.get("never"), None);
    assert_eq!(found["organizationName"], "Acme");
}

#[tokio::test]
async fn members_that_the_service_sets_itself_are_ignored() {
    let app = App::start().await;
    add(&app, &["acme"]).await;
    let before = find(&app, "acme").await;
    let sent = json!([{
        "organizationId": "acme", "id": "x", "disabled": true, "createdAt": 1, "lastUpdated": 1,
    }]);
    assert_eq!(update(&app, sent).await["acme"]["success"], true);
    let after = find(&app, "acme").await;
    assert_eq!(after["id"], "acme");
    assert_eq!(after["disabled"], false);
    assert_eq!(after["createdAt"], before["createdAt"]);
    assert!(after["lastUpdated"].as_u64() >= before["lastUpdated"].as_u64());
}

#[tokio::test]
async fn two_updates_of_an_organization_in_a_request_merge_and_the_later_member_wins() {
    let app = App::start().await;
    add(&app, &["a"]).await;
    let sent = json!([
        { "organizationId": "a", "organizationName": "First", "x": 1, "y": 1, "z": null },
        { "organizationId": "a", "organizationName": "Second", "y": null, "z": 2 },
    ]);
    let updated = update(&app, sent).await;
    assert_eq!(updated.as_object().map(serde_json::Map::len), Some(1));
    let found = find(&app, "a").await;
    assert_eq!(found["organizationName"], "Second");
    assert_eq!(found["x"], 1);
    assert_eq!(found.get("y"), None);
    assert_eq!(found["z"], 2);
}

#[tokio::test]
async fn an_unknown_organization_fails_without_failing_the_others_and_is_not_added() {
    let app = App::start().await;
    add(&app, &["a"]).await;
    let updated = update(
        &app,
        json!([{ "organizationId": "nobody", "x": 1 }, { "organizationId": "a", "x": 1 }]),
    )
    .await;
    assert_eq!(updated["nobody"]["success"], false);
    assert_eq!(updated["nobody"]["code"], "not-found");
    assert_eq!(updated["nobody"]["id"], "nobody");
    assert_eq!(updated["a"]["success"], true);
    assert_eq!(all(&app).await, ["a"]);
}

#[tokio::test]
async fn an_update_that_grows_an_organization_above_400_kib_fails_alone_and_changes_nothing() {
    let app = App::start().await;
    add(&app, &["a", "b"]).await;
    let half = "x".repeat(250_000);
    update(&app, json!([{ "organizationId": "a", "x": half }])).await;
    let sent = json!([{ "organizationId": "a", "y": half }, { "organizationId": "b", "y": 1 }]);
    let updated = update(&app, sent).await;
    assert_eq!(updated["a"]["code"], "invalid-argument");
    assert_eq!(updated["b"]["success"], true);
    let found = find(&app, "a").await;
    assert_eq!(found["x"], half);
    assert_eq!(found.get("y"), None);
}

#[tokio::test]
async fn changes_made_at_once_are_all_kept() {
    let app = App::start().await;
    add(&app, &["a"]).await;
    let one = |name: &'static str| update(&app, json!([{ "organizationId": "a", name: 1 }]));
    let (a, b, c) = tokio::join!(one("x"), one("y"), one("z"));
    for updated in [a, b, c] {
        assert_eq!(updated["a"]["success"], true, "{updated}");
    }
    let found = find(&app, "a").await;
    for name in ["x", "y", "z"] {
        assert_eq!(found[name], 1, "{found}");
    }
}

#[tokio::test]
async fn a_batch_holds_1_to_500_organizations() {
    let app = App::start().await;
    let batch = |n: usize| {
        let all: Vec<Value> =
            (0..n).map(|n| json!({ "organizationId": format!("o{n}"), "x": n })).collect();
        app.call("organizations.update", json!({ "organizations": all }))
    };
    add(&app, &["o499"]).await;
    for n in [0, 501] {
        batch(n).await.error("INVALID_ARGUMENT");
    }
    assert_eq!(find(&app, "o499").await.get("x"), None);
    let updated = batch(500).await.data();
    assert_eq!(updated.as_object().map(serde_json::Map::len), Some(500));
    assert_eq!(updated["o0"]["code"], "not-found");
    assert_eq!(updated["o499"]["success"], true);
    assert_eq!(find(&app, "o499").await["x"], 499);
}

#[tokio::test]
async fn a_malformed_item_refuses_the_whole_request() {
    let app = App::start().await;
    add(&app, &["a"]).await;
    for second in [json!({}), json!({ "organizationId": "a", "organizationName": "" }), json!(1)] {
        let sent = json!({ "organizations": [{ "organizationId": "a", "x": 1 }, second] });
        app.call("organizations.update", sent).await.error("INVALID_ARGUMENT");
    }
    assert_eq!(find(&app, "a").await.get("x"), None);
}
