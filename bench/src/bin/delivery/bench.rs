//! Speed and cost of deliveries.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use bench::{client::Client, process::Service};

use crate::sink::Sink;

/// Runs: subscribed endpoints, and events.
const RUNS: [(usize, usize); 3] = [(1, 1000), (5, 1000), (100, 64)];
const AT_ONCE: usize = 16;
/// Events of the paced run, with their interval in milliseconds.
const PACED: usize = 200;
const PACE: Duration = Duration::from_millis(50);

pub(crate) async fn run() -> bool {
    println!("Deliveries: one process with DynamoDB and SQS on disk, receivers on loopback");
    println!("accept -> deliver: from the answer of the call to the arrival of the webhook\n");
    println!(
        "{:<34} {:>9} {:>9} {:>12} {:>8} {:>8} {:>11}",
        "run", "calls/s", "deliv./s", "p50/p99 ms", "lost", "twice", "CPU ms each"
    );
    let mut holds = true;
    for (endpoints, events) in RUNS {
        holds &= burst(endpoints, events).await;
    }
    holds & paced().await
}

async fn world(endpoints: usize) -> (Service, Sink, Client) {
    let (service, sink) = (Service::start().await, Sink::start().await);
    let client = Client::of(&service).await;
    for n in 0..endpoints {
        client.endpoint(&sink.url(&format!("/{n}"))).await;
    }
    // Lets the events of the endpoints themselves pass, and opens the connections.
    client.events(AT_ONCE, AT_ONCE).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    sink.forget();
    (service, sink, client)
}

async fn burst(endpoints: usize, events: usize) -> bool {
    let (service, sink, client) = world(endpoints).await;
    let (cpu, started) = (service.cpu(), Instant::now());
    let mut accepted = BTreeMap::new();
    for _ in 0..events / AT_ONCE {
        for n in client.events(AT_ONCE, AT_ONCE).await {
            accepted.insert(n, Instant::now());
        }
    }
    let calls = started.elapsed();
    sink.wait(accepted.len() * endpoints, Duration::from_secs(120)).await;
    let label = format!("{} events, {AT_ONCE} at once, {endpoints} endpoints", accepted.len());
    let used = service.cpu().saturating_sub(cpu);
    report(&label, &sink, &accepted, endpoints, (started, calls), used)
}

async fn paced() -> bool {
    let (service, sink, client) = world(1).await;
    let (cpu, started) = (service.cpu(), Instant::now());
    let mut accepted = BTreeMap::new();
    let mut pace = tokio::time::interval(PACE);
    for _ in 0..PACED {
        pace.tick().await;
        if let (n, true) = client.event().await {
            accepted.insert(n, Instant::now());
        }
    }
    let calls = started.elapsed();
    sink.wait(accepted.len(), Duration::from_secs(60)).await;
    let label = format!("{PACED} events, one every {} ms", PACE.as_millis());
    report(&label, &sink, &accepted, 1, (started, calls), service.cpu().saturating_sub(cpu))
}

fn report(
    label: &str,
    sink: &Sink,
    accepted: &BTreeMap<u64, Instant>,
    endpoints: usize,
    (started, calls): (Instant, Duration),
    cpu: Duration,
) -> bool {
    let arrivals = sink.arrivals();
    let mut seen: BTreeMap<(String, u64), usize> = BTreeMap::new();
    let mut latencies = Vec::new();
    for arrival in &arrivals {
        let Some(n) = arrival.event() else { continue };
        if let Some(accepted) = accepted.get(&n) {
            latencies.push(arrival.at.saturating_duration_since(*accepted).as_secs_f64() * 1e3);
        }
        *seen.entry((arrival.path.clone(), n)).or_default() += 1;
    }
    latencies.sort_by(f64::total_cmp);
    let at = |share: f64| {
        latencies.get(((latencies.len() as f64 - 1.0) * share) as usize).copied().unwrap_or(0.0)
    };
    let lost = (accepted.len() * endpoints).saturating_sub(seen.len());
    let twice = seen.values().filter(|count| **count > 1).count();
    let last = arrivals.iter().map(|arrival| arrival.at).max().unwrap_or(started);
    let all = last.saturating_duration_since(started).as_secs_f64();
    println!(
        "{label:<34} {:>9.0} {:>9.0} {:>12} {lost:>8} {twice:>8} {:>11.2}",
        accepted.len() as f64 / calls.as_secs_f64(),
        seen.len() as f64 / all,
        format!("{:.0}/{:.0}", at(0.5), at(0.99)),
        cpu.as_secs_f64() * 1e3 / seen.len().max(1) as f64,
    );
    lost == 0
}
