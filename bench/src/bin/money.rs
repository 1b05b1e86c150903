//! Prints the cost of operations in dollars, from the units and calls of their samples, and the
//! monthly cost of a team.

use embedded::{Call, Service};
use serde_json::json;
use tests::{App, cost::Cost, guide, receiver::Receiver, specs};

/// Dollars per million, us-east-1, on demand: <https://aws.amazon.com/dynamodb/pricing/on-demand/>,
/// <https://aws.amazon.com/sqs/pricing/>, <https://aws.amazon.com/api-gateway/pricing/>,
/// <https://aws.amazon.com/lambda/pricing/>.
const WRITE_UNIT: f64 = 0.625;
const READ_UNIT: f64 = 0.125;
const QUEUE_REQUEST: f64 = 0.40;
const HTTP_REQUEST: f64 = 1.00;
/// A request, and 10 ms of 256 MB on arm64 at $0.0000133334 a GB-second.
const INVOCATION: f64 = 0.20 + 0.0333;
/// Messages per batch, which share requests of a queue.
const BATCH: f64 = 10.0;

/// Cost of calls, in dollars per million.
struct Dollars {
    units: f64,
    queues: f64,
    functions: f64,
}

impl Dollars {
    /// `requests` came from outside.
    fn of(calls: &[Call], requests: f64) -> Self {
        let cost = Cost::of(calls);
        let is_queue = |call: &&Call| call.service == Service::Sqs;
        let sent: usize = calls
            .iter()
            .filter(is_queue)
            .filter(|call| call.operation.starts_with("Send"))
            .map(|call| call.items.max(1))
            .sum();
        // Each message is sent, received and deleted, ten at a time where there are so many.
        let batches = sent as f64 / BATCH;
        Self {
            units: cost.write_units * WRITE_UNIT + cost.read_units * READ_UNIT,
            queues: 3.0 * batches * QUEUE_REQUEST,
            functions: requests * (HTTP_REQUEST + INVOCATION) + batches * INVOCATION,
        }
    }

    fn sum(&self) -> f64 {
        self.units + self.queues + self.functions
    }
}

#[tokio::main]
async fn main() {
    println!(
        "Dollars per million: ${WRITE_UNIT} a write unit, ${READ_UNIT} a read unit, ${QUEUE_REQUEST} a queue request,"
    );
    println!(
        "${HTTP_REQUEST} a request of the HTTP API, ${INVOCATION:.3} an invocation of 10 ms with 256 MB; us-east-1.\n"
    );
    println!(
        "{:<36} {:>7} {:>7} {:>9} {:>9}",
        "operation, on its sample", "writes", "reads", "DynamoDB", "all"
    );
    for spec in specs().values() {
        let (cost, dollars) = of_sample(spec.name).await;
        println!(
            "{:<36} {:>7.1} {:>7.1} {:>9.2} {:>9.2}",
            spec.name,
            cost.write_units,
            cost.read_units,
            dollars.units,
            dollars.sum()
        );
    }
    comment_with_a_webhook().await;
    month().await;
}

/// The sample of an operation with its background work.
async fn of_sample(operation: &'static str) -> (Cost, Dollars) {
    let (app, second) = App::sample_world().await;
    let spec = &specs()[operation];
    let body = app.sample_body(&spec.binary(), &second);
    app.settle().await;
    app.forget_calls();
    app.caller().body_at(spec.paths[0], body).await.ok();
    app.settle().await;
    let calls = app.calls();
    (Cost::of(&calls), Dollars::of(&calls, 1.0))
}

/// A comment in a thread of three, with one subscribed endpoint.
async fn comment_with_a_webhook() {
    const COMMENTS: usize = 100;
    let app = App::start().await;
    app.call("configuration.advanced_webhooks_update", json!({ "isEnabled": true })).await.ok();
    let receiver = Receiver::start(&app).await;
    let endpoint = json!({ "url": receiver.url, "filterTypes": ["comment.add"] });
    app.call("webhook-endpoints.create", endpoint).await.ok();
    let comment = || json!({ "from": { "userId": "ada" }, "commentText": "Is this still right?" });
    for n in 0..COMMENTS {
        let thread = json!({
            "organizationId": "acme", "documentId": "welcome",
            "createOrganization": true, "createDocument": true,
            "commentAnnotations": [{
                "annotationId": format!("t{n}"), "commentData": [comment(), comment(), comment()],
            }],
        });
        app.call("comments.annotations_add", thread).await.ok();
    }
    app.settle().await;
    app.forget_calls();
    for n in 0..COMMENTS {
        let reply = json!({
            "organizationId": "acme", "documentId": "welcome", "annotationId": format!("t{n}"),
            "commentData": [comment()],
        });
        app.call("comments.add", reply).await.ok();
    }
    app.settle().await;
    let dollars = Dollars::of(&app.calls(), COMMENTS as f64);
    let each = COMMENTS as f64;
    println!(
        "\nA comment that one webhook hears of, all in: ${:.2} per million (DynamoDB {:.2}, queues {:.2}, gateway and functions {:.2})",
        dollars.sum() / each,
        dollars.units / each,
        dollars.queues / each,
        dollars.functions / each,
    );
}

/// Each member of a team does the whole guide on each working day.
async fn month() {
    const PEOPLE: f64 = 50.0;
    const DAYS: f64 = 22.0;
    /// The timer, and polls of idle queues by their event source mappings, are requests as well.
    const MINUTES: f64 = 30.0 * 24.0 * 60.0;
    let app = App::start().await;
    app.forget_calls();
    let requests = guide::play(&app, "A_DAY.md").await;
    let day = Dollars::of(&app.calls(), requests as f64);
    let work = day.sum() * PEOPLE * DAYS / 1e6;
    let timer = MINUTES * (INVOCATION + 4.0 * 0.5 * READ_UNIT) / 1e6;
    println!(
        "\nA month of {PEOPLE} people who each do all {requests} calls of docs/A_DAY.md on {DAYS} days: ${work:.2}, and ${timer:.2} for the timer.",
    );
}
