//! `/v2/workspace/webhookconfig/update`.

use serde_json::{Value, json};

use super::{HUDDLE, PUBLIC_KEY, STANDARD, get, key_with, refused, stored, switches, update, with};
use crate::app::{App, logged};

fn defaults() -> Value {
    let off = [
        "crdt.update_data",
        "recorder.done",
        "comment_annotation.suggestion_accept",
        "comment_annotation.suggestion_reject",
    ];
    let on = with(switches(&STANDARD, true), switches(&HUDDLE, true));
    with(on, switches(&off, false))
}

fn config(members: Value) -> Value {
    json!({ "webhookServiceConfig": members })
}

#[tokio::test]
async fn the_first_enabling_seeds_triggers_and_keeps_what_is_stored() {
    let app = App::start().await;
    let kept = json!({ "rawNotificationUrl": "https://example.com/raw", "authToken": "t" });
    update(&app, "webhooks", config(kept.clone())).await;
    let sent = with(
        config(json!({ "encodeData": true, "triggers": { "recorder.done": true } })),
        json!({ "useWebhookService": true }),
    );
    let data = update(&app, "webhooks", sent).await;
    let seeded = json!({
        "processedNotificationUrl": "", "encodeData": true, "enableDataProtection": false,
        "triggers": with(defaults(), json!({ "recorder.done": true })),
    });
    let expected = json!({ "useWebhookService": true, "webhookServiceConfig": with(kept, seeded) });
    assert_eq!(data, expected);
    assert_eq!(get(&app, "webhooks").await, expected);
}

#[tokio::test]
async fn a_key_created_with_webhooks_has_the_default_triggers() {
    let app = App::start().await;
    let sent = json!({
        "useWebhookService": true,
        "webhookServiceConfig": { "triggers": { "comment.add": false } },
    });
    let key = key_with(&app, sent).await;
    let shown = app.call_as(&key, "configuration.webhooks_get", json!({})).await.data();
    let expected = with(defaults(), json!({ "comment.add": false }));
    assert_eq!(shown["webhookServiceConfig"]["triggers"], expected);
    let enable = json!({ "useWebhookService": true });
    let again = app.call_as(&key, "configuration.webhooks_update", enable).await.data();
    assert_eq!(again, shown);
}

#[tokio::test]
async fn a_key_created_with_webhooks_that_are_off_has_no_triggers() {
    let app = App::start().await;
    let url = json!({ "rawNotificationUrl": "https://example.com/raw" });
    let key = key_with(&app, json!({ "webhookServiceConfig": url })).await;
    let shown = app.call_as(&key, "configuration.webhooks_get", json!({})).await.data();
    assert!(shown["webhookServiceConfig"].get("triggers").is_none());
}

