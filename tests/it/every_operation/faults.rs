use std::time::{Duration, Instant};

use embedded::{Effect, Fault};
use futures_util::{StreamExt, stream};

use crate::app::{App, specs};

/// The reply has our envelope, and the next call succeeds, whatever fault the store has at any call
/// of an operation.
async fn survives(effect: Effect, times: usize) {
    for spec in specs().values() {
        let (app, second) = App::sample_world().await;
        let body = app.sample_body(&spec.binary(), &second);
        for skip in 0..3 {
            let fault = Fault { operation: "*".to_owned(), skip, times, effect: effect.clone() };
            app.fault(fault);
            let reply = app.caller().body_at(spec.paths[0], body.clone()).await;
            assert!(reply.is_ours(), "{} {effect:?}: {}", spec.name, reply.text());
            assert!(!reply.text().contains("roundtable-"), "no name of a table: {}", reply.text());
            app.embedded().clear_faults();
        }
        let reply = app.caller().body_at(spec.paths[0], body).await;
        assert!(reply.is_ours() && reply.status() < 500, "{}: {}", spec.name, reply.text());
    }
}

#[tokio::test]
async fn a_throttled_call_is_repeated_or_reported() {
    survives(Effect::Throttle, 1).await;
}

#[tokio::test]
async fn a_store_that_stays_throttled_is_reported() {
    survives(Effect::Throttle, 100).await;
}

#[tokio::test]
async fn an_error_of_the_store_is_repeated_or_reported() {
    survives(Effect::InternalError, 1).await;
}

#[tokio::test]
async fn a_conflicting_transaction_is_repeated() {
    survives(Effect::TransactionConflict, 2).await;
}

#[tokio::test]
async fn every_operation_survives_unprocessed_items() {
    survives(Effect::Unprocessed, 3).await;
}

/// If DynamoDB leaves a part of a read unprocessed, the service asks for the rest again.
#[tokio::test]
async fn a_read_that_the_store_answers_in_part_is_completed() {
    let reads = specs().values().filter(|spec| spec.effect == service::Effect::Reads);
    // A token has the time at which it was made.
    for spec in reads.filter(|spec| spec.name != "users.generate_token") {
        let (app, second) = App::sample_world().await;
        let body = app.sample_body(&spec.binary(), &second);
        let caller = app.caller();
        let call = || caller.body_at(spec.paths[0], body.clone());
        let whole = call().await.ok();
        let (operation, effect) = ("BatchGetItem".to_owned(), Effect::Unprocessed);
        app.fault(Fault { operation, skip: 0, times: 2, effect });
        assert_eq!(call().await.ok(), whole, "{}", spec.name);
    }
}

/// The reply of DynamoDB to a write is lost: the write happened, so the operation has to succeed.
/// On a very busy machine the repetition may come too late, so the test tries three times; a defect
/// would fail all of them.
#[tokio::test]
async fn every_operation_succeeds_when_the_store_loses_one_reply() {
    for spec in specs().values() {
        for skip in 0..2 {
            let mut answer = String::new();
            for _ in 0..3 {
                let (app, second) = App::sample_world().await;
                let fault =
                    Fault { operation: "*".to_owned(), skip, times: 1, effect: Effect::LoseReply };
                app.fault(fault);
                let body = app.sample_body(&spec.binary(), &second);
                let reply = app.caller().body_at(spec.paths[0], body).await;
                answer = reply.text().to_owned();
                if reply.status() == 200 && !answer.contains("\"success\":false") {
                    answer.clear();
                    break;
                }
            }
            assert_eq!(answer, "", "{}", spec.name);
        }
    }
}

#[tokio::test]
async fn a_stalled_store_is_given_up_in_time() {
    let worlds = specs().values().map(|spec| async move {
        let (app, second) = App::sample_world().await;
        // The cached admission expires: with it, items of a batch would be reported one by one.
        app.advance(Duration::from_secs(11));
        let stall = Effect::Stall(Duration::from_secs(30));
        app.advance(Duration::from_secs(11));
        app.fault(Fault { operation: "*".to_owned(), skip: 0, times: 100, effect: stall });
        let started = Instant::now();
        let reply =
            app.caller().body_at(spec.paths[0], app.sample_body(&spec.binary(), &second)).await;
        reply.error("UNAVAILABLE");
        assert!(started.elapsed() < Duration::from_secs(20), "{}", spec.name);
    });
    // All at once would need more open files than some systems allow.
    stream::iter(worlds).buffer_unordered(32).collect::<()>().await;
}
