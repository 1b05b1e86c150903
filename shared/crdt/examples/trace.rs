//! The cost of reading and replacing, measured on an editing trace.
//!
//! `cargo run --release -p crdt --example trace -- automerge-paper.json.gz` takes a trace of
//! <https://github.com/josephg/editing-traces>: the key strokes in which a text was written.

use std::{env, fs, io::Read, time::Instant};

use crdt::{Content, Kind, Replacement, State, replace};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use yrs::{Doc, GetString, OffsetKind, Options, ReadTxn, StateVector, Text, TextRef, Transact};

const KEY: &str = "content";
const SERVER: u32 = 4_000_000_001;

fn main() {
    let path = env::args().nth(1).expect("the path of a trace, .json or .json.gz");
    let bytes = fs::read(&path).expect("a readable file");
    let mut json = String::new();
    if path.ends_with(".gz") {
        GzDecoder::new(&*bytes).read_to_string(&mut json).expect("gzip");
    } else {
        json = String::from_utf8(bytes).expect("UTF-8");
    }
    let trace: Value = serde_json::from_str(&json).expect("JSON");
    let end = trace["endContent"].as_str().expect("an end");
    let (log, snapshot) = record(&trace);
    println!(
        "{} updates of {} bytes make {} bytes of text and a snapshot of {} bytes",
        log.len(),
        log.iter().map(Vec::len).sum::<usize>(),
        end.len(),
        snapshot.len()
    );

    let state = timed("load of the snapshot", || loaded(&snapshot));
    assert_eq!(state.value(Kind::Text, KEY).expect("a value"), json!(end));
    let replayed = timed("replay of the log", || {
        State::load(SERVER, None, log.iter().map(Vec::as_slice)).expect("a log")
    });
    assert_eq!(replayed.value(Kind::Text, KEY).expect("a value"), json!(end));
    let tail = &log[log.len().saturating_sub(200)..];
    timed("load with 200 updates that are known already", || {
        State::load(SERVER, Some(&snapshot), tail.iter().map(Vec::as_slice)).expect("loaded")
    });
    timed("encoding the snapshot", || state.encode());

    let at = end.len() / 2 + end[end.len() / 2..].find(' ').expect("a space");
    let small = format!("{} some words{}", &end[..at], &end[at..]);
    replaced("small edit", &snapshot, &small);
    replaced("5 % of the words", &snapshot, &every_20th_word(end, "changed"));
    replaced("the same again", &snapshot, end);
    replaced("full rewrite, same words in reverse", &snapshot, &reversed(end));
    let other: String = (0..end.len() / 6).map(|n| format!("w{n:04} ")).collect();
    replaced("full rewrite, other words", &snapshot, &other);
    replaced("empty", &snapshot, "");

    for (name, old, new) in adversaries() {
        let snapshot = fresh(&old);
        replaced(name, &snapshot, &new);
    }

    let state = timed("1,000 replacements of a small document", || {
        let mut state = State::load(SERVER, None, []).expect("an empty document");
        for round in 0..1000 {
            put(&mut state, &format!("Status: step {round} of 1000 is done."));
        }
        state
    });
    println!(
        "  leave a snapshot of {} bytes and a state vector of {}",
        state.encode().len(),
        state.state_vector().len()
    );
}

/// The trace as a client writes it: one update for each key stroke.
fn record(trace: &Value) -> (Vec<Vec<u8>>, Vec<u8>) {
    let doc = Doc::with_options(Options {
        client_id: yrs::ClientID::new(1),
        offset_kind: OffsetKind::Utf16,
        ..Options::default()
    });
    let text: TextRef = doc.get_or_insert_text(KEY);
    let mut log = Vec::new();
    let edits = trace["txns"].as_array().expect("transactions").iter();
    for patch in edits.flat_map(|txn| txn["patches"].as_array().expect("patches")) {
        let number = |at: usize| patch[at].as_u64().and_then(|n| u32::try_from(n).ok());
        let (at, gone) = (number(0).expect("a place"), number(1).expect("a length"));
        let mut txn = doc.transact_mut();
        if gone > 0 {
            text.remove_range(&mut txn, at, gone);
        }
        text.insert(&mut txn, at, patch[2].as_str().expect("text"));
        log.push(txn.encode_update_v1());
    }
    let txn = doc.transact();
    assert_eq!(text.get_string(&txn), trace["endContent"].as_str().expect("an end"));
    (log, txn.encode_state_as_update_v1(&StateVector::default()))
}

