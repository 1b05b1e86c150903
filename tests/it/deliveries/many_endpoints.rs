//! Events with many subscribed endpoints, and their effect on other tenants.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use embedded::{Call, Effect, Fault};
use serde_json::{Value, json};

use super::{O, endpoint, pass, start, statuses, thread};
use crate::app::{
    App, Credentials,
    receiver::{Received, Receiver},
};

/// Adds endpoints, each at a path of its own; returns their ids.
async fn endpoints(app: &App, receiver: &Receiver, count: usize) -> Vec<String> {
    let mut ids = Vec::with_capacity(count);
    for n in 0..count {
        let url = format!("{}/{n}", receiver.url);
        ids.push(endpoint(app, receiver, json!({ "url": url })).await);
    }
    app.settle().await;
    ids
}

/// Number of calls by path.
fn by_path(received: &[Received]) -> BTreeMap<&str, usize> {
    received.iter().fold(BTreeMap::new(), |mut counts, it| {
        *counts.entry(it.path.as_str()).or_default() += 1;
        counts
    })
}

fn sent(calls: &[Call], queue: &str) -> usize {
    let is_sent =
        |call: &&Call| call.operation.starts_with("SendMessage") && call.target.ends_with(queue);
    calls.iter().filter(is_sent).map(|call| call.items).sum()
}

#[tokio::test]
async fn each_of_500_endpoints_gets_an_event_once() {
    let (app, receiver) = start().await;
    let ids = endpoints(&app, &receiver, 500).await;
    thread(&app, "t1").await;
    app.forget_calls();
    app.settle().await;
    let received = receiver.take();
    let counts = by_path(&received);
    assert_eq!((counts.len(), received.len()), (500, 500));
    assert!(received.iter().all(|it| it.id() == received[0].id()));
    assert_eq!(sent(&app.calls(), "journal-retry"), 1, "the event itself");
    let order = 5;
    assert_eq!(sent(&app.calls(), "deliveries"), 500 + order, "a hundred by an order");

    // An order that comes again finds that everything was done.
    let order = json!({ "kind": "spread", "messageId": received[0].id() });
    assert_eq!(give(&app, &app.key, order).await, json!([]));
    app.settle().await;
    assert_eq!(receiver.count(), 0);
    for id in [&ids[0], &ids[250], &ids[499]] {
        assert_eq!(statuses(&app, id), ["success"]);
    }
}

/// Passes a message to the sender; returns the failed ones.
async fn give(app: &App, key: &Credentials, message: Value) -> Value {
    let body = json!({ "tenant": key.api_key, "ahead": 0, "message": message });
    let record = json!({
        "messageId": "m", "body": body.to_string(),
        "attributes": { "ApproximateReceiveCount": "1", "MessageGroupId": key.api_key },
    });
    let event = json!({ "Records": [record] });
    app.stack().run_worker("deliveries.send", event).await.unwrap()["batchItemFailures"].take()
}

#[tokio::test]
async fn a_crash_between_any_two_steps_loses_no_message_of_any_of_120_endpoints() {
    let (app, receiver) = start().await;
    endpoints(&app, &receiver, 120).await;
    let effects = [Effect::InternalError, Effect::LoseReply, Effect::Unprocessed];
    for (n, effect) in effects.into_iter().enumerate() {
        for skip in [0, 1, 2, 5, 12, 13, 14] {
            for operation in ["SendMessageBatch", "PutItem"] {
                // One item is not a batch.
                if (operation, &effect) == ("PutItem", &Effect::Unprocessed) {
                    continue;
                }
                let at = format!("{operation} {skip} {effect:?}");
                thread(&app, &format!("{operation}-{skip}-{n}")).await;
                let fault = |operation: &str| Fault {
                    operation: operation.to_owned(),
                    skip,
                    times: 12,
                    effect: effect.clone(),
                };
                app.fault(fault(operation));
                let _ = app.try_settle().await;
                app.embedded().clear_faults();
                for _ in 0..4 {
                    pass(&app, Duration::from_secs(400)).await;
                }
                let received = receiver.take();
                let counts = by_path(&received);
                assert_eq!(counts.len(), 120, "{at}");
                assert!(counts.values().all(|count| *count <= 2), "{at}: {counts:?}");
                assert!(received.iter().all(|it| it.id() == received[0].id()), "{at}");
            }
        }
    }
}

