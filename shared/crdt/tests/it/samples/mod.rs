//! Generated content, and documents to put it into.

pub(crate) mod check;
pub(crate) mod xml;

use crdt::{Content, Kind, Replacement, State, replace};
use serde_json::{Value, json};

/// The server's client in tests.
pub(crate) const SERVER: u32 = 4_000_000_001;

/// The key that tests use.
pub(crate) const KEY: &str = "default";

/// Numbers that look random, and are the same in each run.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

/// Words, some of which are hard.
pub(crate) const WORDS: [&str; 24] = [
    "the",
    "quick",
    "brown",
    "fox",
    "jumps",
    "over",
    "lazy",
    "dog",
    "a",
    "naïve",
    "cafe\u{301}",
    "👩‍👩‍👧‍👦",
    "😀",
    "🇨🇭🇯🇵",
    "漢字",
    "かな",
    "한국어",
    "नमस्ते",
    "<",
    "&",
    "\"",
    "👍🏽",
    "é",
    "x",
];

pub(crate) fn words(dice: &mut Dice, most: usize) -> String {
    let count = dice.below(most + 1);
    (0..count).map(|_| dice.pick(&WORDS)).collect::<Vec<_>>().join(" ")
}

/// Another text that has much in common with `text`.
pub(crate) fn edit_text(dice: &mut Dice, text: &str) -> String {
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for _ in 0..1 + dice.below(4) {
        let at = dice.below(words.len() + 1);
        match dice.below(4) {
            0 => words.insert(at, dice.pick(&WORDS).to_owned()),
            1 if at < words.len() => drop(words.remove(at)),
            2 if at < words.len() => words[at] = dice.pick(&WORDS).to_owned(),
            _ if at < words.len() => words[at].push_str(dice.pick(&WORDS)),
            _ => (),
        }
    }
    words.join(" ")
}

pub(crate) fn json(dice: &mut Dice, depth: usize) -> Value {
    match dice.below(if depth == 0 { 6 } else { 8 }) {
        0 => json!(null),
        1 => json!(dice.below(2) == 0),
        2 => json!(dice.next() as i32),
        3 => json!(1_700_000_000_000_i64 + dice.below(1000) as i64),
        4 => json!((dice.below(1000) as f64) / 8.0 + 0.0625),
        5 => json!(words(dice, 3)),
        6 => array(dice, depth - 1),
        _ => map(dice, depth - 1),
    }
}

pub(crate) fn map(dice: &mut Dice, depth: usize) -> Value {
    let count = dice.below(5);
    (0..count).map(|_| (format!("k{}", dice.below(6)), json(dice, depth))).collect()
}

pub(crate) fn array(dice: &mut Dice, depth: usize) -> Value {
    let count = dice.below(6);
    (0..count).map(|_| json(dice, depth)).collect()
}

/// An object that keeps its identity in an array.
pub(crate) fn item(dice: &mut Dice) -> Value {
    json!({ "id": dice.below(9), "text": words(dice, 4), "n": dice.below(3) })
}

/// Another value of the same kind that has much in common with `value`.
pub(crate) fn edit_json(dice: &mut Dice, value: &Value) -> Value {
    match value {
        Value::Object(entries) => {
            let mut entries = entries.clone();
            for _ in 0..1 + dice.below(3) {
                let key = format!("k{}", dice.below(6));
                match dice.below(3) {
                    0 => drop(entries.remove(&key)),
                    1 => drop(entries.insert(key, json(dice, 2))),
                    _ => {
                        if let Some(old) = entries.get(&key).cloned() {
                            entries.insert(key, edit_json(dice, &old));
                        }
                    }
                }
            }
            Value::Object(entries)
        }
        Value::Array(items) => {
            let mut items = items.clone();
            for _ in 0..1 + dice.below(3) {
                let at = dice.below(items.len() + 1);
                match dice.below(3) {
                    0 => items.insert(at, item(dice)),
                    1 if at < items.len() => drop(items.remove(at)),
                    _ if at < items.len() => items[at] = edit_json(dice, &items[at]),
                    _ => (),
                }
            }
            Value::Array(items)
        }
        Value::String(text) => json!(edit_text(dice, text)),
        _ => json(dice, 1),
    }
}

/// Content of a kind.
pub(crate) fn content(dice: &mut Dice, kind: Kind) -> Value {
    match kind {
        Kind::Text => json!(words(dice, 30)),
        Kind::Map => map(dice, 3),
        Kind::Array => (0..dice.below(6)).map(|_| item(dice)).collect(),
        Kind::Xml => json!(xml::xml(dice)),
    }
}

/// Content that has much in common with `data`.
pub(crate) fn edited(dice: &mut Dice, kind: Kind, data: &Value) -> Value {
    match (kind, data) {
        (Kind::Text, Value::String(text)) => json!(edit_text(dice, text)),
        (Kind::Xml, Value::String(xml)) => json!(xml::edit_xml(dice, xml)),
        _ => edit_json(dice, data),
    }
}

/// A document with nothing in it.
pub(crate) fn empty() -> State {
    State::load(SERVER, None, []).expect("an empty document")
}

/// A document that `update` makes.
pub(crate) fn loaded(update: &[u8]) -> State {
    State::load(SERVER, Some(update), []).expect("a readable update")
}

/// Replaces the content under [`KEY`].
pub(crate) fn put(state: &mut State, kind: Kind, data: &Value) -> Replacement {
    let content = Content::new(kind, data.clone()).unwrap_or_else(|e| panic!("{e}: {data}"));
    replace(state, KEY, &content).unwrap_or_else(|e| panic!("{e}: {data}"))
}

/// The content under [`KEY`].
pub(crate) fn get(state: &State, kind: Kind) -> Value {
    state.value(kind, KEY).expect("a value")
}
