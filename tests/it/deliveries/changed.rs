//! An endpoint whose URL or rate changes while deliveries wait or are under way.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};

use super::{attempts, deliveries, endpoint, pass, start, statuses, thread};
use crate::app::{
    App,
    receiver::{Answer, Gate, Receiver},
};

const SECOND: Duration = Duration::from_secs(1);

async fn update(app: &App, endpoint: &str, members: Value) {
    let mut sent = members;
    sent["endpointId"] = json!(endpoint);
    app.call("webhook-endpoints.update", sent).await.ok();
}

async fn is_disabled(app: &App) -> bool {
    let listed = app.call("webhook-endpoints.get", json!({})).await.data();
    listed["endpoints"][0]["disabled"] == true
}

/// Passes a few seconds.
async fn soon(app: &App) {
    app.settle().await;
    for _ in 0..3 {
        pass(app, SECOND).await;
    }
}

/// Changes the URL while a request to the old one waits for this answer. Returns what the new one
/// receives soon.
async fn changed_under_way(answer: Answer) -> (App, Receiver, String, usize) {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    let corrected = Receiver::start(&app).await;
    let gate = Arc::new(Gate::default());
    receiver.script([answer.behind(&gate)]);
    thread(&app, "t1").await;
    let change = async {
        gate.arrived().await;
        update(&app, &id, json!({ "url": corrected.url })).await;
        gate.open();
    };
    tokio::join!(app.settle(), change);
    soon(&app).await;
    assert_eq!(receiver.take().len(), 1);
    let received = corrected.take().len();
    (app, corrected, id, received)
}

#[tokio::test]
async fn messages_paused_at_the_old_url_are_sent_to_the_new_one_at_once() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    receiver.script([Answer::status(429).header("retry-after", "3600")]);
    thread(&app, "t1").await;
    app.settle().await;
    thread(&app, "t2").await;
    app.settle().await;
    assert_eq!(receiver.take().len(), 1);
    let corrected = Receiver::start(&app).await;
    update(&app, &id, json!({ "url": corrected.url })).await;
    soon(&app).await;
    let mut received: Vec<String> = corrected.take().iter().map(|it| it.id()).collect();
    received.sort();
    received.dedup();
    assert_eq!(received.len(), 2, "the one that failed and the one that waited");
    assert_eq!(statuses(&app, &id), ["success", "success"]);
    thread(&app, "t3").await;
    app.settle().await;
    assert_eq!((corrected.take().len(), receiver.count()), (1, 0));
    assert_eq!(attempts(&app, &id).await.len(), 4, "attempts at the old URL stay listed");
}

#[tokio::test]
async fn the_same_url_again_keeps_the_pause() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    receiver.script([Answer::status(429).header("retry-after", "3600")]);
    thread(&app, "t1").await;
    app.settle().await;
    update(&app, &id, json!({ "url": receiver.url, "description": "the same" })).await;
    thread(&app, "t2").await;
    soon(&app).await;
    assert_eq!(receiver.take().len(), 1);
}

#[tokio::test]
async fn a_new_url_starts_with_a_closed_breaker_and_the_whole_schedule() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    receiver.answer(Answer::status(503));
    for n in 0..5 {
        thread(&app, &format!("t{n}")).await;
        app.settle().await;
    }
    assert_eq!(receiver.take().len(), 5);
    pass(&app, 10 * SECOND).await;
    assert_eq!(receiver.take().len(), 0, "the breaker is open");
    let corrected = Receiver::start(&app).await;
    corrected.script((0..5).map(|_| Answer::status(500)));
    update(&app, &id, json!({ "url": corrected.url })).await;
    soon(&app).await;
    assert_eq!(corrected.take().len(), 5);
    // The first delay of the schedule, not the second or third.
    pass(&app, 7 * SECOND).await;
    assert_eq!(corrected.take().len(), 5);
    assert_eq!(receiver.count(), 0);
}

#[tokio::test]
async fn a_late_410_of_the_old_url_disables_nothing() {
    for answer in [
        Answer::status(410),
        Answer::status(500).header("webhook-delivery", "disable"),
        Answer::status(500).header("webhook-delivery", "abort-message"),
    ] {
        let (app, _, id, received) = changed_under_way(answer).await;
        assert!(!is_disabled(&app).await);
        assert_eq!(received, 1, "the message goes to the new URL");
        assert_eq!(statuses(&app, &id), ["success"]);
    }
    let disable = Answer::status(200).header("webhook-delivery", "disable");
    let (app, _, id, received) = changed_under_way(disable).await;
    assert!(!is_disabled(&app).await);
    assert_eq!((received, statuses(&app, &id)), (0, vec!["success".to_owned()]));
}

#[tokio::test]
async fn a_late_pause_of_the_old_url_pauses_nothing() {
    let answer = Answer::status(429).header("retry-after", "3600");
    let (app, corrected, id, received) = changed_under_way(answer).await;
    assert_eq!(received, 1);
    thread(&app, "t2").await;
    app.settle().await;
    assert_eq!(corrected.take().len(), 1);
    assert_eq!(statuses(&app, &id), ["success", "success"]);
}

#[tokio::test]
async fn a_late_success_of_the_old_url_delivers_its_message() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    let corrected = Receiver::start(&app).await;
    let gate = Arc::new(Gate::default());
    // So that the outcome of the next attempt is news for the endpoint.
    receiver.script([Answer::status(500), Answer::status(200).behind(&gate)]);
    corrected.script([Answer::status(500)]);
    thread(&app, "t1").await;
    app.settle().await;
    app.advance(10 * SECOND);
    let change = async {
        gate.arrived().await;
        update(&app, &id, json!({ "url": corrected.url })).await;
        gate.open();
    };
    tokio::join!(app.settle(), change);
    thread(&app, "t2").await;
    app.settle().await;
    assert_eq!((receiver.take().len(), corrected.take().len()), (2, 1));
    let mut fared = statuses(&app, &id);
    fared.sort();
    assert_eq!(fared, ["failed", "success"]);
}

