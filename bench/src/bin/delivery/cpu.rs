//! Processor time of calls in production, and calls a second; once with commits that the end of the process leaves
//! alone, and once with commits on the disk. `ROUNDTABLE` names the program of another service.

use std::time::{Duration, Instant};

use bench::{
    client::{Client, ORGANIZATION},
    process::Service,
};
use futures_util::{StreamExt, stream};
use serde_json::json;

use crate::sink::Sink;

/// Calls made for each figure, after a tenth of them that nobody counts; `CALLS` is another number.
const CALLS: usize = 3_000;
/// Share of a core below which the work that follows a call, such as a delivery, has ended.
const QUIET: f64 = 0.02;

pub(crate) async fn run() -> bool {
    let calls = std::env::var_os("CALLS").and_then(|calls| calls.to_str()?.parse().ok());
    let calls = calls.unwrap_or(CALLS);
    println!("{calls} calls for each figure; processor time of the service alone");
    let process = measure("process", Service::start_quick().await, calls).await;
    let disk = measure("disk", Service::start_synced().await, calls).await;
    println!("  comments a second with 32 callers: disk / process = {:.2}", disk / process);
    true
}

/// Measures one service; returns its comments a second.
async fn measure(durability: &str, service: Service, calls: usize) -> f64 {
    let sink = Sink::start().await;
    let client = Client::of(&service).await;
    client.limit(10_000, 10_000).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (cpu, pause) = (service.cpu(), Duration::from_secs(5));
    tokio::time::sleep(pause).await;
    let idle = 100.0 * (service.cpu() - cpu).as_secs_f64() / pause.as_secs_f64();
    println!("  durability {durability}: idle {idle:.2} % of a core");

    let asked = json!({ "organizationId": ORGANIZATION, "documentIds": ["d7"] });
    let read = async || {
        client.call("/v2/organizations/documents/get", asked.clone()).await;
    };
    let comment = async || assert!(client.event().await.1, "a comment is answered");
    let measured = Measured { service: &service, sink: &sink, calls };
    measured.figure("read", 8, &read, false).await;
    measured.figure("comment", 16, &comment, false).await;
    let a_second = measured.figure("comment", 32, &comment, false).await;
    client.endpoint(&sink.url("/one")).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    measured.figure("comment with a webhook", 16, &comment, true).await;
    a_second
}

struct Measured<'a> {
    service: &'a Service,
    sink: &'a Sink,
    calls: usize,
}

impl Measured<'_> {
    /// Prints what a call costs, with all that follows it; returns calls a second, deliveries
    /// included if each call has one.
    async fn figure(
        &self,
        name: &str,
        callers: usize,
        call: &impl AsyncFn(),
        is_delivered: bool,
    ) -> f64 {
        let make = async |count: usize| {
            stream::iter(0..count).map(|_| call()).buffer_unordered(callers).count().await
        };
        make(self.calls / 10).await;
        quiet(self.service).await;
        self.sink.forget();
        let (cpu, started) = (self.service.cpu(), Instant::now());
        make(self.calls).await;
        let answered = started.elapsed();
        let all = if is_delivered { self.calls } else { 0 };
        assert!(self.sink.wait(all, Duration::from_secs(120)).await, "all are delivered");
        let took = started.elapsed();
        quiet(self.service).await;
        let calls = self.calls as f64;
        let each = (self.service.cpu() - cpu).as_secs_f64() * 1_000.0 / calls;
        let [answered, took] = [answered, took].map(|time| calls / time.as_secs_f64());
        let delivered =
            if is_delivered { format!(", delivered {took:.0} a second") } else { String::new() };
        println!(
            "    {name:<24} {each:>6.3} ms of CPU, {answered:>5.0} a second, {callers} callers{delivered}"
        );
        took
    }
}

/// Waits until the service has nothing more to do.
async fn quiet(service: &Service) {
    let pause = Duration::from_millis(500);
    for _ in 0..60 {
        let before = service.cpu();
        tokio::time::sleep(pause).await;
        if (service.cpu() - before).as_secs_f64() <= QUIET * pause.as_secs_f64() {
            return;
        }
    }
}
