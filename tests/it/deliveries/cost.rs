//! Requests of an event and its deliveries to DynamoDB and SQS, without the operation.

use std::time::Duration;

use embedded::{Call, Service};
use serde_json::json;

use super::{endpoint, pass, start, thread};
use crate::app::{App, cost::Cost, receiver::Answer};

fn calls(app: &App) -> Vec<Call> {
    let is_ours =
        |call: &Call| call.service != Service::Sqs || call.operation.starts_with("SendMessage");
    app.calls().into_iter().filter(is_ours).collect()
}

/// Reads, writes, calls of SQS, and units written to a table.
fn counted(calls: &[Call], table: &str) -> (usize, usize, usize, f64) {
    let cost = Cost::of(calls);
    let is_write = |call: &&Call| {
        matches!(call.operation.as_str(), "PutItem" | "UpdateItem") && call.target.ends_with(table)
    };
    let units = calls.iter().filter(is_write).map(|call| call.units).sum();
    (cost.reads, cost.writes, cost.sends, units)
}

async fn one_event(endpoints: usize) -> Vec<Call> {
    let (app, receiver) = start().await;
    for _ in 0..endpoints {
        endpoint(&app, &receiver, json!({})).await;
    }
    // So that each function has read the key.
    thread(&app, "t0").await;
    app.settle().await;
    assert_eq!(receiver.take().len(), endpoints);
    thread(&app, "t1").await;
    // Rows that are read later than the event happened are read once.
    app.advance(Duration::from_millis(1));
    app.forget_calls();
    app.settle().await;
    assert_eq!(receiver.count(), endpoints);
    calls(&app)
}

#[tokio::test]
async fn a_delivery_that_succeeds_at_once_costs_one_read_and_one_write_per_endpoint() {
    let (one, five) = (one_event(1).await, one_event(5).await);
    for (endpoints, calls) in [(1, &one), (5, &five)] {
        let (reads, writes, sends, units) = counted(calls, "Schedule");
        // The endpoints and the context are read once; the number and the entry are a write each.
        assert_eq!((reads, writes), (2 + endpoints, 2 + endpoints), "{calls:#?}");
        assert_eq!(sends, 1, "deliveries are sent ten at a time");
        assert_eq!(units, endpoints as f64, "a row without a due time");
        assert!(counted(calls, "Events").3 <= 3.0, "{calls:#?}");
    }
}

#[tokio::test]
async fn a_retry_costs_a_due_row_a_claim_and_the_state_of_the_endpoint() {
    let (app, receiver) = start().await;
    endpoint(&app, &receiver, json!({})).await;
    receiver.script([Answer::status(500)]);
    app.settle().await;
    thread(&app, "t1").await;
    app.settle().await;
    app.forget_calls();
    pass(&app, Duration::from_secs(10)).await;
    assert_eq!(receiver.count(), 2);
    let calls = calls(&app);
    let puts = calls.iter().filter(|call| call.operation == "PutItem").count();
    // The claim, what came of it, and that the endpoint is well again.
    assert_eq!(puts, 3, "{calls:#?}");
}
