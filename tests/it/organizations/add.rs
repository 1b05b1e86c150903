use serde_json::{Value, json};

use super::{all, find};
use crate::app::App;

#[tokio::test]
async fn an_organization_keeps_its_name_and_its_custom_members() {
    let app = App::start().await;
    let sent = json!({
        "organizationId": "acme", "organizationName": "Acme",
        "tier": "gold", "limits": { "seats": 5e-324, "of": [null, { "x": null }] }, "": true,
    });
    let added = app.call("organizations.add", json!({ "organizations": [sent] })).await.data();
    assert_eq!(added["acme"]["success"], true);
    assert_eq!(added["acme"]["id"], "acme");
    assert!(added["acme"]["message"].is_string());
    assert_eq!(added["acme"].get("code"), None);

    let now = app.now();
    let mut found = find(&app, "acme").await;
    for time in ["createdAt", "lastUpdated"] {
        let at = found[time].take().as_u64().expect("a time");
        assert!(now - at < 60_000, "{time}: {at}, now {now}");
    }
    let expected = json!({
        "id": "acme", "organizationId": "acme", "organizationName": "Acme", "disabled": false,
        "createdAt": null, "lastUpdated": null,
        "tier": "gold", "limits": { "seats": 5e-324, "of": [null, { "x": null }] }, "": true,
    });
    assert_eq!(found, expected);
}

#[tokio::test]
async fn members_that_the_service_sets_itself_are_ignored() {
    let app = App::start().await;
    let sent = json!({
        "organizationId": "acme", "id": "x", "disabled": true, "createdAt": 1, "lastUpdated": 1,
    });
    app.call("organizations.add", json!({ "organizations": [sent] })).await.ok();
    let found = find(&app, "acme").await;
    assert_eq!(found["id"], "acme");
    assert_eq!(found["disabled"], false);
    assert!(found["createdAt"].as_u64() > Some(1));
    assert!(found["lastUpdated"].as_u64() > Some(1));
}

#[tokio::test]
async fn a_member_that_is_null_is_not_kept_and_a_name_may_be_left_out() {
    let app = App::start().await;
    let sent = json!({ "organizationId": "acme", "organizationName": null, "tier": null });
    app.call("organizations.add", json!({ "organizations": [sent] })).await.ok();
    let found = find(&app, "acme").await;
    assert_eq!(found["organizationName"], "");
    assert_eq!(found.get("tier"), None);
}

#[tokio::test]
async fn an_existing_organization_fails_without_failing_the_others_and_is_not_changed() {
    let app = App::start().await;
    let add = |names: Value| app.call("organizations.add", json!({ "organizations": names }));
    add(json!([{ "organizationId": "a", "organizationName": "First", "tier": "gold" }])).await.ok();
    let added = add(json!([
        { "organizationId": "a", "organizationName": "Second" },
        { "organizationId": "b" },
    ]))
    .await
    .data();
    assert_eq!(added["a"]["success"], false);
    assert_eq!(added["a"]["code"], "already-exists");
    assert_eq!(added["a"]["id"], "a");
    assert_eq!(added["b"]["success"], true);
    let found = find(&app, "a").await;
    assert_eq!(found["organizationName"], "First");
    assert_eq!(found["tier"], "gold");
}

#[tokio::test]
async fn an_organization_sent_twice_in_a_request_is_added_as_the_first_item_says() {
    let app = App::start().await;
    let sent = json!([
        { "organizationId": "a", "organizationName": "First" },
        { "organizationId": "a", "organizationName": "Second" },
    ]);
    let added = app.call("organizations.add", json!({ "organizations": sent })).await.data();
    assert_eq!(added.as_object().map(serde_json::Map::len), Some(1));
    assert_eq!(added["a"]["success"], true);
    assert_eq!(find(&app, "a").await["organizationName"], "First");
}

#[tokio::test]
async fn a_batch_holds_1_to_500_organizations() {
    let app = App::start().await;
    let batch = |n: usize| {
        let all: Vec<Value> =
            (0..n).map(|n| json!({ "organizationId": format!("o{n}") })).collect();
        app.call("organizations.add", json!({ "organizations": all }))
    };
    for n in [0, 501] {
        let error = batch(n).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "organizations"]));
    }
    assert_eq!(all(&app).await, Vec::<Value>::new());
    let added = batch(500).await.data();
    let added = added.as_object().expect("a map");
    assert_eq!(added.len(), 500);
    assert!(added.values().all(|entry| entry["success"] == true));
    assert_eq!(all(&app).await.len(), 500);
}

#[tokio::test]
async fn a_malformed_item_refuses_the_whole_request() {
    let app = App::start().await;
    for (second, path) in [
        (json!({ "organizationName": "x" }), json!(["data", "organizations", 1, "organizationId"])),
        (json!({ "organizationId": "" }), json!(["data", "organizations", 1, "organizationId"])),
        (json!({ "organizationId": 7 }), json!(["data", "organizations", 1, "organizationId"])),
        (
            json!({ "organizationId": "b", "organizationName": " " }),
            json!(["data", "organizations", 1, "organizationName"]),
        ),
        (
            json!({ "organizationId": "b", "organizationName": 1 }),
            json!(["data", "organizations", 1, "organizationName"]),
        ),
        (json!("b"), json!(["data", "organizations", 1])),
        (json!(["b"]), json!(["data", "organizations", 1])),
        (json!(null), json!(["data", "organizations", 1])),
    ] {
        let sent = json!({ "organizations": [{ "organizationId": "a" }, second] });
        let error = app.call("organizations.add", sent.clone()).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], path, "{sent}");
    }
    app.call("organizations.add", json!({})).await.error("INVALID_ARGUMENT");
    assert_eq!(all(&app).await, Vec::<Value>::new());
}

#[tokio::test]
async fn an_id_with_a_noncharacter_is_refused() {
    let app = App::start().await;
    for id in ["x\u{ffff}", "\u{fffe}", "\u{fdd0}", "a\u{10ffff}"] {
        let sent = json!({ "organizations": [{ "organizationId": id }] });
        let error = app.call("organizations.add", sent).await.error("INVALID_ARGUMENT");
        assert!(error.to_string().contains("noncharacter"), "{error}");
    }
    assert_eq!(all(&app).await, Vec::<Value>::new());
}

#[tokio::test]
async fn an_organization_above_400_kib_fails_without_failing_the_others_in_its_batch() {
    let app = App::start().await;
    let sent =
        json!([{ "organizationId": "a", "x": "x".repeat(420_000) }, { "organizationId": "b" }]);
    let added = app.call("organizations.add", json!({ "organizations": sent })).await.data();
    assert_eq!(added["a"]["success"], false);
    assert_eq!(added["a"]["code"], "invalid-argument");
    assert_eq!(added["b"]["success"], true);
    assert_eq!(all(&app).await, ["b"]);
}
