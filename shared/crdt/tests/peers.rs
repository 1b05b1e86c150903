//! Documents that are edited by other implementations at the same time; see `tests/peers`.

#[path = "it/samples/mod.rs"]
#[expect(dead_code, reason = "some of it is for other tests")]
mod samples;

#[path = "generated/check.rs"]
mod check;
#[path = "generated/mod.rs"]
mod generated;
#[path = "it/history/judged.rs"]
#[expect(dead_code, reason = "some of it is for other tests")]
mod history;

use std::{
    collections::BTreeMap,
    env,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Instant,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use crdt::{
    Kind, State, check_update,
    history::{erase, erased},
};
use generated::Generated;
use history::world::{Life, USERS, World, past};
use proptest::strategy::ValueTree;
use samples::{Dice, KEY, SERVER, get, put};
use serde_json::{Value, json};

struct Peer {
    name: &'static str,
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    fn start(name: &'static str, command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("{name} does not start: {e}"));
        let requests = child.stdin.take().expect("piped");
        let answers = BufReader::new(child.stdout.take().expect("piped"));
        Self { name, child, requests, answers }
    }

    fn ask(&mut self, request: &Value) -> Value {
        writeln!(self.requests, "{request}").expect("a peer that reads");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("a peer that answers");
        let answer: Value =
            serde_json::from_str(&answer).unwrap_or_else(|e| panic!("{e}: {answer}"));
        assert!(answer["error"].is_null(), "{}: {}\n{request}", self.name, answer["error"]);
        answer
    }

    fn apply(&mut self, update: &[u8]) {
        let update = BASE64_STANDARD.encode(update);
        self.ask(&json!({ "op": "apply", "doc": "d", "update": update }));
    }

    fn bytes(&mut self, request: &Value, member: &str) -> Vec<u8> {
        let answer = self.ask(request);
        BASE64_STANDARD.decode(answer[member].as_str().expect("base64")).expect("base64")
    }

    fn value(&mut self, kind: Kind) -> Value {
        let answer = self.ask(&json!({ "op": "value", "doc": "d", "kind": kind, "key": KEY }));
        canonical(&answer["value"])
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Numbers as we write them: Python tells 1 from 1.0.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            #[expect(clippy::cast_possible_truncation, reason = "a whole number")]
            Some(float) if float.fract() == 0.0 && float.abs() < 9e15 => json!(float as i64),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(canonical).collect(),
        Value::Object(entries) => {
            entries.iter().map(|(key, value)| (key.clone(), canonical(value))).collect()
        }
        other => other.clone(),
    }
}

fn survives(kind: Kind, value: &Value, mark: &str) -> bool {
    match (kind, value) {
        (Kind::Text | Kind::Xml, Value::String(text)) => text.contains(mark),
        (Kind::Map, Value::Object(entries)) => entries.get(mark) == Some(&json!(mark)),
        (Kind::Array, Value::Array(items)) => items.contains(&json!(mark)),
        _ => false,
    }
}

/// A state, seen by a peer: what it shows is what we show, but for the form of XML, of which
/// writing it back must change nothing.
fn agree(kind: Kind, server: &State, peers: &mut [Peer], seed: u64) {
    let ours = get(server, kind);
    for peer in peers {
        let theirs = peer.value(kind);
        if kind == Kind::Xml {
            let mut copy = State::load(SERVER, Some(&server.encode()), []).expect("loaded");
            if peer.name == "yjs" {
                let written = put(&mut copy, kind, &theirs);
                assert!(written.update.is_empty(), "seed {seed}: {theirs}\n{ours}");
            }
        } else {
            assert_eq!(theirs, ours, "{} disagrees, seed {seed}", peer.name);
        }
    }
}

fn round(kind: Kind, seed: u64, peers: &mut [Peer], sizes: &mut BTreeMap<&str, usize>) {
    let dice = &mut Dice::new(seed);
    let mut server = samples::empty();
    let first = samples::content(dice, kind);
    put(&mut server, kind, &first);
    // Without others at work, what was asked for is there.
    let start = server.encode();
    for (at, peer) in peers.iter_mut().enumerate() {
        let client = 100 + at + 1000 * (seed as usize % 7);
        peer.ask(&json!({ "op": "new", "doc": "d", "client": client }));
        peer.apply(&start);
    }
    agree(kind, &server, peers, seed);
    assert_eq!(get(&server, kind), first);

    // Everybody edits offline, the server twice.
    let marks = ["⟦A⟧", "⟦B⟧"];
    for (peer, mark) in peers.iter_mut().zip(marks) {
        let dice: Vec<u32> = (0..3).map(|_| dice.next() as u32 >> 1).collect();
        peer.ask(&json!({ "op": "edit", "doc": "d", "kind": kind, "key": KEY, "mark": mark, "dice": dice }));
    }
    let vector = server.state_vector();
    let mut updates = Vec::new();
    let mut latest = first;
    for _ in 0..2 {
        latest = samples::edited(dice, kind, &latest);
        let update = put(&mut server, kind, &latest).update;
        if !update.is_empty() {
            updates.push(update);
        }
        assert_eq!(get(&server, kind), latest);
    }
    *sizes.entry("server").or_default() += updates.iter().map(Vec::len).sum::<usize>();
    for peer in peers.iter_mut() {
        let diff = json!({ "op": "diff", "doc": "d", "vector": BASE64_STANDARD.encode(&vector) });
        let update = peer.bytes(&diff, "update");
        check_update(&update).expect("an update of an honest peer");
        *sizes.entry(peer.name).or_default() += update.len();
        updates.push(update);
    }

    // Each hears of it in another order.
    let ours = updates[..updates.len() - marks.len()].to_vec();
    for peer in peers.iter_mut() {
        dice.shuffle(&mut updates);
        // pycrdt 0.14.13 (yrs 0.28.0) loses part of an update that comes before another one of the
        // same client; yjs and yrs 0.28.1 do not.
        if peer.name == "pycrdt" {
            let mut next = ours.iter();
            let of_us = updates.iter_mut().filter(|update| ours.contains(update));
            of_us.for_each(|update| update.clone_from(next.next().expect("as many")));
        }
        updates.iter().for_each(|update| peer.apply(update));
    }
    dice.shuffle(&mut updates);
    let mut server =
        State::load(SERVER, Some(&start), updates.iter().map(Vec::as_slice)).expect("loaded");
    assert!(!server.has_pending(), "seed {seed}");
    // Merging makes yjs clean up formats, which is an edit that the others have to hear of.
    for from in 0..peers.len() {
        let update = peers[from].bytes(&json!({ "op": "encode", "doc": "d" }), "update");
        server.apply(&update).expect("an update");
        peers.iter_mut().for_each(|peer| peer.apply(&update));
    }
    let merged = get(&server, kind);
    for peer in peers.iter_mut() {
        let theirs = peer.bytes(&json!({ "op": "encode", "doc": "d" }), "update");
        let theirs = State::load(1, Some(&theirs), []).expect("loaded");
        assert_eq!(get(&theirs, kind), merged, "{} diverged, seed {seed}", peer.name);
    }
    agree(kind, &server, peers, seed);
    for mark in marks {
        assert!(survives(kind, &merged, mark), "{mark} is lost, seed {seed}: {merged}");
    }

    // The last word is the server's.
    let last = samples::edited(dice, kind, &latest);
    let update = put(&mut server, kind, &last).update;
    if !update.is_empty() {
        peers.iter_mut().for_each(|peer| peer.apply(&update));
    }
    assert_eq!(get(&server, kind), last, "seed {seed}");
    agree(kind, &server, peers, seed);
}

#[expect(clippy::disallowed_methods, reason = "a test by hand")]
fn setting(name: &str) -> Option<String> {
    env::var(name).ok()
}

fn folder() -> PathBuf {
    PathBuf::from(setting("ROUNDTABLE_PEERS").expect("ROUNDTABLE_PEERS=<folder>"))
}

#[test]
#[ignore = "needs the peers; see tests/peers/README.md"]
fn other_implementations_agree() {
    let folder = folder();
    let rounds = setting("ROUNDS").and_then(|n| n.parse().ok()).unwrap_or(1000_u64);
    let python = folder.join("venv/bin/python");
    let mut peers = [
        Peer::start("yjs", Command::new("node").arg(folder.join("yjs.mjs"))),
        Peer::start("pycrdt", Command::new(python).arg(folder.join("pycrdt_peer.py"))),
    ];
    for kind in Kind::ALL {
        let (start, mut sizes) = (Instant::now(), BTreeMap::new());
        (0..rounds).for_each(|seed| round(kind, seed, &mut peers, &mut sizes));
        println!(
            "{}: {rounds} rounds agree, {:.1?}; bytes of updates: {sizes:?}",
            kind.as_str(),
            start.elapsed()
        );
    }
}

/// How many documents are compared at once.
const BATCH: usize = 200;

#[test]
#[ignore = "needs the peers; see tests/peers/README.md"]
fn generated_updates_do_what_they_do_in_yjs() {
    let number = |name: &str| setting(name).and_then(|number| number.parse::<u64>().ok());
    let (wanted, mut seed) = (number("UPDATES").unwrap_or(20_000), number("SEED").unwrap_or(1));
    let (start, mut count) = (Instant::now(), check::Count::default());
    let mut judge = check::Judge::start(&folder());
    while (count.updates as u64) < wanted {
        let mut runner = generated::runner(seed);
        let trees: Vec<_> = (0..BATCH).map(|_| generated::tree(&mut runner)).collect();
        let cases: Vec<_> =
            trees.iter().map(|tree| check::readable(&generated::made(&tree.current()))).collect();
        let readable: Vec<&check::Ours> =
            cases.iter().filter_map(|case| case.as_ref().ok()).collect();
        let mut verdicts = judge.compare(&readable, &mut count).into_iter();
        for (tree, case) in trees.into_iter().zip(&cases) {
            let verdict = match case {
                Ok(_) => verdicts.next().expect("a verdict"),
                Err(failure) => Err(failure.clone()),
            };
            if verdict.is_err() {
                let (made, failure) = generated::smallest(tree, |made| {
                    let ours = check::readable(made)?;
                    judge.compare(&[&ours], &mut check::Count::default()).remove(0)
                });
                panic!("seed {seed}: {failure}{}", check::told(&made.updates));
            }
        }
        seed += 1;
    }
    assert!(count.late * 2_000 < count.compared, "{count:?}");
    assert!(count.apart <= 2 + count.compared / 20_000, "{count:?}");
    println!("{count:?}, seeds up to {seed}, {:.1?}", start.elapsed());
}

/// Restored, reverted and erased documents are the same in Yjs.
#[test]
#[ignore = "needs the peers; see tests/peers/README.md"]
fn histories_are_taken_back_as_in_yjs() {
    let rounds = setting("ROUNDS").and_then(|n| n.parse().ok()).unwrap_or(1000_u64);
    let mut judge = check::Judge::start(&folder());
    let mut count = check::Count::default();
    for seed in 0..rounds {
        let mut world = World::lived(seed, Life::All, true, 60);
        let (base, authors, _) = world.compacted(0);
        let past = past(&base, &authors, &world.log);
        let (from, user) = (world.dice.below(world.log.len()), world.dice.below(USERS.len()));
        let (authors, user) = (past.authors(), USERS[user]);
        let mut updates: Vec<Vec<u8>> =
            world.log.iter().flat_map(|entry| entry.updates.clone()).collect();
        let update = match seed % 3 {
            0 => past.restore(from).expect("restored").update,
            1 => past.revert(user, from..world.log.len()).expect("reverted").update,
            _ => {
                let now = past.version(world.log.len()).expect("now");
                let erasure = erase(&now, authors, user).expect("erased");
                for update in &mut updates {
                    let less = erased(update, authors, user, &erasure.kept).expect("readable");
                    *update = less.unwrap_or_else(|| std::mem::take(update));
                }
                erasure.update
            }
        };
        updates.push(update);
        updates.retain(|update| !update.is_empty());
        let made = Generated { updates, is_double: false, is_late: false, is_between: false };
        let ours = check::readable(&made).expect("readable");
        let verdict = judge.compare(&[&ours], &mut count).remove(0);
        verdict.unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
    println!("{count:?}");
}
