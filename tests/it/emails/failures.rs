//! Failures between the service and SES: a mail is neither lost nor sent twice.

use std::time::Duration;

use embedded::{Effect, Fault};
use serde_json::{Value, json};

use super::{mention, rows, start, state, wait, wake};
use crate::app::App;

fn ses(app: &App, times: usize, effect: Effect) {
    app.fault(Fault { operation: "SendEmail".to_owned(), skip: 0, times, effect });
}

/// Calls of SES so far.
fn attempts(app: &App) -> usize {
    app.calls().iter().filter(|call| call.operation == "SendEmail").count()
}

#[tokio::test]
async fn a_mail_whose_reply_was_lost_is_not_sent_twice() {
    let app = start().await;
    ses(&app, 1, Effect::LoseReply);
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    assert_eq!((app.mails().len(), &state(&app)["is"]), (1, &json!("sending")));
    wait(&app, 80).await;
    assert_eq!(state(&app)["is"], "sending", "an attempt has 90 seconds");
    wait(&app, 20).await;
    assert_eq!(app.mails().len(), 1);
    assert_eq!(state(&app)["messageId"], app.mails()[0].id);
    assert_eq!(attempts(&app), 1);
}

#[tokio::test]
async fn a_mail_without_a_reply_and_a_report_is_sent_again() {
    let app = start().await;
    ses(&app, 1, Effect::InternalError);
    mention(&app, "d", "t", "x").await;
    wait(&app, 80).await;
    assert_eq!((app.mails().len(), attempts(&app)), (0, 1));
    wait(&app, 20).await;
    assert_eq!((app.mails().len(), attempts(&app)), (1, 2));
    assert_eq!(state(&app)["is"], "sent");
    assert_eq!(app.mails()[0].tag("a"), Some("2"));
}

#[tokio::test]
async fn a_mail_without_a_reply_is_dropped_after_three_attempts() {
    let app = start().await;
    ses(&app, 10, Effect::InternalError);
    mention(&app, "d", "t", "x").await;
    for _ in 0..6 {
        wait(&app, 100).await;
    }
    assert_eq!((app.mails().len(), attempts(&app)), (0, 3));
    assert_eq!(state(&app)["reason"], "unanswered");
}

#[tokio::test]
async fn a_throttled_mail_is_retried_after_growing_delays() {
    let app = start().await;
    ses(&app, 4, Effect::Throttle);
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    let mut pauses = Vec::new();
    for attempt in 1..=4 {
        assert_eq!((app.mails().len(), attempts(&app)), (0, attempt));
        let state = state(&app);
        let pause = state["at"].as_u64().expect("a time").saturating_sub(app.now());
        pauses.push(pause);
        wait(&app, pause.div_ceil(1000) + 1).await;
    }
    assert_eq!((app.mails().len(), attempts(&app)), (1, 5));
    for (pause, longest) in pauses.iter().zip([1000, 2000, 4000, 8000]) {
        assert!(*pause <= longest, "{pauses:?}");
    }
    assert!(pauses[3] > 2000, "{pauses:?}");
}

#[tokio::test]
async fn a_mail_that_was_sent_and_not_recorded_is_not_sent_twice() {
    let app = start().await;
    ses(&app, 1, Effect::Throttle);
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    app.advance(Duration::from_secs(3));
    // The attempt is claimed; its end is not recorded.
    let effect = Effect::InternalError;
    app.fault(Fault { operation: "PutItem".to_owned(), skip: 1, times: 100, effect });
    let answer = app.stack().run_worker("emails.send", wake(&app)).await.expect("a worker");
    assert_eq!(answer["batchItemFailures"][0]["itemIdentifier"], "m");
    assert_eq!((app.mails().len(), &state(&app)["is"]), (1, &json!("sending")));
    app.embedded().clear_faults();
    wait(&app, 1).await;
    wait(&app, 100).await;
    assert_eq!((app.mails().len(), attempts(&app)), (1, 2));
    assert_eq!(state(&app)["messageId"], app.mails()[0].id);
}

#[tokio::test]
async fn simultaneous_workers_send_a_waiting_mail_once() {
    let app = start().await;
    ses(&app, 1, Effect::Throttle);
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    app.advance(Duration::from_secs(3));
    let event = wake(&app);
    let run = || app.stack().run_worker("emails.send", event.clone());
    futures_util::future::join_all((0..5).map(|_| run())).await;
    assert_eq!(app.mails().len(), 1);
    run().await.expect("a worker");
    wait(&app, 300).await;
    assert_eq!((app.mails().len(), rows(&app, "mail").len()), (1, 1));
}

#[tokio::test]
async fn an_early_wake_message_and_one_without_a_row_send_no_mail() {
    let app = start().await;
    ses(&app, 1, Effect::Throttle);
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    app.stack().run_worker("emails.send", wake(&app)).await.expect("a worker");
    assert_eq!((app.mails().len(), attempts(&app)), (0, 1));
    let sample = crate::app::sample("emails-send").replace("{{apiKey}}", &app.key.api_key);
    let sample: Value = serde_json::from_str(&sample).expect("JSON");
    let answer = app.stack().run_worker("emails.send", sample).await.expect("a worker");
    assert_eq!(answer, json!({ "batchItemFailures": [] }));
    wait(&app, 5).await;
    assert_eq!(app.mails().len(), 1);
}

/// A mail may be processed before its notification is recorded as delivered: the two are written
/// one after the other, and the worker of mails does not wait.
#[tokio::test]
async fn a_mail_goes_out_although_its_notification_is_not_recorded_yet() {
    for skip in 0..8 {
        let app = start().await;
        app.expect_dead_letters();
        mention(&app, "d", "t", "x").await;
        // The retries of the client fail, too.
        let effect = Effect::InternalError;
        app.fault(Fault { operation: "PutItem".to_owned(), skip, times: 4, effect });
        let _ = app.try_settle().await;
        app.embedded().clear_faults();
        for _ in 0..4 {
            wait(&app, 400).await;
        }
        assert_eq!(app.mails().len(), 1, "{skip}: {}", state(&app));
    }
}
