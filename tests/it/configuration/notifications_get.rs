//! `/v2/workspace/notificationconfig/get`.

use serde_json::json;

use super::{get, key_with, update};
use crate::app::App;

#[tokio::test]
async fn members_that_were_never_set_have_the_least_numbers_and_no_triggers() {
    let app = App::start().await;
    let window = json!({ "isEnabled": false, "batchWindowSeconds": 10, "maxActivities": 2 });
    let mut expected = json!({
        "useNotificationService": false,
        "notificationServiceConfig": {
            "triggers": { "comment": {}, "huddle": {} },
            "delayConfig": { "isEnabled": false, "delaySeconds": 10 },
            "batchConfig": { "document": window, "user": window },
        },
    });
    assert_eq!(get(&app, "notifications").await, expected);
    let sent = json!({ "batchConfig": { "user": { "isEnabled": true } } });
    update(&app, "notifications", json!({ "notificationServiceConfig": sent })).await;
    expected["notificationServiceConfig"]["batchConfig"]["user"]["isEnabled"] = json!(true);
    assert_eq!(get(&app, "notifications").await, expected);
}

#[tokio::test]
async fn the_configuration_given_when_the_key_was_created_is_returned() {
    let app = App::start().await;
    let key = key_with(&app, json!({ "useNotificationService": true })).await;
    let shown = app.call_as(&key, "configuration.notifications_get", json!({})).await.data();
    assert_eq!(shown["useNotificationService"], true);
    let triggers = &shown["notificationServiceConfig"]["triggers"];
    assert_eq!(triggers, &json!({ "comment": {}, "huddle": {} }));
}
