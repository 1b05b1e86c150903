//! Effects on one tenant of another that behaves as badly as it can.
//!
//! The neighbour reads a document and writes a comment at a steady pace, and receives a webhook for
//! each comment. It is watched alone and beside another tenant, in turns: first one that reads and
//! comments as often as its limits allow, then one for each attack, within the same limits. Rounds
//! differ from each other, so the change of the 99th percentile has a confidence interval.
//!
//! Calls of DynamoDB, SQS and SES and reads of streams take as long as in AWS. So the tenants wait
//! for what they share there, and not for processors, which they do not share there.
//! Neither do they share a disk there: with `TMPDIR=/dev/shm` the data is in memory.
//!
//! Times depend on the machine. Counts do not: how many calls of the other tenant are answered while
//! one of the neighbour is under way, and how many deliveries to it arrive between an event of the
//! neighbour and its webhook.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use bench::{client::Client, process::Service};
use roundtable::Delays;

use crate::{
    attacks::{Attack, read},
    felt::{Felt, confidence},
    sink::Sink,
};

/// How often the neighbour is watched if the caller does not say, for how long, and its pace.
pub(crate) const ROUNDS: usize = 6;
const LASTS: Duration = Duration::from_secs(5);
const PACE: Duration = Duration::from_millis(20);
/// How long the other tenant has been calling by then: the burst of a full bucket is over.
const SETTLED: Duration = Duration::from_secs(6);
/// How long its last webhooks may take.
const LATEST: Duration = Duration::from_secs(60);
/// How long nothing arrives at the other tenant when all of it has been sent.
const QUIET: Duration = Duration::from_secs(1);
/// Clients of the other tenant.
const CLIENTS: usize = 16;
/// Calls a second of each class that the other tenant is allowed: so few that this machine has time
/// for both; and those of a deployment (template.yaml), more than it serves.
pub(crate) const ALLOWED: [(u64, u64); 2] = [(20, 10), (200, 100)];

/// Watches the neighbour beside each of the others; false when a call of the neighbour was refused
/// or a webhook of it lost.
pub(crate) async fn run(allowed: (u64, u64), others: &[(&str, Attack)], rounds: usize) -> bool {
    let (reads, writes) = allowed;
    println!(
        "A neighbour, {rounds} times {} s, alone and beside another tenant\n\
         ({reads} reads and {writes} writes a second allowed; delays of AWS: {:?}\n\
         ms are p50/p99, ahead is mean/most; the interval is of p99, with 90 % confidence)\n",
        LASTS.as_secs(),
        Delays::AWS,
    );
    Felt::print_head();
    let mut holds = true;
    for &(name, calls) in others {
        let stage = Stage::start().await;
        let other = Other::start(&stage.service, calls, allowed).await;
        let mut watched = Vec::new();
        for _ in 0..rounds {
            let alone = stage.watch(None).await;
            other.go_on().await;
            watched.push((alone, stage.watch(Some(&other)).await));
            other.pause().await;
        }
        other.end().await;
        let alone = Felt::of(watched.iter().map(|(alone, _)| alone));
        let beside = Felt::of(watched.iter().map(|(_, beside)| beside));
        alone.print(name, "alone");
        beside.print("", "beside");
        println!("{:<24} {:<8} {}", "", "change", beside.change(&alone));
        println!("{:<24} {:<8} {}", "", "interval", confidence(&watched));
        holds &= alone.is_whole() && beside.is_whole();
    }
    holds
}

/// A service with a neighbour, who is told of its comments.
struct Stage {
    service: Service,
    neighbour: Client,
    own: Sink,
}

impl Stage {
    async fn start() -> Self {
        let (service, own) = (Service::start_delayed().await, Sink::start().await);
        let neighbour = Client::of(&service).await;
        neighbour.endpoint(&own.url("/"), None).await;
        Self { service, neighbour, own }
    }