#[tokio::test]
async fn encryption_that_cannot_work_is_refused() {
    let app = App::start().await;
    let path = "webhookServiceConfig.publicKey";
    for wrong in ["key", "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A", &"x".repeat(8192)] {
        refused(&app, "webhooks", config(json!({ "publicKey": wrong })), path).await;
    }
    refused(&app, "webhooks", config(json!({ "encryptData": true })), path).await;
    let sent = config(json!({ "encryptData": true, "publicKey": PUBLIC_KEY }));
    update(&app, "webhooks", sent).await;
    refused(&app, "webhooks", config(json!({ "publicKey": "" })), path).await;
    let sent = config(json!({ "encryptData": false, "publicKey": "" }));
    update(&app, "webhooks", sent).await;

    let mut sent = config(json!({ "encryptData": true }));
    sent["ownerEmail"] = json!("ada@example.com");
    sent["type"] = json!("testing");
    let error = app.call("workspace.api_key_create", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(super::field(&error), format!("data.{path}"));
}

#[tokio::test]
async fn nothing_is_seeded_when_triggers_are_stored_or_the_service_stays_off() {
    let app = App::start().await;
    let data = update(&app, "webhooks", json!({ "useWebhookService": false })).await;
    assert!(data["webhookServiceConfig"].get("triggers").is_none());
    let own = json!({ "comment": { "added": true } });
    update(&app, "webhooks", config(json!({ "triggers": own }))).await;
    let data = update(&app, "webhooks", json!({ "useWebhookService": true })).await;
    assert_eq!(data["webhookServiceConfig"]["triggers"], own);
    assert!(data["webhookServiceConfig"].get("enableDataProtection").is_none());
}

#[tokio::test]
async fn members_are_merged_one_by_one_and_an_empty_url_unsets_it() {
    let app = App::start().await;
    let mut expected = get(&app, "webhooks").await;
    for (member, value) in [
        ("authToken", json!("user:pass")),
        ("rawNotificationUrl", json!("https://example.com/raw")),
        ("processedNotificationUrl", json!("http://localhost:8080/x?y=z")),
        ("encodeData", json!(true)),
        ("publicKey", json!(PUBLIC_KEY)),
        ("encryptData", json!(true)),
        ("enableDataProtection", json!(true)),
        ("triggers", json!({ "comment.add": true })),
        ("rawNotificationUrl", json!("")),
        ("encryptData", json!(false)),
        ("publicKey", json!("")),
        ("authToken", json!("")),
        ("encodeData", json!(false)),
    ] {
        let data = update(&app, "webhooks", config(json!({ member: value }))).await;
        expected["webhookServiceConfig"][member] = value;
        assert_eq!(data, expected);
        let data = update(&app, "webhooks", config(json!({ member: null }))).await;
        assert_eq!(data, expected, "null is not sent");
    }
}

#[tokio::test]
async fn a_refusal_names_the_field_and_writes_nothing() {
    let app = App::start().await;
    for sent in [json!({}), json!({ "webhookServiceConfig": null })] {
        app.call("configuration.webhooks_update", sent).await.error("INVALID_ARGUMENT");
    }
    let url = |n: usize| json!(format!("https://{}", "x".repeat(n - 8)));
    for (member, value) in [
        ("authToken", json!(1)),
        ("authToken", json!("a\r\nb")),
        ("authToken", json!("ü")),
        ("authToken", json!("x".repeat(1001))),
        ("rawNotificationUrl", json!("example.com")),
        ("rawNotificationUrl", json!("ftp://example.com")),
        ("rawNotificationUrl", url(2001)),
        ("processedNotificationUrl", json!("https://")),
        ("processedNotificationUrl", json!("https://a b")),
        ("processedNotificationUrl", json!(false)),
        ("encodeData", json!("true")),
        ("encryptData", json!(0)),
        ("publicKey", json!("x".repeat(8193))),
        ("publicKey", json!({})),
        ("enableDataProtection", json!([])),
        ("triggers", json!(true)),
    ] {
        let sent = config(json!({ member: value }));
        refused(&app, "webhooks", sent, &format!("webhookServiceConfig.{member}")).await;
    }
    refused(&app, "webhooks", json!({ "useWebhookService": 1 }), "useWebhookService").await;
    refused(&app, "webhooks", config(json!([])), "webhookServiceConfig").await;
    let longest = json!({
        "authToken": "x".repeat(1000), "rawNotificationUrl": url(2000),
    });
    update(&app, "webhooks", config(longest)).await;
}

#[tokio::test]
async fn the_token_is_sealed_at_rest_and_never_logged() {
    let app = App::start().await;
    let secret = "canary-of-webhooks-update";
    let sent = config(json!({ "authToken": secret }));
    let data = update(&app, "webhooks", sent).await;
    assert_eq!(data["webhookServiceConfig"]["authToken"], secret);
    assert_eq!(get(&app, "webhooks").await, data);
    assert!(!stored(&app, "webhook").contains(secret));
    assert!(!logged().contains(secret));
}
