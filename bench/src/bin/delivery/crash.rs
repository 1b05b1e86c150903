//! The process is killed during events: all of them arrive.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::{Duration, Instant},
};

use bench::{client::Client, process::Service};

use crate::sink::Sink;

const EVENTS: usize = 1000;
const ENDPOINTS: usize = 5;
const AT_ONCE: usize = 8;
/// Time limit of a recovery.
const RECOVERY: Duration = Duration::from_secs(60);

pub(crate) async fn run() -> bool {
    println!("Killed in the middle of {EVENTS} events with {ENDPOINTS} endpoints, then restarted");
    let (mut service, sink) = (Service::start().await, Sink::start().await);
    let client = Arc::new(Client::of(&service).await);
    for n in 0..ENDPOINTS {
        client.endpoint(&sink.url(&format!("/{n}"))).await;
    }
    let first = client.events(EVENTS / 2, AT_ONCE).await;
    let more = tokio::spawn({
        let client = Arc::clone(&client);
        async move { client.events(AT_ONCE * 4, AT_ONCE).await }
    });
    tokio::time::sleep(Duration::from_millis(30)).await;
    service.kill();
    let before = sink.arrivals().len();
    let during = more.await.expect("no panic");
    let restarted = Instant::now();
    service.restart().await;
    let rest = client.events(EVENTS - first.len() - during.len(), AT_ONCE).await;
    let accepted: BTreeSet<u64> = first.into_iter().chain(during).chain(rest).collect();

    let mut arrived = count(&sink);
    while !accepted.iter().all(|n| arrived.get(n).is_some_and(|it| it.paths.len() == ENDPOINTS)) {
        if restarted.elapsed() > RECOVERY * 4 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        arrived = count(&sink);
    }
    let recovery = restarted.elapsed();
    let complete = accepted.iter().filter_map(|n| arrived.get(n));
    let delivered: usize = complete.map(|it| it.paths.len()).sum();
    let twice: usize = arrived.values().map(|it| it.requests - it.paths.len()).sum();
    let same_ids = arrived.values().all(|it| it.ids.len() == 1);
    let unasked = arrived.keys().filter(|n| !accepted.contains(n)).count();
    println!("  accepted {} events, {before} requests had arrived at the kill", accepted.len());
    println!("  delivered {delivered} of {}", accepted.len() * ENDPOINTS);
    println!("  arrived more than once: {twice}; the same webhook-id each time: {same_ids}");
    println!("  delivered though the call was not answered: {unasked} events");
    println!("  everything there {:.1} s after the restart", recovery.as_secs_f64());
    delivered == accepted.len() * ENDPOINTS && same_ids && recovery < RECOVERY
}

#[derive(Default)]
struct Arrived {
    paths: BTreeSet<String>,
    ids: BTreeSet<String>,
    requests: usize,
}

fn count(sink: &Sink) -> BTreeMap<u64, Arrived> {
    let mut arrived: BTreeMap<u64, Arrived> = BTreeMap::new();
    for arrival in sink.arrivals() {
        let Some(n) = arrival.event() else { continue };
        let it = arrived.entry(n).or_default();
        it.ids.extend(arrival.headers.get("webhook-id").cloned());
        it.paths.insert(arrival.path);
        it.requests += 1;
    }
    arrived
}
