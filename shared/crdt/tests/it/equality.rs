//! The content is what was asked for, and asking for it again writes nothing.

use crdt::{Kind, State};
use proptest::{collection, prelude::*};
use serde_json::{Map, Value, json};

use crate::samples::{self, Dice, SERVER, empty, get, put};

fn check(kind: Kind, contents: &[Value]) {
    let mut state = empty();
    let mut log: Vec<Vec<u8>> = Vec::new();
    for data in contents {
        let written = put(&mut state, kind, data);
        assert_eq!(get(&state, kind), *data);
        assert_eq!(written.clock, state.clock_of(SERVER));
        let again = put(&mut state, kind, data);
        assert!(again.update.is_empty(), "written twice: {data}");
        assert_eq!(again.clock, written.clock);
        if !written.update.is_empty() {
            log.push(written.update);
        }
    }
    let wanted = get(&state, kind);
    let replayed = State::load(1, None, log.iter().map(Vec::as_slice)).expect("a log");
    assert_eq!(get(&replayed, kind), wanted);
    // Neighbours are joined in the one and not in the other, so that their bytes differ.
    assert_eq!(replayed.clock_of(SERVER), state.clock_of(SERVER));
    let snapshot = State::load(1, Some(&state.encode()), log.iter().map(Vec::as_slice));
    assert_eq!(get(&snapshot.expect("both"), kind), wanted);
    assert!(!replayed.has_pending());
    samples::check::one_changed_word_changes_that_word_alone(&state, kind);
}

fn text() -> impl Strategy<Value = String> {
    let words = collection::vec(prop::sample::select(&samples::WORDS[..]), 0..30);
    prop_oneof![
        words.clone().prop_map(|words| words.concat()),
        words.prop_map(|words| words.join(" ")),
        ".{0,40}",
        "[ab]{0,60}",
        "(?s).{0,20}",
    ]
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i32>().prop_map(|n| json!(n)),
        (-9_007_199_254_740_991_i64..=9_007_199_254_740_991).prop_map(|n| json!(n)),
        any::<f64>().prop_filter("no integer", |n| n.fract() != 0.0).prop_map(|n| json!(n)),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number(),
        text().prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            entries(inner).prop_map(Value::Object),
        ]
    })
}

fn entries(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    collection::vec(("[a-e]|id|.{0,3}", value), 0..6)
        .prop_map(|entries| entries.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_text(contents in collection::vec(text(), 1..5)) {
        check(Kind::Text, &contents.into_iter().map(Value::String).collect::<Vec<_>>());
    }

    #[test]
    fn of_maps(contents in collection::vec(entries(value()), 1..5)) {
        check(Kind::Map, &contents.into_iter().map(Value::Object).collect::<Vec<_>>());
    }

    #[test]
    fn of_arrays(contents in collection::vec(collection::vec(value(), 0..8), 1..5)) {
        check(Kind::Array, &contents.into_iter().map(Value::Array).collect::<Vec<_>>());
    }

    #[test]
    fn of_xml(seeds in collection::vec(any::<u64>(), 1..5)) {
        let contents = seeds.into_iter().map(|seed| json!(samples::xml::xml(&mut Dice::new(seed))));
        check(Kind::Xml, &contents.collect::<Vec<_>>());
    }

    #[test]
    fn of_what_is_edited(seed: u64, kind in prop::sample::select(&Kind::ALL[..])) {
        let dice = &mut Dice::new(seed);
        let mut contents = vec![samples::content(dice, kind)];
        for at in 0..6 {
            contents.push(samples::edited(dice, kind, &contents[at]));
        }
        check(kind, &contents);
    }
}

#[test]
fn a_number_that_no_peer_can_read_becomes_the_next_one_that_they_can() {
    let mut state = empty();
    put(&mut state, Kind::Array, &json!([9_007_199_254_740_993_i64, 1.0]));
    assert_eq!(get(&state, Kind::Array), json!([9_007_199_254_740_992_f64, 1]));
}
