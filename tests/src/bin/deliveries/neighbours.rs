//! What one tenant feels of another that behaves as badly as it can.
//!
//! The neighbour reads a document and writes a comment at a steady pace, and a webhook tells it of
//! each comment. An attack comes from another tenant, as often as its clients can send it: first
//! without a limit, then with one, as the operator sets it.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tests::{
    client::{Client, ORGANIZATION},
    process::Service,
};

use crate::sink::Sink;

/// How long each attack lasts, and the pace of the neighbour.
const LASTS: Duration = Duration::from_secs(10);
const PACE: Duration = Duration::from_millis(50);
/// Clients of the attacker.
const ATTACKERS: usize = 16;
/// Calls a second of each class that the attacker may make when there is a limit.
const LIMIT: u64 = 20;
/// A notification is no longer than this, and neither is a name.
const BOMB: usize = 100_000;

/// The path and the body of a call; the number is its own.
type Attack = fn(u64) -> (&'static str, Value);

const ATTACKS: [(&str, Attack); 6] = [
    ("a flood of reads", |_| {
        let asked = json!({ "organizationId": ORGANIZATION, "documentIds": ["d0"] });
        ("/v2/organizations/documents/get", asked)
    }),
    ("poisonous ids", |n| {
        let organization = json!({ "organizationId": format!("x\u{ffff}{n}") });
        ("/v2/organizations/add", json!({ "organizations": [organization] }))
    }),
    ("mention bombs", |n| {
        let bomb = thread(&format!("bomb-{n}"), &"{{a}}".repeat(2_000), &"n".repeat(BOMB));
        ("/v2/commentannotations/add", bomb)
    }),
    ("a thread without end", |n| match n {
        0 => ("/v2/commentannotations/add", thread("endless", "x", "Ann")),
        _ => {
            let comment = json!({ "from": { "userId": "a" }, "commentText": "x".repeat(2_000) });
            let sent = json!({
                "organizationId": ORGANIZATION, "documentId": "d0", "annotationId": "endless",
                "commentData": [comment],
            });
            ("/v2/commentannotations/comments/add", sent)
        }
    }),
    ("folders without end", |n| {
        let folders: Vec<Value> =
            (0..20).map(|m| json!({ "folderId": format!("f{n}-{m}") })).collect();
        let sent = json!({ "organizationId": ORGANIZATION, "folders": folders });
        ("/v2/organizations/folders/add", sent)
    }),
    ("endpoints without end", |n| {
        let url = format!("http://127.0.0.1:9999/{n}");
        ("/v2/workspace/advancedwebhook/endpoints/create", json!({ "url": url }))
    }),
];

fn thread(id: &str, text: &str, name: &str) -> Value {
    let person = json!({ "userId": "a", "name": name });
    json!({
        "organizationId": ORGANIZATION, "documentId": "d0", "triggerNotification": true,
        "commentAnnotations": [{
            "annotationId": id,
            "commentData": [{
                "from": person, "commentText": text,
                "taggedUserContacts": [{ "userId": "a", "contact": person }],
            }],
        }],
    })
}

pub(crate) async fn run() -> bool {
    println!("A tenant beside another that attacks for {} s each", LASTS.as_secs());
    println!(
        "{:<32} {:>18} {:>22} {:>10} {:>10}",
        "", "calls p50/p99 ms", "webhooks p50/p99 ms", "refused", "attacks"
    );
    let mut refused = 0;
    for limit in [None, Some(LIMIT)] {
        let (service, sink) = (Service::start().await, Sink::start().await);
        let neighbour = Client::of(&service).await;
        neighbour.endpoint(&sink.url("/"), None).await;
        let attacker = Arc::new(Client::of(&service).await);
        if let Some(limit) = limit {
            attacker.limit(limit).await;
            println!("With {limit} calls a second of each class for the attacker:");
        }
        refused += watch("alone", &neighbour, &sink, None).await;
        for (name, attack) in ATTACKS {
            let (over, made) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
            let attackers: Vec<_> = (0..ATTACKERS)
                .map(|_| {
                    let (over, made) = (Arc::clone(&over), Arc::clone(&made));
                    let attacker = Arc::clone(&attacker);
                    tokio::spawn(async move {
                        while !over.load(Ordering::Relaxed) {
                            let (path, sent) = attack(made.fetch_add(1, Ordering::Relaxed));
                            attacker.try_call(path, &sent).await;
                        }
                    })
                })
                .collect();
            refused += watch(name, &neighbour, &sink, Some(&made)).await;
            over.store(true, Ordering::Relaxed);
            for attacker in attackers {
                attacker.await.expect("no panic");
            }
        }
    }
    refused == 0
}

/// Lets the neighbour work and prints how long it waited; answers how many calls were refused.
async fn watch(name: &str, neighbour: &Client, sink: &Sink, made: Option<&AtomicU64>) -> usize {
    sink.forget();
    let (started, mut refused) = (Instant::now(), 0);
    let (mut calls, mut sent) = (Vec::new(), BTreeMap::new());
    let mut pace = tokio::time::interval(PACE);
    while started.elapsed() < LASTS {
        pace.tick().await;
        let asked = json!({ "organizationId": ORGANIZATION, "documentIds": ["d0"] });
        let call = Instant::now();
        let read = neighbour.try_call("/v2/organizations/documents/get", &asked).await;
        calls.push(call.elapsed());
        match neighbour.event().await {
            (n, true) => drop(sent.insert(n, Instant::now())),
            _ => refused += 1,
        }
        refused += usize::from(read.is_none());
    }
    sink.wait(sent.len(), Duration::from_secs(60)).await;
    let waited = |arrival: &crate::sink::Arrival| {
        let sent = sent.get(&arrival.event()?)?;
        Some(arrival.at.saturating_duration_since(*sent))
    };
    let webhooks = sink.arrivals().iter().filter_map(waited).collect();
    let attacks = made.map_or(0, |made| made.load(Ordering::Relaxed));
    println!(
        "{name:<32} {:>18} {:>22} {refused:>10} {attacks:>10}",
        percentiles(calls),
        percentiles(webhooks)
    );
    refused
}

fn percentiles(mut took: Vec<Duration>) -> String {
    took.sort_unstable();
    let at = |share: usize| {
        let at = took.len().saturating_sub(1) * share / 100;
        took.get(at).map_or(0.0, |took| took.as_secs_f64() * 1e3)
    };
    format!("{:.1}/{:.1}", at(50), at(99))
}
