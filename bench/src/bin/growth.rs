//! Cost of calls by data size: `cargo run --release -p bench --bin growth`.
//!
//! The service runs in a separate process, with its data in a folder. The same calls are measured
//! on empty data, after 10,000 changes, and after 100,000 changes and 1 GB; some are calls of the
//! service, the others of its DynamoDB and SQS alone. Fails if a write takes a fifth more processor
//! time at the end than at the beginning. Takes a few minutes.

use std::{
    future::Future,
    process::ExitCode,
    time::{Duration, Instant},
};

use bench::{
    client::{Client, ORGANIZATION},
    process::{self, Service},
};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

/// Number of measured calls of each kind, and of concurrent ones.
const CALLS: usize = 3000;
const AT_ONCE: usize = 16;
/// Changes before each measurement, and bytes of data before the last one.
const SIZES: [usize; 3] = [0, 10_000, 100_000];
const DATA: u64 = 1024 * 1024 * 1024;
/// Time limit of filling, for slow machines.
const PATIENCE: Duration = Duration::from_secs(600);
const TOLERANCE: f64 = 1.2;

/// Two tables of the same shape, one with a stream of both images.
const STREAMED: &str = "growth-streamed";
const PLAIN: &str = "growth-plain";
const QUEUE: &str = "/000000000000/growth";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [process::SERVE, folder, port, delays] => process::serve(folder, port, delays).await,
        [] => run().await,
        _ => {
            eprintln!("growth takes no arguments");
            ExitCode::FAILURE
        }
    }
}

/// Processor time of each call, in milliseconds, and calls a second.
#[derive(Clone, Copy)]
struct Cost {
    cpu: f64,
    rate: f64,
}

async fn run() -> ExitCode {
    let service = Service::start().await;
    let client = Client::of(&service).await;
    create(&service).await;
    let (mut changes, mut rows, mut holds) = (0, Vec::<(&str, Vec<Cost>)>::new(), true);
    for size in SIZES {
        changes = fill(&service, changes, size).await;
        println!("{changes} changes, {} MB", service.data() / 1024 / 1024);
        for (name, cost) in measure(&service, &client, &mut changes).await {
            match rows.iter_mut().find(|(known, _)| *known == name) {
                Some((_, costs)) => costs.push(cost),
                None => rows.push((name, vec![cost])),
            }
        }
    }
    println!("\nprocessor time of a call in ms (calls a second, {AT_ONCE} at once)");
    println!("{:<36} {:>16} {:>16} {:>16} {:>8}", "", "0", "10,000", "100,000, 1 GB", "change");
    for (name, costs) in rows {
        let change = costs[SIZES.len() - 1].cpu / costs[0].cpu;
        let cells: Vec<String> =
            costs.iter().map(|cost| format!("{:.2} ({:.0})", cost.cpu, cost.rate)).collect();
        let percent = format!("{:+.0} %", (change - 1.0) * 100.0);
        println!("{name:<36} {:>16} {:>16} {:>16} {percent:>8}", cells[0], cells[1], cells[2]);
        holds &= change < TOLERANCE;
    }
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn measure(
    service: &Service,
    client: &Client,
    changes: &mut usize,
) -> Vec<(&'static str, Cost)> {
    let document = |n: usize| format!("d{}", n % 50);
    let presence = |n: usize| async move {
        let user = json!({ "userId": format!("u{n}"), "name": "Ada Lovelace", "status": "online" });
        let data = json!({
            "organizationId": ORGANIZATION, "documentId": document(n), "users": [user],
        });
        client.call("/v2/presence/add", data).await
    };
    let get = |n: usize| async move {
        let data = json!({ "organizationId": ORGANIZATION, "documentIds": [document(n)] });
        client.call("/v2/organizations/documents/get", data).await
    };
    let dynamo = |operation: &str, request: Value| {
        let target = format!("DynamoDB_20120810.{operation}");
        async move { service.aws_call(&target, &request).await }
    };
    let sqs = |operation: &str, request: Value| {
        let target = format!("AmazonSQS.{operation}");
        async move { service.aws_call(&target, &request).await }
    };
    let first = *changes;
    let put = |table: &'static str| {
        move |n: usize| dynamo("PutItem", json!({ "TableName": table, "Item": item(first + n) }))
    };
    let update = |n: usize| {
        let request = json!({
            "TableName": STREAMED,
            "Key": key(first + n),
            "UpdateExpression": "SET #version = :next",
            "ConditionExpression": "#version = :last",
            "ExpressionAttributeNames": { "#version": "_version" },
            "ExpressionAttributeValues": { ":next": { "N": "2" }, ":last": { "N": "1" } },
        });
        dynamo("UpdateItem", request)
    };
    let statements = |n: usize| {
        let statement = |m: usize| {
            let text = format!(
                "UPDATE \"{STREAMED}\" SET \"_version\" = ? WHERE \"PK\" = ? AND \"SK\" = ?"
            );
            let key = key(first + (n * 5 + m) % CALLS);
            json!({ "Statement": text, "Parameters": [{ "N": n.to_string() }, key["PK"], key["SK"]] })
        };
        dynamo(
            "BatchExecuteStatement",
            json!({ "Statements": (0..5).map(statement).collect::<Vec<_>>() }),
        )
    };
    let read = |n: usize| {
        dynamo(
            "GetItem",
            json!({ "TableName": STREAMED, "Key": key(first + n), "ConsistentRead": true }),
        )
    };
    let reads = |n: usize| {
        let keys: Vec<Value> = (0..10).map(|m| key(first + (n * 10 + m) % CALLS)).collect();
        dynamo("BatchGetItem", json!({ "RequestItems": { STREAMED: { "Keys": keys } } }))
    };
    let query = |n: usize| {
        let request = json!({
            "TableName": STREAMED, "Limit": 10, "KeyConditionExpression": "PK = :pk",
            "ExpressionAttributeValues": { ":pk": key(first + n)["PK"] },
        });
        dynamo("Query", request)
    };
    let queued = |n: usize| async move {
        let entry =
            |m: usize| json!({ "Id": m.to_string(), "MessageBody": "x".repeat(500 + n % 10) });
        let entries: Vec<Value> = (0..10).map(entry).collect();
        sqs("SendMessageBatch", json!({ "QueueUrl": QUEUE, "Entries": entries })).await;
        let asked = json!({ "QueueUrl": QUEUE, "MaxNumberOfMessages": 10 });
        let received = sqs("ReceiveMessage", asked).await;
        let handle = |message: &Value| json!({ "Id": message["MessageId"], "ReceiptHandle": message["ReceiptHandle"] });
        let handles: Vec<Value> =
            received["Messages"].as_array().into_iter().flatten().map(handle).collect();
        sqs("DeleteMessageBatch", json!({ "QueueUrl": QUEUE, "Entries": handles })).await
    };
    let costs = vec![
        ("documents.get", cost(service, CALLS, get).await),
        ("presence.add", cost(service, CALLS, presence).await),
        ("PutItem of 1 KB with a stream", cost(service, CALLS, put(STREAMED)).await),
        ("PutItem of 1 KB", cost(service, CALLS, put(PLAIN)).await),
        ("UpdateItem with a condition, stream", cost(service, CALLS, update).await),
        ("BatchExecuteStatement of 5, stream", cost(service, CALLS / 5, statements).await),
        ("GetItem", cost(service, CALLS, read).await),
        ("BatchGetItem of 10", cost(service, CALLS / 5, reads).await),
        ("Query of up to 10", cost(service, CALLS, query).await),
        ("10 messages sent, received, deleted", cost(service, CALLS / 10, queued).await),
    ];
    *changes += 4 * CALLS;
    costs
}

