//! Peers that edit offline while the server replaces.

use crdt::{Kind, State};
use serde_json::{Value, json};
use yrs::{
    Any, Array, Doc, Map, Out, Text, Transact, Xml, XmlElementPrelim, XmlFragment, XmlOut,
    XmlTextPrelim,
};

use crate::{
    cursors::{everything, peer, receive},
    samples::{self, Dice, KEY, SERVER, get, put},
};

/// Edits as a peer does; answers what must be found afterwards, whatever others do.
pub(crate) fn edit(dice: &mut Dice, doc: &Doc, kind: Kind, mark: &str) {
    match kind {
        Kind::Text => {
            let text = doc.get_or_insert_text(KEY);
            let mut txn = doc.transact_mut();
            let len = text.len(&txn);
            // An index that splits no pair of surrogates: no editor makes one.
            let content = yrs::GetString::get_string(&text, &txn);
            let cut = dice.below(content.chars().count() + 1);
            let at = content.chars().take(cut).map(char::len_utf16).sum::<usize>() as u32;
            text.insert(&mut txn, at, mark);
            if dice.below(2) == 0 && len > 4 && content.is_ascii() {
                text.remove_range(&mut txn, dice.below(len as usize - 3) as u32, 2);
            }
            if dice.below(3) == 0 && at > 0 {
                let bold = [("bold".into(), Any::from(true))].into();
                text.format(&mut txn, 0, at, bold);
            }
        }
        Kind::Map => {
            let map = doc.get_or_insert_map(KEY);
            let mut txn = doc.transact_mut();
            map.insert(&mut txn, mark, mark);
            map.insert(&mut txn, format!("k{}", dice.below(6)), mark);
            map.remove(&mut txn, &format!("k{}", dice.below(6)));
        }
        Kind::Array => {
            let array = doc.get_or_insert_array(KEY);
            let mut txn = doc.transact_mut();
            let len = array.len(&txn) as usize;
            array.insert(&mut txn, dice.below(len + 1) as u32, mark);
            if dice.below(2) == 0 && len > 1 {
                let at = dice.below(len) as u32;
                if !matches!(array.get(&txn, at), Some(Out::Any(Any::String(_)))) {
                    array.remove(&mut txn, at);
                }
            }
        }
        Kind::Xml => {
            let root = doc.get_or_insert_xml_fragment(KEY);
            let mut txn = doc.transact_mut();
            let len = root.len(&txn) as usize;
            if len > 0
                && dice.below(2) == 0
                && let Some(XmlOut::Element(element)) = root.get(&txn, dice.below(len) as u32)
            {
                element.insert_attribute(&mut txn, "by", mark);
                if let Some(XmlOut::Text(text)) = element.get(&txn, 0) {
                    text.insert(&mut txn, 0, "typed ");
                }
                let space = dice.pick(&["\n", " ", " \n"]);
                element.push_back(&mut txn, XmlElementPrelim::empty("odd name"));
                element.push_back(&mut txn, XmlTextPrelim::new(space));
            }
            let new = XmlElementPrelim::empty(dice.pick(&["paragraph", "1st paragraph"]));
            let new = root.insert(&mut txn, dice.below(len + 1) as u32, new);
            new.insert_attribute(&mut txn, "is new", "yes");
            new.push_back(&mut txn, XmlTextPrelim::new(mark));
        }
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

fn round(kind: Kind, seed: u64) {
    let dice = &mut Dice::new(seed);
    let mut server = samples::empty();
    let first = samples::content(dice, kind);
    put(&mut server, kind, &first);
    let start = server.encode();
    let peers = [peer(11, &start), peer(12, &start)];
    edit(dice, &peers[0], kind, "⟦A⟧");
    edit(dice, &peers[1], kind, "⟦B⟧");
    let second = samples::edited(dice, kind, &first);
    put(&mut server, kind, &second);
    let third = samples::edited(dice, kind, &second);
    put(&mut server, kind, &third);
    assert_eq!(get(&server, kind), third);

    let mut messages = vec![(0, everything(&peers[0])), (1, everything(&peers[1]))];
    messages.push((2, server.encode()));
    let mut values = Vec::new();
    for _ in 0..4 {
        dice.shuffle(&mut messages);
        let merged = State::load(SERVER, None, messages.iter().map(|(_, bytes)| bytes.as_slice()));
        values.push(get(&merged.expect("merged"), kind));
    }
    for (of, doc) in peers.iter().enumerate() {
        dice.shuffle(&mut messages);
        messages.iter().filter(|(from, _)| *from != of).for_each(|(_, bytes)| receive(doc, bytes));
        values.push(get(&samples::loaded(&everything(doc)), kind));
    }
    for value in &values {
        assert_eq!(value, &values[0], "{kind:?} diverged, seed {seed}");
        for mark in ["⟦A⟧", "⟦B⟧"] {
            assert!(survives(kind, value, mark), "{mark} is lost, seed {seed}: {value}");
        }
    }

    // And then the server has the last word.
    let mut server = samples::loaded(&everything(&peers[0]));
    samples::check::one_changed_word_changes_that_word_alone(&server, kind);
    let last = samples::edited(dice, kind, &third);
    let update = put(&mut server, kind, &last).update;
    assert_eq!(get(&server, kind), last, "seed {seed}");
    if !update.is_empty() {
        receive(&peers[1], &update);
    }
    assert_eq!(get(&samples::loaded(&everything(&peers[1])), kind), last, "seed {seed}");
}

#[test]
fn texts_converge_and_lose_nothing() {
    (0..300).for_each(|seed| round(Kind::Text, seed));
}

#[test]
fn maps_converge_and_lose_nothing() {
    (0..300).for_each(|seed| round(Kind::Map, seed));
}

#[test]
fn arrays_converge_and_lose_nothing() {
    (0..300).for_each(|seed| round(Kind::Array, seed));
}

#[test]
fn fragments_converge_and_lose_nothing() {
    (0..300).for_each(|seed| round(Kind::Xml, seed));
}
