//! What one tenant feels of another that attacks the live channel: its strokes and its reads, before
//! the attack, during and after it.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use bench::{
    client::{Client, ORGANIZATION},
    process::{Events, Service},
};
use dialects::{Dialect, Message};
use futures_util::{SinkExt, StreamExt};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{WebSocketStream, tungstenite::Message as Frame};
use yrs::{Doc, Text, Transact};

use crate::{
    attacks::read,
    felt::percentiles,
    live_attacks::{Attack, Target},
    wire::{Shared, frame, open},
};

/// Time between two strokes, each with a read.
const PACE: Duration = Duration::from_millis(50);
/// How long an attack lasts in its turn, and how long the service has to be calm again.
const TURN: Duration = Duration::from_secs(60);
const CALM: Duration = Duration::from_secs(5);
/// When a stroke counts as lost.
const LATEST: Duration = Duration::from_secs(20);
/// The room of the neighbour.
const ROOM: &str = "acme%2Fd1%2Fe";

/// Watches a neighbour for so many seconds before, during and after each attack; false when one of
/// its strokes was lost or a read refused.
pub(crate) async fn run(attacks: &[Attack], seconds: u64) -> bool {
    println!(
        "A neighbour types and reads beside an attack on the live channel, {seconds} s each;\n\
         ms are p50/p99; the other tenant has the limits of a deployment\n"
    );
    println!(
        "{:<28} {:<8} {:>15} {:>15} {:>8} {:>6} {:>8}",
        "", "", "strokes ms", "reads ms", "strokes", "lost", "RSS MB"
    );
    let mut holds = true;
    for attack in attacks {
        holds &= one(attack, Duration::from_secs(seconds)).await;
    }
    holds
}

/// Attacks one service in turn for so many minutes, while its neighbour types; prints its memory.
/// False when a stroke was lost or a read refused.
pub(crate) async fn endure(attacks: &[Attack], minutes: u64) -> bool {
    let service = Service::start_logged().await;
    let target = Target::make(&service).await;
    let mut neighbour = Neighbour::join(&service).await;
    let (started, mut lost) = (Instant::now(), 0);
    println!(
        "{:>7}  {:<28} {:>8} {:>15} {:>6}",
        "minute", "attack", "RSS MB", "strokes ms", "lost"
    );
    for attack in attacks.iter().cycle() {
        if started.elapsed() >= Duration::from_secs(60 * minutes) {
            break;
        }
        let shared = Arc::<Shared>::default();
        let clients = attack.begin(&target, &shared);
        let during = neighbour.watch(&service, TURN).await;
        shared.is_over.store(true, Ordering::Relaxed);
        for client in clients {
            let _ = timeout(LATEST, client).await;
        }
        lost += during.lost;
        let [median, high] = percentiles(&during.strokes);
        println!(
            "{:>7.1}  {:<28} {:>8} {:>15} {:>6}",
            started.elapsed().as_secs_f64() / 60.0,
            attack.name,
            during.megabytes,
            format!("{median:.1}/{high:.1}"),
            during.lost
        );
    }
    tokio::time::sleep(CALM).await;
    println!("{} s later: {} MB", CALM.as_secs(), service.memory() >> 20);
    lost == 0
}

async fn one(attack: &Attack, lasts: Duration) -> bool {
    let service = Service::start_logged().await;
    let target = Target::make(&service).await;
    let mut neighbour = Neighbour::join(&service).await;
    let before = neighbour.watch(&service, lasts).await;
    before.print(attack.name, "before");
    let (shared, seen) = (Arc::<Shared>::default(), service.events());
    let clients = attack.begin(&target, &shared);
    let during = neighbour.watch(&service, lasts).await;
    shared.is_over.store(true, Ordering::Relaxed);
    during.print("", "during");
    let events = service.events().since(&seen);
    // They end when their last call has ended.
    for client in clients {
        let _ = timeout(LATEST, client).await;
    }
    let after = neighbour.watch(&service, lasts).await;
    after.print("", "after");
    report(&shared, &events);
    [before, during, after].iter().all(|it| it.lost == 0)
}