async fn cost<F: Future<Output = Value>>(
    service: &Service,
    calls: usize,
    call: impl Fn(usize) -> F,
) -> Cost {
    let make = |range: std::ops::Range<usize>| {
        stream::iter(range).map(&call).buffer_unordered(AT_ONCE).for_each(|answer| async move {
            let refused = answer["__type"].as_str();
            assert!(refused.is_none(), "{answer}");
        })
    };
    // Work of earlier calls that is still under way is not counted with these.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (cpu, started) = (service.cpu(), Instant::now());
    make(0..calls).await;
    let took = started.elapsed();
    tokio::time::sleep(Duration::from_millis(500)).await;
    let cpu = service.cpu().saturating_sub(cpu);
    let each = |time: Duration| time.as_secs_f64() / calls as f64;
    Cost { cpu: each(cpu) * 1e3, rate: 1.0 / each(took) }
}

fn key(n: usize) -> Value {
    json!({ "PK": { "S": format!("p{}", n % 1000) }, "SK": { "S": format!("s{n}") } })
}

fn item(n: usize) -> Value {
    let mut item = key(n);
    item["_version"] = json!({ "N": "1" });
    item["_events"] = json!({ "S": "x".repeat(500) });
    item["text"] = json!({ "S": "y".repeat(400) });
    item
}

async fn create(service: &Service) {
    for table in [STREAMED, PLAIN] {
        let attribute = |name: &str| json!({ "AttributeName": name, "AttributeType": "S" });
        let key = |name: &str, kind: &str| json!({ "AttributeName": name, "KeyType": kind });
        let streamed = table == STREAMED;
        let mut request = json!({
            "TableName": table,
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [attribute("PK"), attribute("SK")],
            "KeySchema": [key("PK", "HASH"), key("SK", "RANGE")],
        });
        if streamed {
            request["StreamSpecification"] =
                json!({ "StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES" });
        }
        service.aws_call("DynamoDB_20120810.CreateTable", &request).await;
    }
    service.aws_call("AmazonSQS.CreateQueue", &json!({ "QueueName": "growth" })).await;
}

/// Makes changes up to this number, and 1 GB of data for the last size; returns the number of
/// changes.
async fn fill(service: &Service, changes: usize, wanted: usize) -> usize {
    let (started, mut changes) = (Instant::now(), changes);
    while changes < wanted && started.elapsed() < PATIENCE {
        let batch: Vec<Value> =
            (0..25).map(|n| json!({ "PutRequest": { "Item": item(changes + n) } })).collect();
        let request = json!({ "RequestItems": { STREAMED: batch } });
        service.aws_call("DynamoDB_20120810.BatchWriteItem", &request).await;
        changes += 25;
    }
    let mut n = 0;
    while wanted == SIZES[SIZES.len() - 1] && service.data() < DATA && started.elapsed() < PATIENCE
    {
        let large = |n: usize| {
            let mut item = key(1_000_000 + n);
            item["text"] = json!({ "S": "z".repeat(40_000) });
            json!({ "PutRequest": { "Item": item } })
        };
        let batch: Vec<Value> = (n..n + 25).map(large).collect();
        let request = json!({ "RequestItems": { PLAIN: batch } });
        service.aws_call("DynamoDB_20120810.BatchWriteItem", &request).await;
        n += 25;
    }
    changes
}
