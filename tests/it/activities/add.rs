//! `activities.add`.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{add, all, find, get, ids, numbered, plain, start, with};
use crate::app::App;

const NONE: [Value; 0] = [];

fn call_of(activities: Value) -> Value {
    json!({ "organizationId": "acme", "documentId": "d", "activities": activities })
}

#[tokio::test]
async fn an_activity_is_kept_as_it_was_sent() {
    let app = start().await;
    let mut sent = json!({
        "id": "a", "featureType": "custom", "actionType": "deal.close",
        "actionUser": { "userId": "ada", "name": "Ada" },
        "targetEntityId": "t", "targetSubEntityId": "s",
        "changes": { "status": { "from": "open", "to": null }, "n": { "to": 5e-324 } },
        "entityData": { "deep": [{ "": [1e300] }] }, "entityTargetData": [1, "x"],
        "displayMessageTemplate": "{{actionUser.name}} closed {{what}}",
        "displayMessageTemplateData": { "what": { "userId": "bob" } },
        "actionIcon": "https://example.com/i.svg", "isActivityResolverUsed": true,
    });
    let before = app.now();
    let posed = with(sent.clone(), json!({ "timestamp": 1, "immutable": true, "unknown": 1 }));
    let added = add(&app, "d", json!([posed])).await;
    assert_eq!(added["success"], true);
    assert!(added["message"].is_string());
    assert_eq!(added["activities"]["a"]["success"], true);

    let mut found = find(&app, "a").await;
    let at = found["timestamp"].take().as_u64().expect("a time");
    assert!((before..=app.now()).contains(&at), "the time is ours");
    sent["timestamp"] = Value::Null;
    sent["immutable"] = json!(false);
    sent["changes"]["n"]["from"] = Value::Null;
    sent["metadata"] = json!({
        "apiKey": app.key.api_key, "documentId": "d", "organizationId": "acme",
    });
    assert_eq!(found, sent);
    let listed = app.call("documents.get", json!({ "organizationId": "acme" })).await.data();
    assert_eq!(listed, json!([]), "no document came to be");
}

#[tokio::test]
async fn omitted_or_null_members_are_absent_and_a_missing_id_is_generated() {
    let app = start().await;
    let sent = json!({
        "featureType": "crdt", "actionType": "crdt.editor_edit", "actionUser": { "userId": "u" },
    });
    let mut unset = sent.clone();
    for member in ["id", "targetEntityId", "changes", "entityData", "actionIcon"] {
        unset[member] = Value::Null;
    }
    let added = add(&app, "d", json!([sent, unset])).await;
    let entries = added["activities"].as_object().expect("a map");
    assert_eq!(entries.len(), 2);
    for id in entries.keys() {
        assert!(id.len() == 20 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id}");
        let found = find(&app, id).await;
        let members: Vec<&String> = found.as_object().expect("an object").keys().collect();
        let expected =
            ["actionType", "actionUser", "featureType", "id", "immutable", "metadata", "timestamp"];
        assert_eq!(members, expected);
    }
}

/// Contract `configuration.activities_get`.
#[tokio::test]
async fn an_addition_is_refused_and_writes_nothing_while_the_activity_service_is_off() {
    let app = App::start().await;
    for configured in [false, true] {
        if configured {
            app.caller().configure_activities(false, false).await;
        }
        app.call("activities.add", call_of(json!([plain("a")]))).await.error("FAILED_PRECONDITION");
        // A malformed request is reported first.
        app.call("activities.add", call_of(json!([]))).await.error("INVALID_ARGUMENT");
        assert_eq!(all(&app).await, NONE);
    }
    app.enable_activities(false).await;
    assert_eq!(add(&app, "d", json!([plain("a")])).await["success"], true);
}

