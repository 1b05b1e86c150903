//! `/v2/workspace/advancedwebhook/endpoints/update`.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use service::Table;

use super::{call, create, enabled, field, id, secret};
use crate::app::App;

async fn update(app: &App, id: &str, members: Value) -> Value {
    let mut sent = json!({ "endpointId": id });
    sent.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    call(app, "update", sent).await.data()
}

async fn only(app: &App) -> Value {
    call(app, "get", json!({})).await.data()["endpoints"][0].take()
}

#[tokio::test]
async fn omitted_members_keep_their_values_and_null_unsets() {
    let app = enabled().await;
    let mut expected = create(&app, json!({ "uid": "crm" })).await;
    let id = id(&expected);
    let before = secret(&app, &id).await;
    for (member, value) in [
        ("url", json!("http://other.example/x")),
        ("description", json!("Customers")),
        ("filterTypes", json!(["comment.add", "comment.update"])),
        ("channels", json!(["a"])),
        ("rateLimit", json!(5)),
        ("disabled", json!(true)),
        ("filterTypes", json!(["huddle.join"])),
        ("description", json!(null)),
        ("filterTypes", json!(null)),
        ("channels", json!(null)),
        ("rateLimit", json!(null)),
        ("disabled", json!(false)),
    ] {
        app.advance(Duration::from_millis(1500));
        let endpoint = update(&app, &id, json!({ member: value })).await;
        assert!(endpoint["updatedAt"].as_str() > expected["updatedAt"].as_str(), "{member}");
        expected["updatedAt"] = endpoint["updatedAt"].clone();
        expected[member] = value;
        assert_eq!(endpoint, expected);
        assert_eq!(only(&app).await, expected);
    }
    assert_eq!(secret(&app, &id).await, before);
}

#[tokio::test]
async fn a_field_besides_the_id_is_required() {
    let app = enabled().await;
    let endpoint = create(&app, json!({})).await;
    let id = id(&endpoint);
    for sent in [
        json!({}),
        json!({ "uid": "x" }),
        json!({ "unknown": 1 }),
        json!({ "url": null }),
        json!({ "disabled": null, "metadata": null }),
    ] {
        let mut sent = sent;
        sent["endpointId"] = json!(id);
        call(&app, "update", sent).await.error("INVALID_ARGUMENT");
    }
    assert_eq!(only(&app).await, endpoint);
    // Unsetting what is unset is one.
    update(&app, &id, json!({ "description": null })).await;
}

#[tokio::test]
async fn a_uid_cannot_be_changed() {
    let app = enabled().await;
    let id = id(&create(&app, json!({ "uid": "crm" })).await);
    let endpoint = update(&app, &id, json!({ "uid": "other", "disabled": true })).await;
    assert_eq!(endpoint["uid"], "crm");
    create(&app, json!({ "uid": "other" })).await;
}

#[tokio::test]
async fn metadata_is_replaced_as_a_whole_and_never_shown() {
    let app = enabled().await;
    let id = id(&create(&app, json!({ "metadata": { "first": "1", "second": "2" } })).await);
    let stored = || json!(app.items_of(Table::Resources, &app.key)).to_string();
    assert!(stored().contains("second"));
    let endpoint = update(&app, &id, json!({ "metadata": { "first": "3" } })).await;
    assert!(endpoint.get("metadata").is_none());
    assert!(stored().contains("first") && !stored().contains("second"));
    update(&app, &id, json!({ "metadata": {} })).await;
    assert!(!stored().contains("first"));
}

#[tokio::test]
async fn values_at_the_ends_of_a_range_are_accepted_and_values_beyond_are_refused_by_name() {
    let app = enabled().await;
    let endpoint = create(&app, json!({})).await;
    let id = id(&endpoint);
    for (members, path) in create::wrong_members() {
        let mut sent = members;
        sent["endpointId"] = json!(id);
        let error = call(&app, "update", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), format!("data.{path}"), "{error}");
    }
    assert_eq!(only(&app).await, endpoint);
    for members in create::extreme_members() {
        update(&app, &id, members).await;
    }
}

#[tokio::test]
async fn simultaneous_updates_of_different_members_are_all_kept() {
    let app = enabled().await;
    let id = id(&create(&app, json!({})).await);
    let sent = [
        json!({ "description": "x" }),
        json!({ "filterTypes": ["a"] }),
        json!({ "channels": ["b"] }),
        json!({ "disabled": true }),
        json!({ "rateLimit": 3 }),
    ];
    join_all(sent.iter().map(|members| update(&app, &id, members.clone()))).await;
    let endpoint = only(&app).await;
    for members in sent {
        for (member, value) in members.as_object().unwrap() {
            assert_eq!(&endpoint[member], value, "{member}");
        }
    }
}

#[tokio::test]
async fn an_endpoint_is_disabled_and_active_again() {
    let app = enabled().await;
    let id = id(&create(&app, json!({})).await);
    for disabled in [true, true, false, false] {
        let endpoint = update(&app, &id, json!({ "disabled": disabled })).await;
        assert_eq!(endpoint["disabled"], disabled);
        assert_eq!(only(&app).await["disabled"], disabled);
    }
}
