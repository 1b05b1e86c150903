//! `/v2/workspace/notificationconfig/update`.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{STANDARD_KEYS, get, key_with, refused, switches, update};
use crate::app::App;

fn config(members: Value) -> Value {
    json!({ "notificationServiceConfig": members })
}

fn defaults() -> Value {
    let huddle = switches(&["created", "join"], true);
    json!({ "comment": switches(&STANDARD_KEYS, true), "huddle": huddle })
}

#[tokio::test]
async fn the_first_enabling_seeds_triggers_and_neither_delay_nor_batching() {
    let app = App::start().await;
    let data = update(&app, "notifications", json!({ "useNotificationService": true })).await;
    let expected = json!({
        "useNotificationService": true, "notificationServiceConfig": { "triggers": defaults() },
    });
    assert_eq!(data, expected);
}

#[tokio::test]
async fn members_sent_with_the_first_enabling_override_the_defaults() {
    let app = App::start().await;
    let sent = json!({
        "useNotificationService": true,
        "notificationServiceConfig": {
            "triggers": { "comment": { "added": false, "own": true } },
            "delayConfig": { "isEnabled": true, "delaySeconds": 30 },
        },
    });
    let data = update(&app, "notifications", sent).await["notificationServiceConfig"].take();
    let mut expected = defaults();
    expected["comment"]["added"] = json!(false);
    expected["comment"]["own"] = json!(true);
    assert_eq!(data["triggers"], expected);
    assert_eq!(data["delayConfig"], json!({ "isEnabled": true, "delaySeconds": 30 }));
    assert!(data.get("batchConfig").is_none());
}

#[tokio::test]
async fn nothing_is_seeded_when_triggers_are_stored_or_the_service_stays_off() {
    let app = App::start().await;
    let data = update(&app, "notifications", json!({ "useNotificationService": false })).await;
    assert_eq!(data["notificationServiceConfig"], json!({}));
    let own = json!({ "comment": { "added": true } });
    update(&app, "notifications", config(json!({ "triggers": own }))).await;
    let data = update(&app, "notifications", json!({ "useNotificationService": true })).await;
    assert_eq!(data["notificationServiceConfig"]["triggers"], own);

    // Empty groups, as get shows them, are no triggers.
    let app = App::start().await;
    let empty = get(&app, "notifications").await["notificationServiceConfig"]["triggers"].take();
    update(&app, "notifications", config(json!({ "triggers": empty }))).await;
    let data = update(&app, "notifications", json!({ "useNotificationService": true })).await;
    assert_eq!(data["notificationServiceConfig"]["triggers"], defaults());
}

#[tokio::test]
async fn a_key_created_with_the_default_triggers_is_not_seeded_again() {
    let app = App::start().await;
    let sent = json!({ "useNotificationService": true, "setDefaultNotificationTriggers": true });
    let key = key_with(&app, sent).await;
    let call = |sent: Value| app.call_as(&key, "configuration.notifications_update", sent);
    let off = config(json!({ "triggers": { "huddle": { "join": false } } }));
    call(off).await.ok();
    let data = call(json!({ "useNotificationService": true })).await.data();
    let mut expected = defaults();
    expected["huddle"]["join"] = json!(false);
    assert_eq!(data["notificationServiceConfig"]["triggers"], expected);
}

#[tokio::test]
async fn omitted_members_keep_their_values_however_deep_they_lie() {
    let app = App::start().await;
    let mut expected = get(&app, "notifications").await;
    for (path, value) in [
        ("/delayConfig/delaySeconds", json!(60)),
        ("/delayConfig/isEnabled", json!(true)),
        ("/batchConfig/document/isEnabled", json!(true)),
        ("/batchConfig/document/batchWindowSeconds", json!(600)),
        ("/batchConfig/document/maxActivities", json!(20)),
        ("/batchConfig/user/isEnabled", json!(true)),
        ("/batchConfig/user/batchWindowSeconds", json!(700)),
        ("/batchConfig/user/maxActivities", json!(30)),
        ("/triggers/comment/added", json!(true)),
        ("/triggers/huddle/created", json!(false)),
        ("/triggers/other/x", json!(true)),
        ("/triggers/comment/updated", json!(false)),
        ("/delayConfig/isEnabled", json!(false)),
    ] {
        let steps: Vec<&str> = path.split('/').skip(1).collect();
        let nest = |leaf: &Value| {
            steps.iter().rev().fold(leaf.clone(), |below, step| json!({ *step: below }))
        };
        let data = update(&app, "notifications", config(nest(&value))).await;
        assert_eq!(data["notificationServiceConfig"].pointer(path), Some(&value), "{path}");
        let mut at = &mut expected["notificationServiceConfig"];
        for step in &steps {
            at = &mut at[*step];
        }
        *at = value;
        let shown = get(&app, "notifications").await;
        // Groups that were never set are shown as long as there is no trigger at all.
        let groups = shown["notificationServiceConfig"]["triggers"].as_object().unwrap();
        let expected_groups =
            expected["notificationServiceConfig"]["triggers"].as_object_mut().unwrap();
        expected_groups.retain(|name, switches| {
            groups.contains_key(name) || !switches.as_object().unwrap().is_empty()
        });
        assert_eq!(shown, expected, "{path}");
        assert_eq!(update(&app, "notifications", config(nest(&json!(null)))).await, data, "{path}");
        assert_eq!(get(&app, "notifications").await, expected, "{path}: null is not sent");
    }
}

