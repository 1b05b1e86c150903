use std::time::Duration;

use futures_util::future::join;
use serde_json::json;

use super::{deliveries, endpoint, pass, start, statuses, thread};
use crate::app::receiver::Answer;

#[tokio::test]
async fn failed_and_skipped_messages_are_sent_again_and_successful_ones_are_not() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    thread(&app, "taken").await;
    app.settle().await;
    receiver.answer(Answer::status(500).header("webhook-delivery", "abort-message"));
    app.advance(Duration::from_millis(5));
    let since = app.now();
    thread(&app, "aborted").await;
    app.settle().await;
    thread(&app, "skipped").await;
    app.advance(Duration::from_millis(1));
    let switch = |disabled: bool| json!({ "endpointId": id, "disabled": disabled });
    app.call("webhook-endpoints.update", switch(true)).await.ok();
    app.settle().await;
    let sent = json!({ "endpointId": id, "since": since });
    app.call("deliveries.endpoints_recover", sent.clone()).await.error("FAILED_PRECONDITION");
    app.call("webhook-endpoints.update", switch(false)).await.ok();
    app.settle().await;
    receiver.answer(Answer::status(200));
    assert_eq!(receiver.take().len(), 2);
    app.call("deliveries.endpoints_recover", sent.clone()).await.ok();
    app.settle().await;
    assert_eq!(receiver.take().len(), 2, "the one that was aborted, and the one that was skipped");
    assert_eq!(statuses(&app, &id), ["success"; 3]);
    app.call("deliveries.endpoints_recover", sent).await.ok();
    pass(&app, Duration::from_secs(60)).await;
    assert_eq!(receiver.count(), 0, "nothing is missing any more");
}

/// A recovery is polled first, so its job has read the clock before the clock is moved.
#[tokio::test]
async fn a_recovered_message_is_due_since_the_start_of_the_recovery() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    receiver.answer(Answer::status(500).header("webhook-delivery", "abort-message"));
    thread(&app, "aborted").await;
    app.settle().await;
    app.advance(Duration::from_millis(5));
    let (since, began_at) = (app.now() - 1000, app.now());
    let task = json!({ "kind": "recover", "endpointId": id, "since": since });
    let body = json!({ "tenant": app.key.api_key, "ahead": 0, "message": task });
    let event = json!({ "Records": [{ "messageId": "m", "body": body.to_string() }] });
    let recovery = app.stack().run_worker("deliveries.send", event);
    let hour = Duration::from_secs(3600);
    let (answer, ()) = join(recovery, async { app.advance(hour) }).await;
    assert_eq!(answer, Some(json!({ "batchItemFailures": [] })));
    let rows = deliveries(&app, &id);
    assert_eq!(rows[0]["nextAt"]["N"], began_at.to_string());
}

#[tokio::test]
async fn a_recovery_from_more_than_14_days_ago_is_refused() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    let days = |days: u64| app.now() - days * 24 * 3600 * 1000;
    let sent = |since: u64| json!({ "endpointId": id, "since": since });
    app.call("deliveries.endpoints_recover", sent(days(14) + 60_000)).await.ok();
    app.call("deliveries.endpoints_recover", sent(days(14) - 1)).await.error("INVALID_ARGUMENT");
    let unknown = json!({ "endpointId": "ep_x", "since": app.now() });
    app.call("deliveries.endpoints_recover", unknown).await.error("NOT_FOUND");
}

#[tokio::test]
async fn a_recovery_of_more_messages_than_a_page_sends_all_of_them() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    receiver.answer(Answer::status(500).header("webhook-delivery", "abort-message"));
    let since = app.now() - 1000;
    for n in 0..21 {
        let threads: Vec<_> = (0..5)
            .map(|m| {
                json!({ "annotationId": format!("t{n}-{m}"),
                "commentData": [{ "from": { "userId": "ada" }, "commentText": "x" }] })
            })
            .collect();
        let sent = json!({ "organizationId": super::O, "documentId": "welcome",
            "commentAnnotations": threads });
        app.call("comments.annotations_add", sent).await.ok();
    }
    app.settle().await;
    assert_eq!(receiver.take().len(), 105);
    receiver.answer(Answer::status(200));
    let sent = json!({ "endpointId": id, "since": since });
    app.call("deliveries.endpoints_recover", sent).await.ok();
    app.settle().await;
    assert_eq!(receiver.take().len(), 105);
}