#[tokio::test]
async fn days_of_failures_at_the_old_url_do_not_disable_the_new_one() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    receiver.answer(Answer::status(500));
    for n in 0..11 {
        thread(&app, &format!("t{n}")).await;
        app.settle().await;
        pass(&app, 3600 * 10 * SECOND).await;
    }
    let corrected = Receiver::start(&app).await;
    corrected.script([Answer::status(500)]);
    update(&app, &id, json!({ "url": corrected.url })).await;
    pass(&app, 3600 * 11 * SECOND).await;
    thread(&app, "t11").await;
    soon(&app).await;
    assert!(!is_disabled(&app).await);
    assert!(!corrected.take().is_empty());
}

#[tokio::test]
async fn messages_that_waited_are_sent_to_the_url_changed_while_the_endpoint_was_disabled() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    receiver.script([Answer::status(429).header("retry-after", "3600")]);
    thread(&app, "t1").await;
    app.settle().await;
    update(&app, &id, json!({ "disabled": true })).await;
    let corrected = Receiver::start(&app).await;
    update(&app, &id, json!({ "url": corrected.url })).await;
    soon(&app).await;
    assert_eq!(corrected.take().len(), 0);
    update(&app, &id, json!({ "disabled": false })).await;
    soon(&app).await;
    assert_eq!(corrected.take().len(), 1);
}

#[tokio::test]
async fn a_message_resent_during_a_pause_is_sent_to_the_new_url() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    thread(&app, "t1").await;
    app.settle().await;
    let message = receiver.take().remove(0).id();
    receiver.script([Answer::status(429).header("retry-after", "3600")]);
    thread(&app, "t2").await;
    app.settle().await;
    let order = json!({ "messageId": message, "endpointId": id });
    app.call("deliveries.messages_resend", order).await.ok();
    app.settle().await;
    assert_eq!(receiver.take().len(), 1);
    let corrected = Receiver::start(&app).await;
    update(&app, &id, json!({ "url": corrected.url })).await;
    soon(&app).await;
    let received: Vec<String> = corrected.take().iter().map(|it| it.id()).collect();
    assert_eq!(received.iter().filter(|id| **id == message).count(), 1, "{received:?}");
    // The delayed message of the queue finds nothing to do.
    for _ in 0..3 {
        pass(&app, 1800 * SECOND).await;
    }
    assert_eq!(corrected.count(), 0);
}

/// Messages that wait for their slots.
async fn waiting(rate: u64, messages: usize) -> (App, Receiver, String) {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({ "rateLimit": rate })).await;
    for n in 0..messages {
        thread(&app, &format!("t{n}")).await;
    }
    app.settle().await;
    (app, receiver, id)
}

/// The time of the latest slot that a delivery waits for.
fn latest(app: &App, endpoint: &str) -> u64 {
    let due = deliveries(app, endpoint).into_iter();
    let due = due.filter_map(|row| row["nextAt"]["N"].as_str().and_then(|at| at.parse().ok()));
    due.max().unwrap_or_default()
}

/// Runs due work in steps of the clock; returns the times of the requests.
async fn times(app: &App, receiver: &Receiver, steps: u32, step: Duration) -> Vec<u64> {
    for _ in 0..steps {
        app.settle().await;
        app.advance(step);
    }
    app.settle().await;
    let mut times: Vec<u64> = receiver.take().iter().map(|it| it.at).collect();
    times.sort_unstable();
    times
}

#[tokio::test]
async fn waiting_messages_are_sent_at_a_raised_rate_at_once() {
    let (app, receiver, id) = waiting(1, 30).await;
    let before = receiver.take().len();
    assert!(latest(&app, &id) > app.now() + 10_000, "at one a second the last waits half a minute");
    update(&app, &id, json!({ "rateLimit": 100 })).await;
    app.settle().await;
    assert!(latest(&app, &id) < app.now() + 3_000, "no slot of the old rate is left");
    let after = times(&app, &receiver, 20, Duration::from_millis(200)).await;
    assert_eq!(before + after.len(), 30, "{before} before the change");
}

#[tokio::test]
async fn waiting_messages_are_all_sent_when_the_rate_limit_is_removed() {
    let (app, receiver, id) = waiting(1, 30).await;
    let before = receiver.take().len();
    update(&app, &id, json!({ "rateLimit": null })).await;
    soon(&app).await;
    assert_eq!(before + receiver.take().len(), 30);
}

#[tokio::test]
async fn waiting_messages_are_sent_at_a_lowered_rate_from_the_next_second() {
    let (app, receiver, id) = waiting(5, 60).await;
    assert!(receiver.take().len() < 50);
    update(&app, &id, json!({ "rateLimit": 1 })).await;
    let changed = app.now();
    let times = times(&app, &receiver, 24, Duration::from_millis(250)).await;
    let later: Vec<u64> = times.into_iter().filter(|at| *at >= changed + 1_000).collect();
    for (n, start) in later.iter().enumerate() {
        let within = later[n..].iter().take_while(|at| **at < start + 1_000).count();
        assert!(within <= 1, "{within} in a second: {later:?}");
    }
    assert!(later.len() >= 4, "and nobody waits longer than that: {later:?}");
}
