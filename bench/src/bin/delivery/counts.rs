//! Requests of an event and its deliveries to DynamoDB and SQS: figures independent of the machine.

use std::{collections::BTreeMap, time::Duration};

use embedded::{Call, Service};
use serde_json::json;
use tests::{App, cost::Cost, receiver::Receiver};

const EVENTS: usize = 10;

pub(crate) async fn run() -> bool {
    println!(
        "Calls of one event, its own operation left out (endpoints; capacity units of both kinds)\n"
    );
    println!("{:<12} {:>8} {:>8} {:>8} {:>8}", "endpoints", "reads", "writes", "sends", "units");
    let (none, _) = measured(0).await;
    row("0", none);
    let (one, calls) = measured(1).await;
    row("1", one);
    let (five, _) = measured(5).await;
    row("5", five);
    let each = |five: f64, one: f64| (five - one) / 4.0;
    println!(
        "{:<12} {:>8.1} {:>8.1} {:>8.1} {:>8.1}\n",
        "one more",
        each(five.0, one.0),
        each(five.1, one.1),
        each(five.2, one.2),
        each(five.3, one.3),
    );
    println!("With one endpoint, by operation and table or queue:");
    let mut by_operation: BTreeMap<(String, String), (usize, f64)> = BTreeMap::new();
    for call in calls {
        let entry = by_operation.entry((call.operation, call.target)).or_default();
        *entry = (entry.0 + 1, entry.1 + call.units);
    }
    for ((operation, target), (count, units)) in by_operation {
        let (count, units) = (count as f64 / EVENTS as f64, units / EVENTS as f64);
        println!("  {operation:<20} {target:<28} {count:>5.1} calls {units:>6.1} units");
    }
    true
}

/// Per event: reads, writes, messages sent, units.
type Averages = (f64, f64, f64, f64);

fn row(label: &str, (reads, writes, sends, units): Averages) {
    println!("{label:<12} {reads:>8.1} {writes:>8.1} {sends:>8.1} {units:>8.1}");
}

async fn measured(endpoints: usize) -> (Averages, Vec<Call>) {
    let app = App::start().await;
    app.call("configuration.advanced_webhooks_update", json!({ "isEnabled": true })).await.ok();
    let documents = json!({
        "organizationId": "acme", "createOrganization": true,
        "documents": [{ "documentId": "welcome", "documentName": "Welcome" }],
    });
    app.call("documents.add", documents).await.ok();
    let receiver = Receiver::start(&app).await;
    for _ in 0..endpoints {
        let types = ["comment_annotation.add"];
        let endpoint = json!({ "url": receiver.url, "filterTypes": types });
        app.call("webhook-endpoints.create", endpoint).await.ok();
    }
    app.settle().await;
    app.advance(Duration::from_millis(1));
    let mut calls = Vec::new();
    for n in 0..EVENTS {
        let thread = json!({
            "organizationId": "acme", "documentId": "welcome",
            "commentAnnotations": [{
                "annotationId": format!("t{n}"),
                "commentData": [{ "from": { "userId": "ada" }, "commentText": "Right?" }],
            }],
        });
        app.call("comments.annotations_add", thread).await.ok();
        app.forget_calls();
        app.settle().await;
        calls.extend(app.calls());
    }
    assert_eq!(receiver.count(), EVENTS * endpoints, "deliveries");
    // The sources of the local stack take messages from the embedded SQS themselves; Lambda would, too.
    calls.retain(|call| call.service != Service::Sqs || call.operation.starts_with("SendMessage"));
    let cost = Cost::of(&calls);
    let each = |count: usize| count as f64 / EVENTS as f64;
    let averages =
        (each(cost.reads), each(cost.writes), each(cost.sends), cost.units / EVENTS as f64);
    (averages, calls)
}
