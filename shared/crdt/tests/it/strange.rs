//! Updates that no editor writes. `tests/peers.rs` asks Yjs what they do.

#[path = "../generated/check.rs"]
#[expect(dead_code, reason = "some of it is for the judge")]
mod check;
#[path = "../generated/mod.rs"]
pub(crate) mod generated;

use std::env;

use base64::{Engine, prelude::BASE64_STANDARD};
use crdt::{Kind, State, check_update};
use proptest::strategy::ValueTree;
use serde_json::{Value, json};

fn decoded(update: &str) -> Vec<u8> {
    BASE64_STANDARD.decode(update).expect("base64")
}

#[test]
fn generated_updates_leave_the_document_readable() {
    #[expect(clippy::disallowed_methods, reason = "as in the simulators")]
    let seeds = env::var("SIMULATOR_SEEDS").ok().and_then(|seeds| seeds.parse().ok());
    // Of three updates each.
    let documents = seeds.unwrap_or(2_000) * 2 / 3;
    let mut runner = generated::runner(0);
    let mut accepted = 0;
    for _ in 0..documents {
        let tree = generated::tree(&mut runner);
        match check::readable(&generated::made(&tree.current())) {
            Ok(ours) => accepted += ours.updates.len(),
            Err(_) => {
                let (made, failure) =
                    generated::smallest(tree, |made| check::readable(made).map(drop));
                panic!("{failure}{}", check::told(&made.updates));
            }
        }
    }
    assert!(accepted > 2 * documents, "only {accepted} updates were worth trying");
}

fn state(snapshot: Option<&[u8]>, updates: &[&[u8]]) -> State {
    let state = State::load(1, snapshot, updates.iter().copied()).expect("loaded");
    assert!(!state.has_pending());
    state
}

/// The text and the map that Yjs 13.6.33 has after accepted updates, also if they are merged.
fn is(updates: &[&str], text: &str, map: &Value) {
    let updates: Vec<Vec<u8>> = updates.iter().map(|update| decoded(update)).collect();
    updates.iter().for_each(|update| drop(check_update(update).expect("accepted")));
    let all: Vec<&[u8]> = updates.iter().map(Vec::as_slice).collect();
    let state = state(None, &all);
    let merged = self::state(Some(&state.encode()), &[]);
    for state in [state, merged] {
        assert_eq!(state.value(Kind::Text, "default").expect("a text"), text);
        assert_eq!(&state.value(Kind::Map, "default").expect("a map"), map);
    }
}

#[test]
fn what_is_in_a_character_is_collected() {
    is(&["AQJNAAQBB2RlZmF1bHQBYQQATQABYgA="], "a", &json!({}));
}

#[test]
fn what_is_beside_collected_content_is_collected() {
    let updates =
        ["AQIHACcBB2RlZmF1bHQBawCEBwABYQA=", "AQMHAgYABwABYgR0cnVlAQEHZGVmYXVsdAHEBwMHAgFhAA=="];
    is(&updates, "", &json!({ "k": "a" }));
}

#[test]
fn a_key_of_several_values_has_the_last_one() {
    is(&["AQGsAgAkAQdkZWZhdWx0AWsCYmMA"], "", &json!({ "k": "c" }));
    let updates = ["AQGsAgAkAQdkZWZhdWx0AWsCYmMA", "AQMHAEasAgEBYgR0cnVlBAEHZGVmYXVsdAFhAAEA"];
    is(&updates, "a", &json!({ "k": "c" }));
}

#[test]
fn a_deleted_map_leaves_nothing_behind() {
    let update = "AgsHAAEBB2RlZmF1bHQBAQEHZGVmYXVsdAEEAQdkZWZhdWx0AWEIAQdkZWZhdWx0AX0AJAD/////////DwABawJiYwYBB2RlZmF1bHQBYgR0cnVlAQEHZGVmYXVsdAEBAQdkZWZhdWx0AQQBB2RlZmF1bHQBYQQBB2RlZmF1bHQBYQEBB2RlZmF1bHQBAv////////8PAAcBB2RlZmF1bHQAAAEC/////////w8BAAEHAQUB";
    is(&[update], "aaa", &json!({}));
}

#[test]
fn nothing_comes_between_the_values_of_a_key() {
    let updates = [
        "AgIHAIQFAQFhQQcAAQEFACgBB2RlZmF1bHQBawJ9AH0BAA==",
        "AgIHAgQBB2RlZmF1bHQBYQoBAawCAIMFAAIBAgEHAQAB",
    ];
    is(&updates, "a", &json!({}));
    is(&[updates[1], updates[0]], "a", &json!({}));
}

#[test]
fn of_two_items_with_one_id_the_first_counts() {
    let updates = [
        "AgGsAgAEAQdkZWZhdWx0AWEB/////////w8AgawCAAEA",
        "AgGsAgEHAQdkZWZhdWx0AAH/////////DwADAKwCAQIBAgA=",
    ];
    let [one, other] = updates.map(decoded);
    assert_eq!(state(None, &[&one, &other]).encode(), state(None, &[&other, &one]).encode());
}

/// Yjs neither writes nor reads these. An earlier version stored them.
#[test]
fn what_is_refused_is_readable_if_it_is_stored() {
    for (name, update, is_waiting) in [
        ("an item beside itself", "AQFNAIRNAAF4AA==", true),
        ("a subdocument", "AQFOAAkBB2RlZmF1bHQBZ3YAAA==", false),
        ("an XML hook", "AQFOAAcBB2RlZmF1bHQFAXAA", false),
        ("an empty text", "AQFOAAQBB2RlZmF1bHQAAA==", false),
        ("a client twice", "AgFOAAQBB2RlZmF1bHQBYQFOAQQBB2RlZmF1bHQBYgA=", false),
        ("an empty deletion", "AAFOAQAA", false),
    ] {
        let update = decoded(update);
        check_update(&update).expect_err(name);
        let state = State::load(1, None, [&update[..]]).expect(name);
        assert_eq!(state.has_pending(), is_waiting, "{name}");
        state.roots().expect(name);
        let merged = state.encode();
        check_update(&merged).expect(name);
        assert!(!State::load(1, Some(&merged), []).expect(name).has_pending(), "{name}");
    }
}