/// The path of a number, with both ends of its range.
const RANGES: [(&str, u64, u64); 5] = [
    ("delayConfig.delaySeconds", 10, 15_552_000),
    ("batchConfig.document.batchWindowSeconds", 10, 604_800),
    ("batchConfig.user.batchWindowSeconds", 10, 604_800),
    ("batchConfig.document.maxActivities", 2, 50),
    ("batchConfig.user.maxActivities", 2, 50),
];

fn nested(path: &str, leaf: Value) -> Value {
    path.rsplit('.').fold(leaf, |below, step| json!({ step: below }))
}

#[tokio::test]
async fn numbers_are_integers_within_their_ranges() {
    let app = App::start().await;
    for (path, min, max) in RANGES {
        let pointer = format!("/{}", path.replace('.', "/"));
        for (sent, stored) in [(json!(min), min), (json!(max), max), (json!(min as f64), min)] {
            let data = update(&app, "notifications", config(nested(path, sent))).await;
            let shown = data["notificationServiceConfig"].pointer(&pointer);
            assert_eq!(shown, Some(&json!(stored)), "{path}");
        }
        for wrong in [
            json!(min - 1),
            json!(max + 1),
            json!(0),
            json!(-1),
            json!(10.5),
            json!("10"),
            json!(true),
            json!([10]),
            json!(1e300),
        ] {
            let mut sent = config(nested(path, wrong));
            // The whole request is refused.
            sent["useNotificationService"] = json!(true);
            refused(&app, "notifications", sent, &format!("notificationServiceConfig.{path}"))
                .await;
        }
    }
}

#[tokio::test]
async fn a_delay_or_window_enabled_without_a_number_uses_the_least_number() {
    let app = App::start().await;
    let on = json!({ "isEnabled": true });
    let sent = json!({ "delayConfig": on, "batchConfig": { "document": on } });
    let data = update(&app, "notifications", config(sent)).await;
    let window = json!({ "isEnabled": true, "batchWindowSeconds": 10, "maxActivities": 2 });
    let expected = json!({
        "delayConfig": { "isEnabled": true, "delaySeconds": 10 },
        "batchConfig": { "document": window },
    });
    assert_eq!(data["notificationServiceConfig"], expected);
}

#[tokio::test]
async fn use_notification_service_or_notification_service_config_is_required() {
    let app = App::start().await;
    for sent in [
        json!({}),
        json!({ "useNotificationService": null, "notificationServiceConfig": null }),
        json!({ "triggers": {} }),
    ] {
        app.call("configuration.notifications_update", sent).await.error("INVALID_ARGUMENT");
    }
    let data = update(&app, "notifications", config(json!({}))).await;
    assert_eq!(data["useNotificationService"], false);
}

#[tokio::test]
async fn a_refusal_names_the_field_and_writes_nothing() {
    let app = App::start().await;
    refused(
        &app,
        "notifications",
        json!({ "useNotificationService": 1 }),
        "useNotificationService",
    )
    .await;
    for (members, path) in [
        (json!([]), ""),
        (json!({ "triggers": [] }), ".triggers"),
        (json!({ "triggers": { "comment": { "added": "yes" } } }), ".triggers.comment.added"),
        (json!({ "delayConfig": [] }), ".delayConfig"),
        (json!({ "delayConfig": { "isEnabled": 1 } }), ".delayConfig.isEnabled"),
        (json!({ "batchConfig": [] }), ".batchConfig"),
        (json!({ "batchConfig": { "user": true } }), ".batchConfig.user"),
    ] {
        let path = format!("notificationServiceConfig{path}");
        refused(&app, "notifications", config(members), &path).await;
    }
}

#[tokio::test]
async fn simultaneous_updates_of_different_members_are_all_kept() {
    let app = App::start().await;
    let sent: Vec<Value> = (0..15)
        .map(|n| nested(&format!("triggers.comment.k{n}"), json!(true)))
        .chain(RANGES.map(|(path, _, max)| nested(path, json!(max))))
        .collect();
    assert_eq!(sent.len(), 20);
    let calls = sent.iter().map(|sent| update(&app, "notifications", config(sent.clone())));
    join_all(calls).await;
    let shown = get(&app, "notifications").await["notificationServiceConfig"].take();
    for n in 0..15 {
        assert_eq!(shown["triggers"]["comment"][format!("k{n}")], true, "{n}: {shown}");
    }
    for (path, _, max) in RANGES {
        let pointer = format!("/{}", path.replace('.', "/"));
        assert_eq!(shown.pointer(&pointer), Some(&json!(max)), "{path}");
    }
}