fn report(shared: &Shared, events: &Events) {
    let ends = shared.ends.lock().expect("no panic");
    let ends: Vec<String> =
        ends.iter().map(|(why, count)| format!("{why} {count} times")).collect();
    println!(
        "{:<28} sent {} frames, got {}; ended: {}",
        "",
        shared.sent.load(Ordering::Relaxed),
        shared.heard.load(Ordering::Relaxed),
        if ends.is_empty() { "none".to_owned() } else { ends.join(", ") },
    );
    println!(
        "{:<28} events {}, of them dropped, refused or without a token {}; charged {:.0} tokens",
        "", events.handled, events.free, events.tokens
    );
}

#[derive(Default)]
struct Watched {
    strokes: Vec<Duration>,
    reads: Vec<Duration>,
    lost: usize,
    megabytes: u64,
}

impl Watched {
    fn print(&self, name: &str, when: &str) {
        let [strokes, reads] = [&self.strokes, &self.reads].map(|took| {
            let [median, high] = percentiles(took);
            format!("{median:.1}/{high:.1}")
        });
        println!(
            "{name:<28} {when:<8} {strokes:>15} {reads:>15} {:>8} {:>6} {:>8}",
            self.strokes.len(),
            self.lost,
            self.megabytes
        );
    }
}

/// Two people in a room: one types, the other sees it.
struct Neighbour {
    client: Client,
    writer: WebSocketStream<TcpStream>,
    reader: WebSocketStream<TcpStream>,
    doc: Doc,
}

impl Neighbour {
    async fn join(service: &Service) -> Self {
        let client = Client::of(service).await;
        let mut sockets = vec![];
        for user in ["ann", "ben"] {
            let token = client.token(user, "editor").await;
            let path = format!("/live?protocol=y&room={ROOM}&token={token}");
            let mut socket = open(&service.base(), &path).await.expect("a connection");
            let step_1 = frame(Dialect::Y, "", &Message::Step1(vec![0]));
            socket.send(Frame::text(step_1)).await.expect("a socket");
            socket.next().await.expect("an answer").expect("a frame");
            sockets.push(socket);
        }
        let (reader, writer) = (sockets.pop().expect("two"), sockets.pop().expect("two"));
        Self { client, writer, reader, doc: Doc::new() }
    }

    async fn watch(&mut self, service: &Service, lasts: Duration) -> Watched {
        let mut watched = Watched::default();
        let started = Instant::now();
        let mut pace = tokio::time::interval(PACE);
        while started.elapsed() < lasts {
            pace.tick().await;
            let began = Instant::now();
            match timeout(LATEST, self.stroke()).await {
                Ok(true) => watched.strokes.push(began.elapsed()),
                _ => watched.lost += 1,
            }
            let (path, asked) = read();
            let began = Instant::now();
            match self.client.try_call(path, &asked).await {
                Some(_) => watched.reads.push(began.elapsed()),
                None => watched.lost += 1,
            }
        }
        watched.megabytes = service.memory() >> 20;
        watched
    }

    /// Types a letter, and waits until the other one has it.
    async fn stroke(&mut self) -> bool {
        let text = self.doc.get_or_insert_text("content");
        let update = {
            let mut txn = self.doc.transact_mut();
            text.insert(&mut txn, 0, "x");
            txn.encode_update_v1()
        };
        let said = frame(Dialect::Y, "", &Message::Update(update.clone()));
        if self.writer.send(Frame::text(said)).await.is_err() {
            return false;
        }
        while let Some(Ok(heard)) = self.reader.next().await {
            let Frame::Text(heard) = heard else { continue };
            let parts = heard.split(' ').filter_map(|part| STANDARD.decode(part).ok());
            let read = parts.filter_map(|bytes| Dialect::Y.read(&bytes).ok());
            if read.into_iter().any(|it| it.message == Message::Update(update.clone())) {
                return true;
            }
        }
        false
    }
}

/// A document of the tenant as the address of an editor.
pub(crate) fn room(editor: &str) -> String {
    format!("{ORGANIZATION}/d0/{editor}")
}
