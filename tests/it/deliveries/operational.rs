//! Events about webhooks.

use std::time::Duration;

use serde_json::{Value, json};

use super::{endpoint, pass, start, thread};
use crate::app::receiver::{Answer, Receiver};

fn received(watcher: &Receiver) -> Vec<(String, Value)> {
    let received = watcher.take();
    let pair = |it: Value| (it["type"].as_str().unwrap().to_owned(), it["data"].clone());
    received.iter().map(|it| pair(it.json())).collect()
}

#[tokio::test]
async fn changes_of_an_endpoint_are_sent_to_the_other_endpoints() {
    let (app, receiver) = start().await;
    let watcher = Receiver::start(&app).await;
    let types =
        json!(["endpoint.created", "endpoint.updated", "endpoint.deleted", "endpoint.disabled",]);
    let own = endpoint(&app, &watcher, json!({ "url": watcher.url, "filterTypes": types })).await;
    app.settle().await;
    assert_eq!(received(&watcher), [], "no endpoint hears of itself");
    let id = endpoint(&app, &receiver, json!({})).await;
    let update = |members: Value| {
        let mut sent = json!({ "endpointId": id });
        sent.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        sent
    };
    app.call("webhook-endpoints.update", update(json!({ "description": "x" }))).await.ok();
    app.advance(Duration::from_millis(2));
    app.call("webhook-endpoints.update", update(json!({ "disabled": true }))).await.ok();
    app.advance(Duration::from_millis(2));
    app.call("webhook-endpoints.delete", json!({ "endpointId": id })).await.ok();
    app.settle().await;
    let mut received = received(&watcher);
    received.sort_by(|a, b| a.0.cmp(&b.0));
    let kinds: Vec<&str> = received.iter().map(|(kind, _)| kind.as_str()).collect();
    let expected =
        ["endpoint.created", "endpoint.deleted", "endpoint.disabled", "endpoint.updated"];
    assert_eq!(kinds, expected);
    assert!(received.iter().all(|(_, data)| data["endpointId"] == json!(id)));
    assert_eq!(received[2].1["reason"], "manual");
    assert_ne!(own, id);
}

#[tokio::test]
async fn failing_and_recovered_deliveries_are_announced_once_each() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    let watcher = Receiver::start(&app).await;
    let types = json!([
        "message.attempt.failing",
        "message.attempt.recovered",
        "message.attempt.exhausted"
    ]);
    endpoint(&app, &watcher, json!({ "url": watcher.url, "filterTypes": types })).await;
    receiver.answer(Answer::status(500));
    thread(&app, "t1").await;
    app.settle().await;
    for delay in [7, 400, 2400] {
        assert_eq!(received(&watcher), []);
        pass(&app, Duration::from_secs(delay)).await;
        app.settle().await;
    }
    let failing = received(&watcher);
    assert_eq!(failing.len(), 1);
    assert_eq!(failing[0].0, "message.attempt.failing");
    assert_eq!(failing[0].1["endpointId"], json!(id));
    assert_eq!(failing[0].1["attempts"], 4);
    receiver.answer(Answer::status(200));
    pass(&app, Duration::from_secs(3 * 3600)).await;
    let recovered = received(&watcher);
    assert_eq!(recovered.len(), 1);
    assert_eq!(recovered[0].0, "message.attempt.recovered");
}

#[tokio::test]
async fn failing_operational_messages_are_not_announced() {
    let (app, receiver) = start().await;
    let broken = Receiver::start(&app).await;
    broken.answer(Answer::status(500));
    let types = json!(["endpoint.updated"]);
    endpoint(&app, &broken, json!({ "url": broken.url, "filterTypes": types })).await;
    let attempts = json!(["message.attempt.failing", "message.attempt.exhausted"]);
    let id = endpoint(&app, &receiver, json!({ "filterTypes": attempts })).await;
    let update = json!({ "endpointId": id, "description": "x" });
    app.call("webhook-endpoints.update", update).await.ok();
    app.settle().await;
    for delay in [7, 400, 2400, 10_000, 22_000, 44_000, 61_000, 87_000, 104_000] {
        pass(&app, Duration::from_secs(delay)).await;
    }
    assert_eq!(broken.take().len(), 10);
    assert_eq!(received(&receiver), []);
}
