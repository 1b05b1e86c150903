//! Erasing what one user wrote.

use std::collections::BTreeSet;

use crdt::{
    Kind, State,
    history::{Authors, Erasure, erase, erased},
};
use serde_json::json;
use yrs::{Text, Transact, Xml, XmlElementPrelim, XmlFragment, XmlTextPrelim};

use super::world::{Life, USERS, World, after, apply, both, content, doc, letters, text, whole};
use crate::samples::{KEY, SERVER};

fn authors(world: &World) -> Authors {
    let mut authors = Authors::default();
    for entry in &world.log {
        let mut take = |update: &Vec<u8>| authors.take(update, entry.by.as_deref());
        entry.updates.iter().for_each(|update| take(update).expect("readable"));
    }
    authors
}

/// The letters whose bytes are somewhere in an update.
fn within(update: &[u8], letters: &BTreeSet<char>) -> BTreeSet<char> {
    let is_there = |letter: &char| {
        let mut bytes = [0; 4];
        let letter = letter.encode_utf8(&mut bytes).as_bytes();
        update.windows(letter.len()).any(|part| part == letter)
    };
    letters.iter().copied().filter(is_there).collect()
}

fn loaded(snapshot: Option<&[u8]>, updates: &[Vec<u8>], more: &[&[u8]]) -> State {
    let updates = updates.iter().map(Vec::as_slice).chain(more.iter().copied());
    State::load(SERVER, snapshot, updates.filter(|update| !update.is_empty())).expect("a document")
}

fn round(life: Life, seed: u64) -> usize {
    let mut world = World::lived(seed, life, !seed.is_multiple_of(2), 60);
    let at = world.dice.below(USERS.len());
    let user = USERS[at];
    let authors = authors(&world);
    let live = after(&world, &[]);
    let Erasure { update, kept } = erase(&live, &authors, user).expect("erased");
    let of_user = world.authors.iter().filter(|(_, (_, by))| *by == user);
    let secrets: BTreeSet<char> = of_user.map(|(letter, _)| *letter).collect();

    // The live document.
    let then = loaded(Some(&live.encode()), &[], &[&update]);
    let before: BTreeSet<char> = letters(&live);
    let others: BTreeSet<char> = before.difference(&secrets).copied().collect();
    assert_eq!(letters(&then), others, "seed {seed}");
    assert_eq!(within(&then.encode(), &secrets), BTreeSet::new(), "seed {seed}");

    // The stored updates.
    let log: Vec<Vec<u8>> = world.log.iter().flat_map(|entry| entry.updates.clone()).collect();
    let rewrite = |update: &Vec<u8>| {
        let less = erased(update, &authors, user, &kept).expect("readable");
        let less = less.unwrap_or_else(|| update.clone());
        assert_eq!(within(&less, &secrets), BTreeSet::new(), "seed {seed}");
        assert_eq!(erased(&less, &authors, user, &kept).expect("readable"), None);
        less
    };
    let less: Vec<Vec<u8>> = log.iter().map(rewrite).collect();
    let replayed = loaded(None, &less, &[&update]);
    assert_eq!(replayed.state_vector().len(), then.state_vector().len());
    assert_eq!(content(&replayed), content(&then), "seed {seed}");
    let snapshot = rewrite(&live.encode());
    assert_eq!(content(&loaded(Some(&snapshot), &[], &[&update])), content(&then), "seed {seed}");

    // Old updates bring nothing back.
    for snapshot in [then.encode(), replayed.encode()] {
        let again = loaded(Some(&snapshot), &log, &[]);
        assert_eq!(content(&again), content(&then), "seed {seed}");
        assert_eq!(within(&again.encode(), &secrets), BTreeSet::new(), "seed {seed}");
    }

    // Others who edit at this time lose nothing of their text.
    let first = world.edits.len();
    let (offline, own) = world.offline((at + 1) % USERS.len());
    let own: Vec<&[u8]> = own.iter().map(Vec::as_slice).collect();
    let merged = loaded(Some(&then.encode()), &[], &own);
    let late = loaded(None, &less, &both(&[&update], &own));
    assert_eq!(content(&merged), content(&late), "seed {seed}");
    if !update.is_empty() {
        apply(&offline, &update);
    }
    let theirs = loaded(Some(&whole(&offline)), &[], &[]);
    if !live.has_pending() {
        assert_eq!(content(&theirs), content(&merged), "seed {seed}");
    }
    if life == Life::Text {
        let mut typed: BTreeSet<char> = BTreeSet::new();
        for edit in &world.edits[first..] {
            typed.extend(&edit.letters);
            typed.retain(|letter| !edit.deleted.contains(letter));
        }
        let text = text(&merged);
        assert!(typed.iter().all(|letter| text.contains(*letter)), "seed {seed}");
    }
    before.len() - others.len()
}

