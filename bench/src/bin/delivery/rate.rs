//! An endpoint with a rate limit receives everything at no higher rate.

use std::time::{Duration, Instant};

use bench::{client::Client, process::Service};

use crate::sink::Sink;

const RATE: u32 = 5;
const EVENTS: usize = 100;

pub(crate) async fn run() -> bool {
    println!("rateLimit {RATE}, {EVENTS} events at once");
    let (service, sink) = (Service::start().await, Sink::start().await);
    let client = Client::of(&service).await;
    client.endpoint(&sink.url("/limited"), Some(RATE)).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    sink.forget();
    let started = Instant::now();
    let accepted = client.events(EVENTS, 16).await.len();
    let all = sink.wait(accepted, Duration::from_secs(120)).await;
    let mut arrivals: Vec<Instant> = sink.arrivals().iter().map(|arrival| arrival.at).collect();
    arrivals.sort();
    let within = |from: &Instant| {
        arrivals.iter().filter(|at| *at >= from && **at < *from + Duration::from_secs(1)).count()
    };
    let most = arrivals.iter().map(within).max().unwrap_or(0);
    println!(
        "  arrived {} of {accepted} in {:.1} s",
        arrivals.len(),
        started.elapsed().as_secs_f64()
    );
    println!("  at most {most} in any second");
    all && arrivals.len() == accepted && most <= RATE as usize
}