fn loaded(snapshot: &[u8]) -> State {
    State::load(SERVER, Some(snapshot), []).expect("a snapshot")
}

fn fresh(text: &str) -> Vec<u8> {
    let mut state = State::load(SERVER, None, []).expect("an empty document");
    put(&mut state, text);
    state.encode()
}

fn put(state: &mut State, text: &str) -> Replacement {
    let content = Content::new(Kind::Text, json!(text)).expect("content");
    replace(state, KEY, &content).expect("replaced")
}

fn replaced(name: &str, snapshot: &[u8], new: &str) {
    let (state, replacement) = timed(&format!("{name}, loading included"), || {
        let mut state = loaded(snapshot);
        let replacement = put(&mut state, new);
        (state, replacement)
    });
    assert_eq!(state.value(Kind::Text, KEY).expect("a value"), json!(new));
    println!("  is an update of {} bytes", replacement.update.len());
}

fn every_20th_word(text: &str, new: &str) -> String {
    let words = text.split(' ').enumerate();
    let words = words.map(|(at, word)| if at % 20 == 7 { new } else { word });
    words.collect::<Vec<_>>().join(" ")
}

fn reversed(text: &str) -> String {
    text.split(' ').rev().collect::<Vec<_>>().join(" ")
}

/// Texts that are hard to compare, of 100 KB each.
fn adversaries() -> Vec<(&'static str, String, String)> {
    let size = 100_000;
    let mut seed = 7_u64;
    let mut random = |letters: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % letters
    };
    let mut words = |kinds: u64| {
        (0..size / 2)
            .map(|_| format!("{} ", (b'a' + random(kinds) as u8) as char))
            .collect::<String>()
    };
    let (two, two_again) = (words(2), words(2));
    let (many, many_again) = (words(20), words(20));
    let flags = |n: usize| "🇨🇭🇯🇵".repeat(n);
    vec![
        ("all characters the same, one more", "a".repeat(size), "a".repeat(size + 1)),
        ("all characters different ones", "ab".repeat(size / 2), "cd".repeat(size / 2)),
        ("one word against spaces", "a".repeat(size), " ".repeat(size)),
        ("two words, at random", two, two_again),
        ("twenty words, at random", many, many_again),
        ("a b against b a", "a b ".repeat(size / 4), "b a ".repeat(size / 4)),
        ("flags, one of them less", flags(6000), flags(6000).replacen("🇯🇵", "", 1)),
        (
            "one grapheme",
            "a".to_owned() + &"\u{301}".repeat(size / 2),
            "b".to_owned() + &"\u{301}".repeat(size / 2 - 1),
        ),
        ("family after family", "👩‍👩‍👧‍👦".repeat(4000), "👩‍👩‍👧".repeat(5000)),
        ("spaces and lines", " \n".repeat(size / 2), "\n ".repeat(size / 2)),
    ]
}

/// The shortest of three times: other work on the machine can only add to it.
fn timed<T>(name: &str, mut work: impl FnMut() -> T) -> T {
    let mut shortest = f64::INFINITY;
    let mut done = None;
    for _ in 0..3 {
        drop(done.take());
        let start = Instant::now();
        done = Some(work());
        shortest = shortest.min(start.elapsed().as_secs_f64() * 1000.0);
    }
    println!("{name}: {shortest:.1} ms");
    done.expect("three times")
}
