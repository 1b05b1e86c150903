//! A message arrives once, or again with the same id, whatever fails between two writes.

use std::time::Duration;

use embedded::{Effect, Fault};
use serde_json::json;

use super::{attempts, endpoint, pass, start, statuses, thread};

#[tokio::test]
async fn a_crash_between_any_two_writes_costs_at_most_one_more_request() {
    for operation in ["PutItem", "BatchWriteItem", "TransactWriteItems", "SendMessageBatch"] {
        for skip in 0..6 {
            for effect in [Effect::InternalError, Effect::LoseReply] {
                let (app, receiver) = start().await;
                let id = endpoint(&app, &receiver, json!({})).await;
                thread(&app, "t1").await;
                let operation = operation.to_owned();
                app.fault(Fault {
                    operation: operation.clone(),
                    skip,
                    times: 12,
                    effect: effect.clone(),
                });
                let _ = app.try_settle().await;
                app.embedded().clear_faults();
                for _ in 0..6 {
                    pass(&app, Duration::from_secs(400)).await;
                }
                let at = format!("{operation} {skip} {effect:?}");
                let received = receiver.take();
                assert!((1..=2).contains(&received.len()), "{at}: {}", received.len());
                assert!(received.iter().all(|it| it.id() == received[0].id()), "{at}");
                // A request that was recorded is listed, even if its sender then died.
                let listed = attempts(&app, &id).await;
                assert!((1..=received.len()).contains(&listed.len()), "{at}: {listed:?}");
                assert!(listed.iter().all(|it| it["status"] == "success"), "{at}: {listed:?}");
                assert_eq!(statuses(&app, &id), ["success"], "{at}");
            }
        }
    }
}
