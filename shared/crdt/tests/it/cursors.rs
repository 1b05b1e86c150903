//! Cursors and concurrent edits in what stays.

use crdt::Kind;
use serde_json::json;
use yrs::{
    Assoc, Doc, GetString, IndexedSequence, OffsetKind, Options, ReadTxn, StateVector, Text,
    Transact, Update, updates::decoder::Decode,
};

use crate::samples::{Dice, KEY, WORDS, empty, get, loaded, put};

pub(crate) fn peer(client: u64, update: &[u8]) -> Doc {
    let doc = Doc::with_options(Options {
        client_id: yrs::ClientID::new(client),
        offset_kind: OffsetKind::Utf16,
        ..Options::default()
    });
    receive(&doc, update);
    doc
}

pub(crate) fn receive(doc: &Doc, update: &[u8]) {
    let update = Update::decode_v1(update).expect("an update");
    doc.transact_mut().apply_update(update).expect("applied");
}

pub(crate) fn everything(doc: &Doc) -> Vec<u8> {
    doc.transact().encode_state_as_update_v1(&StateVector::default())
}

#[test]
fn most_cursors_stay_on_their_character() {
    let dice = &mut Dice::new(7);
    let words: Vec<&str> = (0..2000).map(|_| dice.pick(&WORDS[..8])).collect();
    let text = words.join(" ");
    let mut edited = words.clone();
    (0..20).for_each(|_| edited[dice.below(2000)] = "other");
    let edited = edited.join(" ");

    let mut state = empty();
    put(&mut state, Kind::Text, &json!(text));
    let doc = peer(9, &state.encode());
    let shared = doc.get_or_insert_text(KEY);
    let (cursors, before) = {
        let txn = doc.transact();
        let at: Vec<u32> = (0..200).map(|_| dice.below(text.len() - 1) as u32).collect();
        let cursors: Vec<_> = at
            .iter()
            .map(|at| shared.sticky_index(&txn, *at, Assoc::After).expect("a cursor"))
            .collect();
        let before = at.iter().map(|at| text.as_bytes()[*at as usize]).collect::<Vec<_>>();
        (cursors, before)
    };
    receive(&doc, &put(&mut state, Kind::Text, &json!(edited)).update);

    let txn = doc.transact();
    let after = shared.get_string(&txn);
    assert_eq!(after, edited);
    let kept = cursors.iter().zip(before).filter(|(cursor, before)| {
        let at = cursor.get_offset(&txn).expect("a place").index as usize;
        // A character that was replaced moves its cursor to the next one.
        cursor.id().is_some_and(|id| !txn.snapshot().delete_set.contains(id))
            && after.as_bytes().get(at) == Some(before)
    });
    let kept = kept.count();
    assert!(kept >= 190, "{kept} of 200 cursors were kept");
}

#[test]
fn what_others_type_into_what_stays_is_kept_where_it_was_typed() {
    let mut state = empty();
    put(&mut state, Kind::Text, &json!("one two three four five"));
    let doc = peer(9, &state.encode());
    doc.get_or_insert_text(KEY).insert(&mut doc.transact_mut(), 11, "X");
    put(&mut state, Kind::Text, &json!("ONE two three four FIVE and six"));
    state.apply(&everything(&doc)).expect("applied");
    assert_eq!(get(&state, Kind::Text), json!("ONE two thrXee four FIVE and six"));
    receive(&doc, &state.encode());
    assert_eq!(get(&loaded(&everything(&doc)), Kind::Text), get(&state, Kind::Text));
}

#[test]
fn an_edit_is_as_small_as_what_was_edited() {
    for (old, new, most) in [
        ("the color of it", "the colour of it", 40),
        ("a 👩‍👩‍👧‍👦 b", "a 👩‍👩‍👧‍👦👍🏽 b", 48),
        ("漢字かな交じり文", "漢字カナ交じり文", 48),
        ("cafe\u{301} noir", "cafe\u{301} au lait noir", 48),
    ] {
        let filler = "Lorem ipsum dolor sit amet. ".repeat(100);
        let mut state = empty();
        put(&mut state, Kind::Text, &json!(format!("{filler}{old}{filler}")));
        let written = put(&mut state, Kind::Text, &json!(format!("{filler}{new}{filler}")));
        assert!(written.update.len() <= most, "{new}: {} bytes", written.update.len());
    }
}
