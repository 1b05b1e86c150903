//! Basic webhooks (contract `deliveries.basic`).

use std::time::Duration;

use serde_json::json;
use service::Table;

use super::{pass, start, thread};
use crate::app::{App, receiver::Answer};

/// Contract `configuration.webhooks_update`.
#[tokio::test]
async fn a_raw_notification_has_the_auth_token_in_its_header_at_each_attempt() {
    let (app, receiver) = start().await;
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
async fn a_private_thread_has_its_visibility_in_basic_and_advanced_webhooks() {
    let (app, receiver) = start().await;
    let raw = json!({ "useWebhookService": true, "webhookServiceConfig": {
        "rawNotificationUrl": receiver.url,
    } });
    app.call("configuration.webhooks_update", raw).await.ok();
    super::endpoint(&app, &receiver, json!({})).await;
    app.settle().await;
    let thread = |id: &str, more: serde_json::Value| {
        let mut thread =
            json!({ "annotationId": id, "commentData": [{ "from": { "userId": "ada" } }] });
        thread.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        thread
    };
    let page = json!({ "url": "https://app.example.com/p", "title": "P" });
    let private = json!({
        "visibility": { "type": "restricted", "userIds": ["bob"] }, "pageInfo": page,
        "assignedTo": { "userId": "bob" },
    });
    let sent = json!({ "organizationId": super::O, "documentId": "welcome", "commentAnnotations": [
        thread("private", private), thread("public", json!({})),
    ] });
    app.call("comments.annotations_add", sent).await.ok();
    app.settle().await;
    let received = receiver.take();
    assert_eq!(received.len(), 4);
    for one in received {
        let body = one.json();
        let data = if body["data"].is_object() { &body["data"] } else { &body };
        let is_private = data["commentAnnotation"]["annotationId"] == "private";
        let seen_by = json!({ "type": "restricted", "userIds": ["ada", "bob"] });
        let nothing = json!(null);
        let (visibility, info) = if is_private { (&seen_by, &page) } else { (&nothing, &nothing) };
        assert_eq!(
            (&data["visibility"], &data["metadata"]["pageInfo"]),
            (visibility, info),
            "{body}"
        );
        let is_raw = body["webhookId"].is_string();
        assert_eq!(data["assigned"] == true, is_private && is_raw, "{body}");
    }
}

#[tokio::test]
async fn a_trigger_that_is_off_sends_nothing() {
    let (app, receiver) = start().await;
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
async fn a_raw_notification_is_base64_if_configured() {
    let (app, receiver) = start().await;
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

/// An event in the format of notifications.
async fn notice(app: &App) {
    let carried = json!({
        "version": "v", "at": app.now(), "tenant": app.key.api_key,
        "events": [{
            "type": "notice.delivered", "organizationId": "acme", "userId": "bob",
            "notificationId": "n1", "trigger": "comment.add", "data": { "commentText": "Right?" },
        }],
    });
    let partition = format!("key#{}#organization#acme", app.key.api_key);
    let item = json!({
        "PK": { "S": partition }, "SK": { "S": "notification#n1" }, "_version": { "S": "v" },
        "_events": { "S": carried.to_string() },
    });
    crate::schedule::put(app, Table::Resources, &item).await;
}

#[tokio::test]
async fn a_delivered_notification_is_sent_once_to_the_processed_url() {
    let (app, receiver) = start().await;
    let sent = json!({ "useWebhookService": true, "webhookServiceConfig": {
        "authToken": "t", "processedNotificationUrl": receiver.url,
    } });
    app.call("configuration.webhooks_update", sent).await.ok();
    app.advance(Duration::from_millis(1));
    notice(&app).await;
    app.settle().await;
    let received = receiver.take();
    assert_eq!(received.len(), 1);
    assert!(received[0].id().starts_with("msg_"));
    assert_eq!(received[0].header("authorization"), "Basic t");
    let body = received[0].json();
    assert_eq!((&body["notificationId"], &body["commentText"]), (&json!("n1"), &json!("Right?")));
}
