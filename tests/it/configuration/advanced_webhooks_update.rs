//! `/v2/workspace/advancedwebhookconfig/update`.

use futures_util::future::join_all;
use serde_json::json;

use service::Table;

use super::{PUBLIC_KEY, get, refused, update};
use crate::{app::App, schedule::put};

/// Contract `webhook-endpoints.get`.
#[tokio::test]
async fn webhooks_that_were_never_enabled_are_configured_only_with_is_enabled_true() {
    let app = App::start().await;
    for sent in [
        json!({ "isEnabled": false }),
        json!({ "encodeData": true }),
        json!({ "publicKey": "" }),
        json!({ "isEnabled": null, "enableDataProtection": true }),
    ] {
        let refused = app.call("configuration.advanced_webhooks_update", sent).await;
        refused.error("FAILED_PRECONDITION");
    }
    let sent = json!({ "isEnabled": true, "encodeData": true });
    let expected = json!({
        "isEnabled": true, "encryptData": false, "encodeData": true, "publicKey": "",
        "enableDataProtection": false,
    });
    assert_eq!(update(&app, "advanced_webhooks", sent).await, expected);
    update(&app, "advanced_webhooks", json!({ "isEnabled": false })).await;
    // Disabled is configured.
    update(&app, "advanced_webhooks", json!({ "encodeData": false })).await;
}

#[tokio::test]
async fn omitted_members_keep_their_values() {
    let app = App::start().await;
    let mut expected = update(&app, "advanced_webhooks", json!({ "isEnabled": true })).await;
    for (member, value) in [
        ("publicKey", json!(PUBLIC_KEY)),
        ("encryptData", json!(true)),
        ("encodeData", json!(true)),
        ("enableDataProtection", json!(true)),
        ("isEnabled", json!(false)),
        ("encryptData", json!(false)),
        ("publicKey", json!("")),
    ] {
        let data = update(&app, "advanced_webhooks", json!({ member: value })).await;
        expected[member] = value;
        assert_eq!(data, expected);
        assert_eq!(get(&app, "advanced_webhooks").await, expected);
    }
}

#[tokio::test]
async fn simultaneous_first_updates_are_all_kept() {
    let app = App::start().await;
    let members = ["encryptData", "encodeData", "enableDataProtection"];
    let sent =
        members.map(|member| json!({ "isEnabled": true, "publicKey": PUBLIC_KEY, member: true }));
    join_all(sent.map(|sent| update(&app, "advanced_webhooks", sent))).await;
    let config = get(&app, "advanced_webhooks").await;
    for member in members {
        assert_eq!(config[member], true, "{member}");
    }
}

#[tokio::test]
async fn an_invalid_member_is_refused_before_the_precondition_and_nothing_is_written() {
    let app = App::start().await;
    for sent in [json!({}), json!({ "isEnabled": null }), json!({ "unknown": true })] {
        let refused = app.call("configuration.advanced_webhooks_update", sent).await;
        refused.error("INVALID_ARGUMENT");
    }
    for (member, value) in [
        ("isEnabled", json!("true")),
        ("encryptData", json!(1)),
        ("encodeData", json!([])),
        ("publicKey", json!(true)),
        ("publicKey", json!("x".repeat(8193))),
        ("enableDataProtection", json!({})),
    ] {
        let mut sent = json!({ "isEnabled": true });
        sent[member] = value;
        refused(&app, "advanced_webhooks", sent, member).await;
    }
    update(&app, "advanced_webhooks", json!({ "isEnabled": true })).await;
}

#[tokio::test]
async fn encryption_that_cannot_work_is_refused() {
    let app = App::start().await;
    update(&app, "advanced_webhooks", json!({ "isEnabled": true })).await;
    for wrong in ["key", "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A", &"x".repeat(8192)] {
        refused(&app, "advanced_webhooks", json!({ "publicKey": wrong }), "publicKey").await;
    }
    refused(&app, "advanced_webhooks", json!({ "encryptData": true }), "publicKey").await;
    let sent = json!({ "encryptData": true, "publicKey": PUBLIC_KEY });
    update(&app, "advanced_webhooks", sent).await;
    refused(&app, "advanced_webhooks", json!({ "publicKey": "" }), "publicKey").await;
    update(&app, "advanced_webhooks", json!({ "encryptData": false, "publicKey": "" })).await;
}

#[tokio::test]
async fn an_invalid_key_of_an_earlier_version_is_readable_and_has_to_be_replaced() {
    let app = App::start().await;
    update(&app, "advanced_webhooks", json!({ "isEnabled": true })).await;
    let mut items = app.items_of(Table::Resources, &app.key).into_iter();
    let mut row = items.find(|item| item["publicKey"].is_object()).unwrap();
    row["encryptData"] = json!({ "BOOL": true });
    row["publicKey"] = json!({ "S": "not a key" });
    put(&app, Table::Resources, &row).await;
    let shown = get(&app, "advanced_webhooks").await;
    assert_eq!((&shown["encryptData"], &shown["publicKey"]), (&json!(true), &json!("not a key")));
    refused(&app, "advanced_webhooks", json!({ "encodeData": true }), "publicKey").await;
    update(&app, "advanced_webhooks", json!({ "publicKey": PUBLIC_KEY })).await;
}
