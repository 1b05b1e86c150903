//! `/v2/workspace/activityconfig/update`.

use std::time::Duration;

use serde_json::{Value, json};

use super::{STANDARD_KEYS, refused, switches, update, with};
use crate::app::App;

async fn change(app: &App, members: Value) -> Value {
    let sent = json!({ "activityServiceConfig": members });
    update(app, "activities", sent).await["activityServiceConfig"].take()
}

fn defaults() -> Value {
    let suggestions = switches(&["suggestionAccepted", "suggestionRejected"], true);
    with(switches(&STANDARD_KEYS, true), suggestions)
}

#[tokio::test]
async fn the_first_enabling_seeds_every_comment_trigger_and_immutable_records() {
    let app = App::start().await;
    let before = app.now();
    let config = change(&app, json!({ "isEnabled": true })).await;
    let at = config["enabledTime"].as_u64().unwrap();
    assert!((before..=app.now()).contains(&at));
    let expected = json!({
        "isEnabled": true, "immutable": true, "enabledTime": at,
        "triggers": { "comment": defaults() },
    });
    assert_eq!(config, expected);

    // Neither off nor on again changes any of it.
    app.advance(Duration::from_secs(60));
    change(&app, json!({ "isEnabled": false })).await;
    assert_eq!(change(&app, json!({ "isEnabled": true })).await, expected);
}

#[tokio::test]
async fn members_sent_with_the_first_enabling_override_the_defaults() {
    let app = App::start().await;
    let sent = json!({
        "isEnabled": true, "immutable": false, "enabledTime": 5,
        "triggers": { "comment": { "added": false, "own": true } },
    });
    let config = change(&app, sent).await;
    let own = json!({ "added": false, "own": true });
    let expected = json!({
        "isEnabled": true, "immutable": false, "enabledTime": 5,
        "triggers": { "comment": with(defaults(), own) },
    });
    assert_eq!(config, expected);
}

#[tokio::test]
async fn omitted_members_keep_their_values() {
    let app = App::start().await;
    let mut expected = change(&app, json!({ "isEnabled": true })).await;
    for (member, value) in [
        ("immutable", json!(false)),
        ("enabledTime", json!(0)),
        ("enabledTime", json!(9_007_199_254_740_991_u64)),
        ("isEnabled", json!(false)),
    ] {
        let config = change(&app, json!({ member: value })).await;
        expected[member] = value;
        assert_eq!(config, expected);
    }
    let sent = json!({ "triggers": { "comment": { "added": false } }, "immutable": null });
    let config = change(&app, sent).await;
    expected["triggers"]["comment"]["added"] = json!(false);
    assert_eq!(config, expected);
}

#[tokio::test]
async fn an_update_without_a_known_member_is_refused() {
    let app = App::start().await;
    for sent in [json!({}), json!({ "isEnabled": null }), json!({ "unknown": 1 })] {
        let sent = json!({ "activityServiceConfig": sent });
        app.call("configuration.activities_update", sent).await.error("INVALID_ARGUMENT");
    }
    for sent in [json!({}), json!({ "activityServiceConfig": null })] {
        refused(&app, "activities", sent, "activityServiceConfig").await;
    }
}

#[tokio::test]
async fn a_refusal_names_the_field_and_writes_nothing() {
    let app = App::start().await;
    for (member, value, path) in [
        ("isEnabled", json!("true"), "isEnabled"),
        ("immutable", json!(1), "immutable"),
        ("enabledTime", json!(-1), "enabledTime"),
        ("enabledTime", json!(1.5), "enabledTime"),
        ("enabledTime", json!(9_007_199_254_740_992_u64), "enabledTime"),
        ("enabledTime", json!("2026-11-20"), "enabledTime"),
        ("triggers", json!([]), "triggers"),
        (
            "triggers",
            json!({ "comment": { "added": null, "updated": 1 } }),
            "triggers.comment.updated",
        ),
    ] {
        let mut config = json!({ "isEnabled": true });
        config[member] = value;
        let sent = json!({ "activityServiceConfig": config });
        refused(&app, "activities", sent, &format!("activityServiceConfig.{path}")).await;
    }
}
