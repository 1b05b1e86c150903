//! Replacements that change very many places.

use crdt::Kind;
use serde_json::{Value, json};

use crate::samples::{empty, get, loaded, put};

fn paragraphs(count: usize, text: impl Fn(usize) -> String) -> Value {
    (0..count).map(|at| format!("<p>{}</p>", text(at))).collect::<String>().into()
}

/// The data is exchanged; returns the size of the update.
fn exchanged(kind: Kind, old: &Value, new: &Value) -> usize {
    let mut state = empty();
    put(&mut state, kind, old);
    let mut state = loaded(&state.encode());
    let update = put(&mut state, kind, new).update;
    assert!(get(&state, kind) == *new);
    update.len()
}

#[test]
fn few_paragraphs_of_many_are_changed_on_their_own() {
    let old = paragraphs(24_000, |at| format!("text {at}"));
    let new =
        paragraphs(24_000, |at| format!("{} {at}", ["text", "new"][usize::from(at % 240 == 7)]));
    let size = exchanged(Kind::Xml, &old, &new);
    assert!(size < 10_000, "{size} bytes");
}

#[test]
fn texts_of_very_many_paragraphs_are_exchanged() {
    let old = paragraphs(24_000, |at| format!("text {at}"));
    for step in [1, 2] {
        let new = paragraphs(24_000, |at| {
            format!("{} {at}", ["text", "new"][usize::from(at % step == 0)])
        });
        // The paragraphs stay; only texts are other ones.
        let size = exchanged(Kind::Xml, &old, &new);
        assert!(size < 24_000 * 30, "{size} bytes");
    }
}

#[test]
fn very_many_places_of_each_kind_can_change() {
    let words = |start: usize| {
        (0..20_000).map(|at| format!("w{} same ", at * 2 + start)).collect::<String>()
    };
    exchanged(Kind::Text, &json!(words(0)), &json!(words(1)));
    let marked = |mark: &str| {
        (0..9_000).map(|at| format!("<{mark}>w{at}</{mark}> same ")).collect::<String>()
    };
    exchanged(
        Kind::Xml,
        &json!(format!("<p>{}</p>", marked("bold"))),
        &json!(format!("<p>{}</p>", marked("italic"))),
    );
    let list = |odd: usize| (0..40_000).map(|at| json!(at + at % 2 * odd)).collect::<Value>();
    exchanged(Kind::Array, &list(0), &list(100_000));
    let objects = |start: usize| {
        (0..12_000).map(|at| json!({ "id": at + start, "n": start })).collect::<Value>()
    };
    exchanged(Kind::Array, &objects(0), &objects(1));
}
