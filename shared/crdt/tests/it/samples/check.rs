//! Documents are read, and written back with small changes.

use crdt::{Kind, State};
use serde_json::{Value, json};
use yrs::{Update, updates::decoder::Decode};

use super::{get, loaded, put, xml::blocks};

/// Items that marks around a word may add to the change.
const MARKS: usize = 4;

/// Panics unless what is read of a text or of XML writes nothing, another word changes that word
/// alone, and so does a block that is deleted or inserted.
pub(crate) fn one_changed_word_changes_that_word_alone(state: &State, kind: Kind) {
    let Value::String(data) = get(state, kind) else { return };
    let before = state.encode();
    // The numbers of new and of deleted items.
    let change = |state: &mut State, data: &str| {
        let update = put(state, kind, &json!(data)).update;
        assert_eq!(get(state, kind), json!(data));
        match Update::decode_v1(&update) {
            Ok(update) if !update.is_empty() => {
                let count = |set: &yrs::IdSet| -> usize {
                    let ranges = set.iter().flat_map(|(_, ranges)| ranges.iter());
                    ranges.map(|range| (range.end - range.start) as usize).sum()
                };
                (count(&update.insertions(true)), count(update.delete_set()))
            }
            _ => (0, 0),
        }
    };
    assert_eq!(change(&mut loaded(&before), &data), (0, 0), "written twice: {data}");
    let places = places(&data, kind);
    for at in [0, places.len() / 2, places.len().saturating_sub(1)] {
        let Some((at, word)) = places.get(at) else { break };
        let (new, old) = ("delta".len() + MARKS, word.len() + MARKS);
        let changed = format!("{}delta{}", &data[..*at], &data[at + word.len()..]);
        let (added, deleted) = change(&mut loaded(&before), &changed);
        assert!(added <= new && deleted <= old, "+{added} -{deleted}: {word} in {data}");
    }
    if kind == Kind::Xml {
        let blocks = blocks(&data);
        assert_eq!(blocks.concat(), data);
        for at in 0..blocks.len() {
            let mut state = loaded(&before);
            let rest = [&blocks[..at], &blocks[at + 1..]].concat().concat();
            assert_eq!(change(&mut state, &rest).0, 0, "block {at} deleted in {data}");
            assert_eq!(change(&mut state, &data).1, 0, "block {at} inserted in {data}");
        }
    }
}

/// Words of the text between spaces, and at the ends of paragraphs.
fn places(data: &str, kind: Kind) -> Vec<(usize, &str)> {
    let mut places = Vec::new();
    let mut is_markup = false;
    let mut start = 0;
    for (at, c) in data.char_indices().chain([(data.len(), '<')]) {
        if !matches!(c, '<' | '>' | ' ') {
            continue;
        }
        let (before, word, after) = (&data[..start], &data[start..at], &data[at..]);
        let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let begins = before.is_empty() || before.ends_with(' ') || before.ends_with("paragraph>");
        let ends = after.is_empty() || after.starts_with(' ') || after.starts_with("</paragraph");
        if is_word && begins && ends && !is_markup {
            places.push((start, word));
        }
        is_markup = kind == Kind::Xml && (c == '<' || (is_markup && c != '>'));
        start = at + c.len_utf8();
    }
    places
}