#[test]
fn no_byte_of_erased_text_stays() {
    let count: usize = (0..200).map(|seed| round(Life::Text, seed)).sum();
    assert!(count > 500, "{count}");
}

#[test]
fn no_byte_of_erased_values_and_xml_stays() {
    let count: usize = (0..400).map(|seed| round(Life::All, seed)).sum();
    assert!(count > 500, "{count}");
}

/// Text of one client that several users delivered is cut where the author changes.
#[test]
fn parts_of_an_item_stay() {
    let peer = doc(7);
    let words = peer.get_or_insert_text(KEY);
    let mut authors = Authors::default();
    let mut log = Vec::new();
    for (at, (part, by)) in (0..).step_by(2).zip([("ab", "ada"), ("cd", "eve"), ("ef", "ada")]) {
        let mut txn = peer.transact_mut();
        words.insert(&mut txn, at, part);
        let update = txn.encode_update_v1();
        authors.take(&update, Some(by)).expect("readable");
        log.push(update);
    }
    let less = erased(&whole(&peer), &authors, "eve", &[]).expect("readable").expect("less");
    let then = loaded(None, &[less], &[]);
    assert_eq!(then.value(Kind::Text, KEY).expect("a value"), json!("abef"));
    assert_eq!(content(&loaded(Some(&then.encode()), &log, &[])), content(&then));
}

/// Text that others write into a paragraph of which nothing is left is lost with it, as it is when
/// anybody deletes the paragraph. In one that has text of others it stays.
#[test]
fn a_paragraph_left_empty_goes_with_what_comes_later() {
    for has_others in [false, true] {
        let eve = doc(1);
        let root = eve.get_or_insert_xml_fragment(KEY);
        let mut txn = eve.transact_mut();
        let paragraph = root.push_back(&mut txn, XmlElementPrelim::empty("p"));
        paragraph.insert_attribute(&mut txn, "id", "eve's");
        paragraph.push_back(&mut txn, XmlTextPrelim::new("secret"));
        drop(txn);
        let mut log = vec![(whole(&eve), "eve")];
        let bob = doc(2);
        apply(&bob, &whole(&eve));
        let typed = |doc: &yrs::Doc, text: &str| {
            let root = doc.get_or_insert_xml_fragment(KEY);
            let mut txn = doc.transact_mut();
            let Some(yrs::XmlOut::Element(paragraph)) = root.get(&txn, 0) else { panic!("one") };
            let Some(yrs::XmlOut::Text(words)) = paragraph.get(&txn, 0) else { panic!("words") };
            words.insert(&mut txn, 3, text);
            txn.encode_update_v1()
        };
        if has_others {
            log.push((typed(&bob, "public"), "bob"));
        }
        let offline = typed(&bob, "later");
        let mut authors = Authors::default();
        log.iter().for_each(|(update, by)| authors.take(update, Some(by)).expect("readable"));
        let state = State::load(SERVER, None, log.iter().map(|(update, _)| update.as_slice()));
        let erasure = erase(&state.expect("a document"), &authors, "eve").expect("erased");
        assert_eq!(erasure.kept.len(), usize::from(has_others));
        let less = |(update, _): &(Vec<u8>, &str)| {
            let less = erased(update, &authors, "eve", &erasure.kept).expect("readable");
            less.unwrap_or_else(|| update.clone())
        };
        let mut all: Vec<Vec<u8>> = log.iter().map(less).collect();
        all.extend([erasure.update.clone(), offline]);
        let then = loaded(None, &all, &[]).value(Kind::Xml, KEY).expect("a value");
        let expected = if has_others { "<p id=\"eve's\">laterpublic</p>" } else { "" };
        assert_eq!(then, json!(expected));
    }
}
