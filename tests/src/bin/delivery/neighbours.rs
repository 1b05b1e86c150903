//! What one tenant feels of another that behaves as badly as it can.
//!
//! The neighbour reads a document and writes a comment at a steady pace, and receives a webhook for
//! each comment. For each attack it is watched in turns, several times: alone, beside a tenant that
//! reads and comments as often as its limits allow, and beside one that attacks within the same
//! limits. What the attacker costs beyond a tenant that is only busy is what it takes from others.
//! How much the rounds in which the neighbour is alone differ from each other is the noise.
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

use tests::{client::Client, process::Service};

use crate::{
    attacks::{ATTACKS, Attack, HONEST, read},
    sink::Sink,
};

/// How often the neighbour is watched, for how long each time, and its pace.
const ROUNDS: usize = 3;
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
/// Calls a second of each class that the other tenant is allowed: those of a deployment
/// (template.yaml), more than this machine serves; and so few that the machine has time for both.
pub(crate) const ALLOWED: [(u64, u64); 2] = [(200, 100), (20, 10)];

pub(crate) async fn run(allowed: (u64, u64)) -> bool {
    let (reads, writes) = allowed;
    println!(
        "A neighbour, {ROUNDS} times {} s: alone; beside a busy tenant; beside an attacker\n\
         ({reads} reads and {writes} writes a second allowed; ms are p50/p99, ahead is mean/most;\n\
         noise is the largest change between rounds alone)\n",
        LASTS.as_secs()
    );
    println!(
        "{:<24} {:<8} {:>14} {:>14} {:>16} {:>16} {:>8} {:>8} {:>7}",
        "",
        "beside",
        "calls ms",
        "webhooks ms",
        "calls ahead",
        "sent ahead",
        "refused",
        "lost",
        "calls"
    );
    let mut holds = true;
    for (name, attack) in ATTACKS {
        let stage = Stage::start().await;
        let busy = Other::start(&stage.service, HONEST, allowed).await;
        let attacker = Other::start(&stage.service, attack, allowed).await;
        let mut alone = Vec::new();
        let (mut beside_busy, mut beside_attacker) = (Felt::default(), Felt::default());
        for _ in 0..ROUNDS {
            alone.push(stage.watch(None).await);
            for (other, felt) in [(&busy, &mut beside_busy), (&attacker, &mut beside_attacker)] {
                other.go_on().await;
                felt.add(stage.watch(Some(other)).await);
                other.pause().await;
            }
        }
        busy.end().await;
        attacker.end().await;
        let noise = noise(&alone);
        let mut together = Felt::default();
        alone.into_iter().for_each(|round| together.add(round));
        together.print(name, "nobody");
        println!("{:<24} {:<8} {noise}", "", "noise");
        beside_busy.print("", "busy");
        println!("{:<24} {:<8} {}", "", "change", beside_busy.change(&together));
        beside_attacker.print("", "attacker");
        println!("{:<24} {:<8} {}", "", "change", beside_attacker.change(&together));
        println!("{:<24} {:<8} {}", "", "to busy", beside_attacker.change(&beside_busy));
        holds &=
            [together, beside_busy, beside_attacker].iter().all(|it| it.refused + it.lost == 0);
    }
    holds
}

/// The largest changes of percentiles between any two rounds that should be alike.
fn noise(rounds: &[Felt]) -> String {
    let of = |times: fn(&Felt) -> &[Duration]| -> String {
        let rounds: Vec<[f64; 2]> = rounds.iter().map(|round| percentiles(times(round))).collect();
        let spread = |at: usize| {
            let (least, most) = rounds.iter().fold((f64::MAX, 0_f64), |(least, most), round| {
                (least.min(round[at]), most.max(round[at]))
            });
            (most / least.max(f64::EPSILON) - 1.0) * 100.0
        };
        format!("±{:.0} %/±{:.0} %", spread(0), spread(1))
    };
    format!("{:>14} {:>14}", of(|felt| &felt.calls), of(|felt| &felt.webhooks))
}

/// A service with a neighbour, who is told of its comments.
struct Stage {
    service: Service,
    neighbour: Client,
    own: Sink,
}

impl Stage {
    async fn start() -> Self {
        let (service, own) = (Service::start().await, Sink::start().await);
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
            felt.calls.push(call.elapsed());
            felt.calls_ahead.push(made() - before);
            felt.refused += usize::from(answer.is_none());
            match self.neighbour.event().await {
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

/// Latencies of the neighbour.
#[derive(Default)]
struct Felt {
    calls: Vec<Duration>,
    webhooks: Vec<Duration>,
    calls_ahead: Vec<u64>,
    sent_ahead: Vec<u64>,
    refused: usize,
    lost: usize,
    made: u64,
}

impl Felt {
    /// Adds another round.
    fn add(&mut self, round: Self) {
        self.calls.extend(round.calls);
        self.webhooks.extend(round.webhooks);
        self.calls_ahead.extend(round.calls_ahead);
        self.sent_ahead.extend(round.sent_ahead);
        self.refused += round.refused;
        self.lost += round.lost;
        self.made += round.made;
    }

    fn print(&self, name: &str, beside: &str) {
        println!(
            "{name:<24} {beside:<8} {:>14} {:>14} {:>16} {:>16} {:>8} {:>8} {:>7}",
            shown(percentiles(&self.calls)),
            shown(percentiles(&self.webhooks)),
            mean_and_most(&self.calls_ahead),
            mean_and_most(&self.sent_ahead),
            self.refused,
            self.lost,
            self.made,
        );
    }

    /// By how much percentiles changed, in percent of what they were.
    fn change(&self, from: &Self) -> String {
        let percent = |now: f64, was: f64| (now / was.max(f64::EPSILON) - 1.0) * 100.0;
        let both = |now: [f64; 2], was: [f64; 2]| {
            format!("{:+.0} %/{:+.0} %", percent(now[0], was[0]), percent(now[1], was[1]))
        };
        let calls = both(percentiles(&self.calls), percentiles(&from.calls));
        let webhooks = both(percentiles(&self.webhooks), percentiles(&from.webhooks));
        format!("{calls:>14} {webhooks:>14}")
    }
}

/// The median and the 99th percentile in milliseconds.
fn percentiles(took: &[Duration]) -> [f64; 2] {
    let mut took = took.to_vec();
    took.sort_unstable();
    [50, 99].map(|share| {
        let at = took.len().saturating_sub(1) * share / 100;
        took.get(at).map_or(0.0, |took| took.as_secs_f64() * 1e3)
    })
}

fn shown([median, high]: [f64; 2]) -> String {
    format!("{median:.1}/{high:.1}")
}

fn mean_and_most(counts: &[u64]) -> String {
    let mean = counts.iter().sum::<u64>() as f64 / counts.len().max(1) as f64;
    format!("{mean:.1}/{}", counts.iter().max().unwrap_or(&0))
}
