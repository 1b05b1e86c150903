//! A hundred thousand pending deliveries to missing hosts: calls are not affected, and due
//! deliveries of others are sent.

use std::time::{Duration, Instant};

use bench::{
    client::{Client, ORGANIZATION},
    process::Service,
};
use serde_json::json;

use crate::sink::Sink;

/// Endpoints at a port without a listener.
const GONE: usize = 100;
const EVENTS: usize = 1000;
/// Number of events delivered to the existing endpoint.
const DUE: usize = 20;
/// Duration of sequential calls during the deliveries.
const WATCHED: Duration = Duration::from_secs(30);
const BUDGET: Duration = Duration::from_millis(50);

pub(crate) async fn run() -> bool {
    println!("{} deliveries to hosts that are gone; documents.get meanwhile", GONE * EVENTS);
    let (service, sink) = (Service::start().await, Sink::start().await);
    let client = Client::of(&service).await;
    let (before, _) = watch(&client, Duration::from_secs(3)).await;
    client.endpoint(&sink.url("/"), None).await;
    for n in 0..GONE {
        client.endpoint(&format!("http://127.0.0.1:9999/{n}"), None).await;
    }
    let accepted = client.events(EVENTS, 16).await.len();
    let waiting = waiting(&service).await;
    let started = Instant::now();
    let watched = watch(&client, WATCHED);
    let due = async {
        let before = sink.arrivals().len();
        let accepted = client.events(DUE, 1).await.len();
        (accepted, sink.wait(before + accepted, Duration::from_secs(120)).await, started.elapsed())
    };
    let ((during, refused), (more, _, took)) = tokio::join!(watched, due);
    let all = sink.wait(accepted + more, Duration::from_secs(900)).await;
    let drained = started.elapsed();
    println!("  {accepted} events accepted; {waiting} messages waited in the queue at the start");
    println!("  idle:      {}", percentiles(&before));
    println!("  meanwhile: {}, {refused} refused", percentiles(&during));
    println!(
        "  {DUE} later events went out to the host that is there within {:.1} s",
        took.as_secs_f64()
    );
    println!(
        "  {} of {} arrived there within {:.0} s",
        sink.arrivals().len(),
        accepted + more,
        drained.as_secs_f64()
    );
    let p99 = during[(during.len() - 1) * 99 / 100];
    all && refused == 0 && p99 <= BUDGET && accepted == EVENTS
}

/// Duration of each call, sorted, and the number refused.
async fn watch(client: &Client, how_long: Duration) -> (Vec<Duration>, usize) {
    let (started, mut took, mut refused) = (Instant::now(), Vec::new(), 0);
    while started.elapsed() < how_long {
        let asked = json!({ "organizationId": ORGANIZATION, "documentIds": ["d0"] });
        let call = Instant::now();
        let answered = client.try_call("/v2/organizations/documents/get", &asked).await.is_some();
        took.push(call.elapsed());
        refused += usize::from(!answered);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    took.sort();
    (took, refused)
}

fn percentiles(took: &[Duration]) -> String {
    let at = |share: usize| took[(took.len() - 1) * share / 100].as_secs_f64() * 1e3;
    format!("{} calls, p50 {:.1} ms, p99 {:.1} ms", took.len(), at(50), at(99))
}

/// Messages of deliveries in the queue.
async fn waiting(service: &Service) -> u64 {
    let queue = "/000000000000/roundtable-deliveries";
    let asked = json!({ "QueueUrl": queue, "AttributeNames": ["All"] });
    let answer = service.aws_call("AmazonSQS.GetQueueAttributes", &asked).await;
    let count = |name: &str| {
        let text = answer["Attributes"][name].as_str().unwrap_or_default();
        text.parse::<u64>().unwrap_or(0)
    };
    ["", "Delayed", "NotVisible"]
        .map(|kind| count(&format!("ApproximateNumberOfMessages{kind}")))
        .iter()
        .sum()
}