    /// Watches the neighbour beside another tenant, if one is to be there.
    async fn watch(&self, other: Option<&Other>) -> Felt {
        let made = || other.map_or(0, |other| other.made.load(Ordering::Relaxed));
        let arrived = || other.map_or(0, |other| other.sink.count());
        self.own.forget();
        let started = Instant::now();
        let (mut felt, mut sent) = (Felt::default(), BTreeMap::new());
        let made_before = made();
        let mut pace = tokio::time::interval(PACE);
        while started.elapsed() < LASTS {
            pace.tick().await;
            let (path, asked) = read();
            let (call, before) = (Instant::now(), made());
            let answer = self.neighbour.try_call(path, &asked).await;
            felt.reads.push(call.elapsed());
            felt.calls_ahead.push(made() - before);
            felt.refused += usize::from(answer.is_none());
            let call = Instant::now();
            let event = self.neighbour.event().await;
            felt.writes.push(call.elapsed());
            match event {
                (n, true) => drop(sent.insert(n, (Instant::now(), arrived()))),
                _ => felt.refused += 1,
            }
        }
        felt.made = made() - made_before;
        self.own.wait(sent.len(), LATEST).await;
        for arrival in self.own.arrivals() {
            let Some((event, before)) = arrival.event().and_then(|n| sent.remove(&n)) else {
                continue;
            };
            felt.webhooks.push(arrival.at.saturating_duration_since(event));
            let at = |sink: &Sink| sink.count_until(arrival.at).saturating_sub(before);
            felt.sent_ahead.push(other.map_or(0, |other| at(&other.sink)) as u64);
        }
        felt.lost = sent.len();
        felt
    }
}

/// Another tenant, whose clients call as often as they can unless they pause.
struct Other {
    over: Arc<AtomicBool>,
    pauses: Arc<AtomicBool>,
    made: Arc<AtomicU64>,
    sink: Sink,
    clients: Vec<tokio::task::JoinHandle<()>>,
}

impl Other {
    async fn start(service: &Service, attack: Attack, (reads, writes): (u64, u64)) -> Self {
        let sink = Sink::start().await;
        let tenant = Arc::new(Client::of(service).await);
        tenant.endpoint(&sink.url("/"), None).await;
        tenant.limit(reads, writes).await;
        tenant.enable_mails().await;
        let (over, made): (Arc<AtomicBool>, Arc<AtomicU64>) = Default::default();
        let pauses = Arc::new(AtomicBool::new(true));
        let next = Arc::new(AtomicU64::new(0));
        let receiver: Arc<str> = sink.url("/attack").into();
        let clients = (0..CLIENTS).map(|_| {
            let (over, made, next) = (Arc::clone(&over), Arc::clone(&made), Arc::clone(&next));
            let (tenant, receiver) = (Arc::clone(&tenant), Arc::clone(&receiver));
            let pauses = Arc::clone(&pauses);
            tokio::spawn(async move {
                while !over.load(Ordering::Relaxed) {
                    if pauses.load(Ordering::Relaxed) {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                        continue;
                    }
                    let (path, sent) = attack(next.fetch_add(1, Ordering::Relaxed), &receiver);
                    let is_served = tenant.try_call(path, &sent).await.is_some();
                    made.fetch_add(u64::from(is_served), Ordering::Relaxed);
                    if !is_served {
                        // A client that does not wait is one of a flood that no service can refuse
                        // for nothing; the limits in front of it are the gateway's.
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                }
            })
        });
        let clients = clients.collect();
        Self { over, pauses, made, sink, clients }
    }

    /// Lets its clients call, for a while before the neighbour is watched.
    async fn go_on(&self) {
        self.pauses.store(false, Ordering::Relaxed);
        tokio::time::sleep(SETTLED).await;
    }

    async fn end(self) {
        self.over.store(true, Ordering::Relaxed);
        for client in self.clients {
            client.await.expect("no panic");
        }
    }

    /// Stops its clients and waits until nothing of it is left to be sent, so that the next round
    /// does not feel it.
    async fn pause(&self) {
        self.pauses.store(true, Ordering::Relaxed);
        let started = Instant::now();
        let mut before = None;
        while before != Some(self.sink.count()) && started.elapsed() < LATEST {
            before = Some(self.sink.count());
            tokio::time::sleep(QUIET).await;
        }
    }
}
