//! The size of a document that is replaced repeatedly.

use crdt::{Applied, Kind, State};
use serde_json::{Value, json};

use crate::samples::{SERVER, empty, get, put};

#[test]
fn a_thousand_replacements_by_one_client_leave_a_small_document() {
    let mut state = empty();
    let mut log = Vec::new();
    for round in 0..1000 {
        let data = json!(format!("Status: step {round} of 1000 is done."));
        log.push(put(&mut state, Kind::Text, &data).update);
    }
    let snapshot = state.encode();
    assert!(snapshot.len() <= 1024, "{} bytes", snapshot.len());
    assert!(state.state_vector().len() <= 9, "{} bytes", state.state_vector().len());
    let replayed = State::load(SERVER, None, log.iter().map(Vec::as_slice)).expect("a log");
    assert_eq!(get(&replayed, Kind::Text), get(&state, Kind::Text));
    assert_eq!(replayed.encode(), snapshot);
}

#[test]
fn the_clock_is_that_of_the_client_whatever_others_write() {
    let mut state = empty();
    let first = put(&mut state, Kind::Map, &json!({ "a": 1, "b": [1, 2] }));
    assert_eq!((first.clock, state.client()), (2, SERVER));
    let mut other = State::load(7, Some(&state.encode()), []).expect("loaded");
    put(&mut other, Kind::Map, &json!({ "a": 1, "b": [1, 2], "c": "d" }));
    state.apply(&other.encode()).expect("applied");
    assert_eq!((state.clock_of(SERVER), state.clock_of(7), state.clock_of(8)), (2, 1, 0));
    assert_eq!(put(&mut state, Kind::Map, &json!({ "a": 1 })).clock, 2);
    assert_eq!(put(&mut state, Kind::Map, &json!({ "a": 2 })).clock, 3);
}

#[test]
fn a_peer_gets_what_it_misses() {
    let mut state = empty();
    put(&mut state, Kind::Text, &json!("one"));
    let seen = state.state_vector();
    let behind = state.encode();
    put(&mut state, Kind::Text, &json!("one two"));
    let diff = state.diff(&seen).expect("a diff");
    assert!(diff.len() < state.encode().len());
    let both = State::load(1, Some(&behind), [diff.as_slice()]).expect("both");
    assert_eq!(get(&both, Kind::Text), json!("one two"));
    assert_eq!(state.diff(&[0]).expect("everything"), state.encode());
    for bad in [&[][..], &[1], &[255, 255, 255, 255, 15, 1, 1], &[0, 0]] {
        assert!(state.diff(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn an_update_that_comes_early_waits_and_is_kept() {
    let mut state = empty();
    let log: Vec<Vec<u8>> = ["a", "ab", "abc"]
        .map(|text| put(&mut state, Kind::Text, &json!(text)).update)
        .into_iter()
        .collect();
    let mut early = State::load(1, None, [log[0].as_slice(), &log[2]]).expect("loaded");
    assert!(early.has_pending());
    assert_eq!(get(&early, Kind::Text), json!("a"));
    assert!(early.waiting().keys().eq(&[1]), "{:?}", early.waiting());
    assert_eq!(early.apply(&log[2]).expect("looked at"), Applied::InPart);
    let again = State::load(1, Some(&early.encode()), [log[2].as_slice(), &log[1]]);
    let again = again.expect("loaded");
    assert!(!again.has_pending());
    assert_eq!(get(&again, Kind::Text), json!("abc"));
}

#[test]
fn what_is_taken_out_of_a_nested_document_takes_no_memory_any_more() {
    let mut state = empty();
    let data: Vec<Value> = (0..500).map(|n| json!({ "id": n, "cells": [n, { "x": n }] })).collect();
    put(&mut state, Kind::Array, &json!(data));
    let before = crdt::footprint(&state.encode()).expect("its size");
    put(&mut state, Kind::Array, &json!([]));
    let after = crdt::footprint(&state.encode()).expect("its size");
    assert!(after * 100 < before, "{after} of {before} bytes");
}
