//! Basic webhooks (siblings 4.1, 14.3).

use std::time::Duration;

use serde_json::json;

use super::{pass, thread, world};
use crate::app::receiver::Answer;

#[tokio::test]
async fn a_raw_notification_carries_the_token_as_it_stands() {
    let (app, receiver) = world().await;
    let sent = json!({ "useWebhookService": true, "webhookServiceConfig": {
        "authToken": "dXNlcjpwYXNz", "rawNotificationUrl": receiver.url,
    } });
    app.call("configuration.webhooks_update", sent).await.ok();
    app.advance(Duration::from_millis(1));
    receiver.script([Answer::status(503)]);
    thread(&app, "t1").await;
    app.settle().await;
    pass(&app, Duration::from_secs(130)).await;
    let received = receiver.take();
    assert_eq!(received.len(), 2, "it is tried again like any other");
    for one in &received {
        assert_eq!(one.header("authorization"), "Basic dXNlcjpwYXNz");
        let body = one.json();
        assert_eq!(body["actionType"], "newlyAdded");
        assert_eq!(body["notificationSource"], "comment");
        assert_eq!(body["platform"], "sdk");
        assert_eq!(body["actionUser"]["userId"], "ada");
        assert_eq!(body["metadata"]["clientDocumentId"], "welcome");
        assert_eq!(body["commentAnnotation"]["annotationId"], "t1");
        assert_eq!(body["webhookId"], json!(one.id()));
    }
}

#[tokio::test]
async fn a_trigger_that_is_off_sends_nothing() {
    let (app, receiver) = world().await;
    let sent = json!({ "useWebhookService": true, "webhookServiceConfig": {
        "rawNotificationUrl": receiver.url, "triggers": { "comment_annotation.add": false },
    } });
    app.call("configuration.webhooks_update", sent).await.ok();
    app.advance(Duration::from_millis(1));
    thread(&app, "t1").await;
    app.settle().await;
    assert_eq!(receiver.count(), 0);
}

#[tokio::test]
async fn a_raw_notification_is_wrapped_when_that_is_asked_for() {
    let (app, receiver) = world().await;
    let sent = json!({ "useWebhookService": true, "webhookServiceConfig": {
        "rawNotificationUrl": receiver.url, "encodeData": true,
    } });
    app.call("configuration.webhooks_update", sent).await.ok();
    app.advance(Duration::from_millis(1));
    thread(&app, "t1").await;
    app.settle().await;
    let received = receiver.take();
    assert_eq!(received.len(), 1);
    assert!(received[0].json()["encodedPayload"].is_string());
    assert_eq!(received[0].header("authorization"), "");
}
