use std::time::Duration;

use serde_json::json;

use super::{attempts, endpoint, pass, secret, start, statuses, thread, verify};
use crate::app::receiver::Answer;

#[tokio::test]
async fn a_resend_sends_a_message_at_once_and_does_not_change_its_schedule() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    receiver.script([Answer::status(500)]);
    thread(&app, "t1").await;
    app.settle().await;
    let message = receiver.take()[0].id();
    let sent = json!({ "messageId": message, "endpointId": id });
    app.advance(Duration::from_millis(1));
    app.call("deliveries.messages_resend", sent).await.ok();
    app.settle().await;
    let manual = receiver.take();
    assert_eq!(manual.len(), 1);
    verify(&manual[0], &secret(&app, &id).await);
    assert_eq!(manual[0].id(), message);
    assert_eq!(statuses(&app, &id), ["failed"], "the schedule is neither advanced nor canceled");
    pass(&app, Duration::from_secs(10)).await;
    assert_eq!(receiver.take().len(), 1);
    let triggers: Vec<_> =
        attempts(&app, &id).await.into_iter().map(|it| it["trigger"].clone()).collect();
    assert_eq!(triggers, [json!("scheduled"), json!("manual"), json!("scheduled")]);
}

#[tokio::test]
async fn a_resend_ignores_filters_and_is_refused_for_disabled_and_deleted_endpoints() {
    let (app, receiver) = start().await;
    endpoint(&app, &receiver, json!({})).await;
    thread(&app, "t1").await;
    app.settle().await;
    let message = receiver.take()[0].id();
    let other = endpoint(&app, &receiver, json!({ "filterTypes": ["comment.add"] })).await;
    let sent = json!({ "messageId": message, "endpointId": other });
    app.call("deliveries.messages_resend", sent.clone()).await.ok();
    app.settle().await;
    assert_eq!(receiver.take().len(), 1);
    let disable = json!({ "endpointId": other, "disabled": true });
    app.call("webhook-endpoints.update", disable).await.ok();
    app.call("deliveries.messages_resend", sent.clone()).await.error("FAILED_PRECONDITION");
    app.call("webhook-endpoints.delete", json!({ "endpointId": other })).await.ok();
    app.call("deliveries.messages_resend", sent).await.error("NOT_FOUND");
    let unknown = json!({ "messageId": "msg_x", "endpointId": other });
    app.call("deliveries.messages_resend", unknown).await.error("NOT_FOUND");
    app.settle().await;
    assert_eq!(receiver.count(), 0);
}

#[tokio::test]
async fn a_message_of_a_basic_webhook_is_resent_unchanged() {
    let (app, receiver) = start().await;
    let config = |is_on: bool| {
        json!({ "useWebhookService": is_on, "webhookServiceConfig": {
            "authToken": "t", "rawNotificationUrl": receiver.url,
        } })
    };
    app.call("configuration.webhooks_update", config(true)).await.ok();
    app.advance(Duration::from_millis(1));
    thread(&app, "t1").await;
    app.settle().await;
    let first = receiver.take().remove(0);
    let resend = async |message: &str, endpoint: &str| {
        let sent = json!({ "messageId": message, "endpointId": endpoint });
        app.call("deliveries.messages_resend", sent).await
    };
    app.advance(Duration::from_millis(1));
    resend(&first.id(), "basic-raw").await.ok();
    app.settle().await;
    let again = receiver.take();
    let [again] = again.as_slice() else { panic!("{again:?}") };
    assert_eq!((again.id(), &again.body), (first.id(), &first.body));
    assert_eq!(again.header("authorization"), "Basic t");
    let triggers: Vec<_> =
        attempts(&app, "basic-raw").await.into_iter().map(|it| it["trigger"].clone()).collect();
    assert_eq!(triggers, [json!("manual"), json!("scheduled")]);

    resend(&first.id(), "basic-processed").await.error("NOT_FOUND");
    resend("msg_x", "basic-raw").await.error("NOT_FOUND");
    app.call("configuration.webhooks_update", config(false)).await.ok();
    resend(&first.id(), "basic-raw").await.error("FAILED_PRECONDITION");
    app.settle().await;
    assert_eq!(receiver.count(), 0);
}
