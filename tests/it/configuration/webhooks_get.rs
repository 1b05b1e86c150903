//! `/v2/workspace/webhookconfig/get`.

use serde_json::json;

use super::{get, key_with};
use crate::app::App;

#[tokio::test]
async fn members_that_were_never_set_are_empty() {
    let app = App::start().await;
    let config =
        json!({ "authToken": "", "rawNotificationUrl": "", "processedNotificationUrl": "" });
    let expected = json!({ "useWebhookService": false, "webhookServiceConfig": config });
    assert_eq!(get(&app, "webhooks").await, expected);
}

/// Contract `workspace.api_key_create`.
#[tokio::test]
async fn the_configuration_given_when_the_key_was_created_is_returned() {
    let app = App::start().await;
    let config = json!({
        "authToken": "secret", "rawNotificationUrl": "https://example.com/raw",
        "processedNotificationUrl": "http://example.com",
    });
    let sent = json!({ "useWebhookService": true, "webhookServiceConfig": config });
    let key = key_with(&app, sent).await;
    let shown = app.call_as(&key, "configuration.webhooks_get", json!({})).await.data();
    assert_eq!(shown["useWebhookService"], true);
    for (member, value) in config.as_object().unwrap() {
        assert_eq!(&shown["webhookServiceConfig"][member], value, "{member}");
    }
}