#[tokio::test]
async fn an_event_goes_to_endpoints_by_their_filters_at_its_time_unless_deleted_since() {
    let (app, receiver) = start().await;
    let ids = endpoints(&app, &receiver, 12).await;
    thread(&app, "t1").await;
    app.advance(Duration::from_millis(5));
    let changed = json!({ "endpointId": ids[3], "filterTypes": ["endpoint.created"] });
    app.call("webhook-endpoints.update", changed).await.ok();
    app.call("webhook-endpoints.delete", json!({ "endpointId": ids[5] })).await.ok();
    let late = endpoint(&app, &receiver, json!({ "url": format!("{}/late", receiver.url) })).await;
    app.settle().await;
    let received = receiver.take();
    let counts = by_path(&received);
    assert_eq!(counts.len(), 11, "{counts:?}");
    assert!(counts.contains_key("/hook/3") && !counts.contains_key("/hook/5"), "{counts:?}");
    assert!(!counts.contains_key("/hook/late") && statuses(&app, &late).is_empty());
}

/// Endpoints that were read for one event are not used for later events.
#[tokio::test]
async fn a_later_endpoint_receives_only_later_events() {
    for count in [1, 12] {
        let (app, receiver) = start().await;
        let ids = endpoints(&app, &receiver, count).await;
        thread(&app, "t1").await;
        app.settle().await;
        assert_eq!(receiver.take().len(), count);
        let url = format!("{}/late", receiver.url);
        endpoint(&app, &receiver, json!({ "url": url })).await;
        let changed = json!({ "endpointId": ids[0], "filterTypes": ["endpoint.created"] });
        app.call("webhook-endpoints.update", changed).await.ok();
        app.advance(Duration::from_millis(5));
        thread(&app, "t2").await;
        app.settle().await;
        let received = receiver.take();
        let counts = by_path(&received);
        assert_eq!(counts.len(), count, "{counts:?}");
        assert!(counts.contains_key("/hook/late") && !counts.contains_key("/hook/0"), "{counts:?}");
    }
}

#[tokio::test]
async fn the_fan_out_of_a_deleted_key_is_dropped() {
    let (app, receiver) = start().await;
    let other = app.second_key().await;
    endpoints(&app, &receiver, 12).await;
    thread(&app, "t1").await;
    app.settle().await;
    let message = receiver.take()[0].id();
    thread(&app, "t2").await;
    app.call("workspace.api_key_delete", json!({ "apiKey": app.key.api_key })).await.ok();
    app.advance(Duration::from_secs(11));
    app.settle().await;
    let order = json!({ "kind": "spread", "messageId": message });
    assert_eq!(give(&app, &app.key, order).await, json!([]));
    app.settle().await;
    assert_eq!(receiver.count(), 0);
    app.call_as(&other, "organizations.get", json!({})).await.ok();
}

