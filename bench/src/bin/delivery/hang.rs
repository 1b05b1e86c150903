//! One endpoint of a hundred never replies: the others are not affected.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use bench::{client::Client, process::Service};

use crate::sink::Sink;

const ENDPOINTS: usize = 100;
const EVENTS: usize = 30;
const PACE: Duration = Duration::from_secs(2);
/// Tolerance of the slowest.
const TOLERANCE: f64 = 1.10;

pub(crate) async fn run() -> bool {
    println!(
        "{ENDPOINTS} endpoints, an event every {} s, {EVENTS} events; accept -> deliver",
        PACE.as_secs()
    );
    let healthy = latencies(false).await;
    let beside = latencies(true).await;
    let p99 = |latencies: &[f64]| latencies[(latencies.len() - 1) * 99 / 100];
    let p50 = |latencies: &[f64]| latencies[latencies.len() / 2];
    println!("  all answer:      p50 {:.0} ms, p99 {:.0} ms", p50(&healthy), p99(&healthy));
    println!(
        "  one never does:  p50 {:.0} ms, p99 {:.0} ms of the others",
        p50(&beside),
        p99(&beside)
    );
    let change = p99(&beside) / p99(&healthy);
    println!("  the p99 moved by {:+.1} %", (change - 1.0) * 100.0);
    beside.len() == healthy.len() && change < TOLERANCE
}

/// Duration of each delivery to the 99 other endpoints, in milliseconds, sorted.
async fn latencies(one_hangs: bool) -> Vec<f64> {
    let (service, sink) = (Service::start().await, Sink::start().await);
    let client = Client::of(&service).await;
    for n in 1..ENDPOINTS {
        client.endpoint(&sink.url(&format!("/{n}")), None).await;
    }
    let last = if one_hangs { "/hang/0" } else { "/0" };
    client.endpoint(&sink.url(last), None).await;
    client.events(3, 1).await;
    tokio::time::sleep(Duration::from_secs(8)).await;
    sink.forget();
    let (mut accepted, mut pace) = (BTreeMap::new(), tokio::time::interval(PACE));
    for _ in 0..EVENTS {
        pace.tick().await;
        if let (n, true) = client.event().await {
            accepted.insert(n, Instant::now());
        }
    }
    let others = |sink: &Sink| -> Vec<f64> {
        let arrivals = sink.arrivals();
        let counted = arrivals.iter().filter(|it| it.path != "/0" && it.path != "/hang/0");
        let took = counted.filter_map(|arrival| {
            let accepted = accepted.get(&arrival.event()?)?;
            Some(arrival.at.saturating_duration_since(*accepted).as_secs_f64() * 1e3)
        });
        took.collect()
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    while others(&sink).len() < accepted.len() * (ENDPOINTS - 1) && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut latencies = others(&sink);
    latencies.sort_by(f64::total_cmp);
    latencies
}