#[tokio::test]
async fn adding_an_existing_activity_replaces_all_of_it() {
    let app = start().await;
    let first = with(plain("a"), json!({ "actionIcon": "x", "targetEntityId": "t" }));
    add(&app, "d", json!([first, plain("b")])).await;
    let before = find(&app, "a").await["timestamp"].as_u64();
    app.advance(Duration::from_secs(60));
    let second = with(plain("a"), json!({ "actionUser": { "userId": "bob" } }));
    assert_eq!(add(&app, "e", json!([second])).await["success"], true);
    let found = find(&app, "a").await;
    assert_eq!(found["actionUser"], json!({ "userId": "bob" }));
    assert_eq!(found["metadata"]["documentId"], "e");
    assert_eq!(found.get("actionIcon"), None);
    assert!(found["timestamp"].as_u64() >= before.map(|at| at + 60_000));
    assert_eq!(all(&app).await, ["a", "b"]);
    for (filter, found) in [
        (json!({ "documentId": "d" }), vec!["b"]),
        (json!({ "documentId": "e" }), vec!["a"]),
        (json!({ "userId": "ada" }), vec!["b"]),
        (json!({ "targetEntityId": "t" }), vec![]),
    ] {
        assert_eq!(ids(&get(&app, filter.clone()).await), found, "{filter}");
    }
}

#[tokio::test]
async fn an_activity_is_immutable_when_the_configuration_says_so_at_its_last_write() {
    let app = start().await;
    add(&app, "d", json!([plain("before")])).await;
    app.enable_activities(true).await;
    let sent = json!([plain("fixed"), plain("before")]);
    assert_eq!(add(&app, "d", sent).await["success"], true);
    app.enable_activities(false).await;
    for id in ["fixed", "before"] {
        assert_eq!(find(&app, id).await["immutable"], true, "{id}");
    }
    let change = json!({ "actionIcon": "x" });
    let sent = json!([with(plain("fixed"), change.clone()), with(plain("after"), change)]);
    let added = add(&app, "d", sent).await;
    assert_eq!(added["success"], false);
    assert!(added["message"].as_str().is_some_and(|text| text.contains("1 of 2")), "{added}");
    assert_eq!(added["activities"]["fixed"]["success"], false);
    let message = added["activities"]["fixed"]["message"].as_str().expect("a message");
    assert!(message.contains("fixed") && message.contains("immutable"), "{message}");
    assert_eq!(added["activities"]["after"]["success"], true);
    assert_eq!(find(&app, "fixed").await.get("actionIcon"), None);
    assert_eq!(find(&app, "after").await["immutable"], false);
    // One alone goes another way to the store.
    let added = add(&app, "d", json!([plain("fixed")])).await;
    assert_eq!(added["activities"]["fixed"]["success"], false);
}

#[tokio::test]
async fn an_activity_sent_twice_in_a_request_is_stored_as_the_later_item_says() {
    let app = start().await;
    app.enable_activities(true).await;
    let icon = |icon: &str| with(plain("a"), json!({ "actionIcon": icon }));
    let added = add(&app, "d", json!([icon("x"), icon("y")])).await;
    assert_eq!(added["success"], true);
    assert_eq!(added["activities"].as_object().map(Map::len), Some(1));
    assert_eq!(find(&app, "a").await["actionIcon"], "y");
}

#[tokio::test]
async fn an_activity_above_400_kib_fails_without_failing_the_others_in_its_batch() {
    let app = start().await;
    let large = with(plain("a"), json!({ "entityData": { "x": "x".repeat(420_000) } }));
    let added = add(&app, "d", json!([large, plain("b")])).await;
    assert_eq!(added["success"], false);
    assert_eq!(added["activities"]["a"]["success"], false);
    let message = added["activities"]["a"]["message"].as_str().expect("a message");
    assert!(message.contains("activity a") && message.contains("409600"), "{message}");
    assert_eq!(added["activities"]["b"]["success"], true);
    assert_eq!(all(&app).await, ["b"]);
    // An activity just below the limit is stored and listed.
    let large = with(plain("c"), json!({ "entityData": { "x": "x".repeat(400_000) } }));
    assert_eq!(add(&app, "d", json!([large])).await["success"], true);
    let found = find(&app, "c").await;
    assert_eq!(found["entityData"]["x"].as_str().map(str::len), Some(400_000));
}