/// The journal dispatches events of others at once, whatever the backlog of one tenant.
#[tokio::test]
async fn events_of_another_tenant_are_delivered_beside_a_backlog_of_many_endpoints() {
    const ENDPOINTS: usize = 40;
    const EVENTS: usize = 20;
    let (app, receiver) = start().await;
    endpoints(&app, &receiver, ENDPOINTS).await;
    let neighbour = app.second_key().await;
    let as_neighbour = |operation: &'static str, sent: Value| {
        let neighbour = neighbour.clone();
        let app = &app;
        async move { app.call_as(&neighbour, operation, sent).await.data() }
    };
    as_neighbour("configuration.advanced_webhooks_update", json!({ "isEnabled": true })).await;
    let documents = json!({ "organizationId": O, "createOrganization": true,
        "documents": [{ "documentId": "welcome" }] });
    as_neighbour("documents.add", documents).await;
    let url = format!("{}/neighbour", receiver.url);
    let created = json!({ "url": url, "filterTypes": ["comment_annotation.add"] });
    as_neighbour("webhook-endpoints.create", created).await;
    app.settle().await;
    app.advance(Duration::from_millis(1));

    // So that each function knows the endpoints.
    thread(&app, "first").await;
    app.settle().await;
    receiver.take();

    for n in 0..EVENTS {
        thread(&app, &format!("t{n}")).await;
    }
    let comment = json!({ "from": { "userId": "ada" }, "commentText": "Hello" });
    let sent_by_neighbour = json!({ "organizationId": O, "documentId": "welcome",
        "commentAnnotations": [{ "annotationId": "n", "commentData": [comment] }] });
    as_neighbour("comments.annotations_add", sent_by_neighbour).await;
    // Rows that are read later than the events happened are read once.
    app.advance(Duration::from_millis(1));
    app.forget_calls();
    let records = app.records();
    let stream = json!({ "Records": records[records.len() - EVENTS - 1..] });
    let answer = app.stack().run_worker("journal.events", stream).await.unwrap();
    assert_eq!(answer["batchItemFailures"], json!([]));
    let calls = app.calls();
    let messages = (sent(&calls, "journal-retry"), sent(&calls, "deliveries"));
    assert_eq!(messages, (EVENTS, 1), "whatever the number of endpoints");

    app.settle().await;
    let received = receiver.take();
    assert_eq!(received.len(), EVENTS * ENDPOINTS + 1);
    let position = received.iter().position(|it| it.path == "/hook/neighbour").unwrap();
    assert!(position < 10, "others before it: {position}");
    let queries = app.calls().iter().filter(|call| call.operation == "Query").count();
    // Where functions share nothing, the ten messages that a worker gets at once read them each.
    let is_separate = tests::rights::variable("ROUNDTABLE_SEPARATE").is_some();
    let most = if is_separate { 16 } else { 6 };
    assert!(queries <= most, "endpoints are read once for all that happened: {queries}");
}

async fn limit(app: &App, deliveries_per_second: u64) {
    let limits = json!({ "apiKey": app.key.api_key, "deliveriesPerSecond": deliveries_per_second });
    app.call("operator.api_key_limits_update", limits).await.ok();
    pass(app, Duration::from_secs(11)).await;
}

#[tokio::test]
async fn deliveries_above_the_limit_per_second_are_sent_later() {
    let (app, receiver) = start().await;
    endpoints(&app, &receiver, 120).await;
    limit(&app, 10).await;
    let began = app.now();
    thread(&app, "t1").await;
    app.settle().await;
    // Ten seconds' worth at once, and ten for each second that passes, on a busy machine meanwhile.
    let most = || 100 + usize::try_from((app.now() - began) / 1000).unwrap() * 10;
    let sent = receiver.count();
    assert!((100..=most()).contains(&sent), "{sent} of {}", most());
    pass(&app, Duration::from_secs(1)).await;
    assert!(receiver.count() <= most(), "{} of {}", receiver.count(), most());
    pass(&app, Duration::from_secs(1)).await;
    assert_eq!(by_path(&receiver.take()).len(), 120);
    limit(&app, 0).await;
    thread(&app, "t2").await;
    app.settle().await;
    assert_eq!(receiver.take().len(), 120, "no limit");
}

/// A queue delays by 15 minutes at most: what has to wait longer is counted later.
#[tokio::test]
async fn deliveries_that_wait_longer_than_a_queue_allows_are_all_sent() {
    const EVENTS: usize = 12;
    let (app, receiver) = start().await;
    endpoints(&app, &receiver, 120).await;
    limit(&app, 1).await;
    for n in 0..EVENTS {
        thread(&app, &format!("t{n}")).await;
    }
    app.settle().await;
    for minute in 1..=2 * EVENTS + 10 {
        pass(&app, Duration::from_secs(60)).await;
        let sent = receiver.count();
        assert!(sent <= 60 * minute + 110, "{sent} in {minute} minutes");
    }
    let received = receiver.take();
    let unique: BTreeSet<(String, String)> =
        received.iter().map(|it| (it.path.clone(), it.id())).collect();
    assert_eq!((received.len(), unique.len()), (120 * EVENTS, 120 * EVENTS));
}