#[tokio::test]
async fn a_batch_holds_1_to_500_activities() {
    let app = start().await;
    let batch = |n: usize| {
        let activities: Vec<Value> = numbered(n).iter().map(|id| plain(id)).collect();
        app.call("activities.add", call_of(json!(activities)))
    };
    for n in [0, 501] {
        let error = batch(n).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "activities"]));
    }
    assert_eq!(all(&app).await, NONE);
    let added = batch(500).await.data();
    assert_eq!(added["success"], true);
    assert_eq!(added["activities"].as_object().map(Map::len), Some(500));
    assert_eq!(all(&app).await.len(), 500);
}

#[tokio::test]
async fn a_malformed_item_refuses_the_whole_request() {
    let app = start().await;
    for (wrong, path) in [
        (json!({ "id": "" }), json!(["id"])),
        (json!({ "id": "x".repeat(257) }), json!(["id"])),
        (json!({ "featureType": null }), json!(["featureType"])),
        (json!({ "featureType": "huddle" }), json!(["featureType"])),
        (json!({ "featureType": "custom" }), json!(["targetEntityId"])),
        (json!({ "actionType": null }), json!(["actionType"])),
        (json!({ "actionType": "" }), json!(["actionType"])),
        (json!({ "actionType": "x".repeat(1001) }), json!(["actionType"])),
        (json!({ "actionUser": null }), json!(["actionUser"])),
        (json!({ "actionUser": {} }), json!(["actionUser", "userId"])),
        (json!({ "targetEntityId": "" }), json!(["targetEntityId"])),
        (json!({ "targetSubEntityId": 7 }), json!(["targetSubEntityId"])),
        (json!({ "changes": [] }), json!(["changes"])),
        (json!({ "changes": { "x": 1 } }), json!(["changes", "x"])),
        (json!({ "displayMessageTemplate": 1 }), json!(["displayMessageTemplate"])),
        (json!({ "displayMessageTemplateData": "x" }), json!(["displayMessageTemplateData"])),
        (json!({ "actionIcon": 1 }), json!(["actionIcon"])),
        (json!({ "isActivityResolverUsed": "true" }), json!(["isActivityResolverUsed"])),
    ] {
        let sent = call_of(json!([plain("a"), with(plain("b"), wrong.clone())]));
        let error = app.call("activities.add", sent).await.error("INVALID_ARGUMENT");
        let mut expected = vec![json!("data"), json!("activities"), json!(1)];
        expected.extend(path.as_array().expect("a path").iter().cloned());
        assert_eq!(error["details"]["issues"][0]["path"], json!(expected), "{wrong}");
    }
    for missing in ["organizationId", "documentId", "activities"] {
        let sent = with(call_of(json!([plain("a")])), json!({ (missing): null }));
        let error = app.call("activities.add", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", missing]));
    }
    assert_eq!(all(&app).await, NONE);
}

#[tokio::test]
async fn ids_of_256_characters_and_of_any_unicode_are_stored_and_found() {
    let app = start().await;
    let longest = "#".repeat(256);
    let odd = [longest.as_str(), "#", "a#b", "%23", "a/b", "🦀", "مرحبا", "__proto__"];
    let sent: Vec<Value> = odd
        .iter()
        .map(|id| {
            let members = json!({
                "targetEntityId": id, "targetSubEntityId": id, "actionUser": { "userId": id },
            });
            with(plain(id), members)
        })
        .collect();
    assert_eq!(add(&app, &longest, json!(sent)).await["success"], true);
    for id in odd {
        for filter in [
            json!({ "activityIds": [id] }),
            json!({ "targetEntityId": id }),
            json!({ "userId": id }),
        ] {
            assert_eq!(ids(&get(&app, filter).await), [id]);
        }
    }
    assert_eq!(ids(&get(&app, json!({ "documentId": longest })).await).len(), odd.len());
}
