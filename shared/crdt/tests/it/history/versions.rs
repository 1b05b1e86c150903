//! Versions, what changed between them, and restoring them.

use std::ops::Range;

use crdt::{
    State, check_update,
    history::{Authors, Entry, MAX_PAST_FOOTPRINT, Past},
};
use yrs::{Doc, GetString, OffsetKind, Options, ReadTxn, Transact};

use super::{
    edits::TEXT,
    world::{Life, World, after, apply, both, content, doc, past, whole},
};
use crate::samples::SERVER;

/// A document of a peer, as the service reads it.
fn read(doc: &Doc) -> State {
    State::load(SERVER, Some(&whole(doc)), []).expect("a document")
}

fn round(life: Life, seed: u64, updates: &mut usize) {
    let mut world = World::lived(seed, life, !seed.is_multiple_of(3), 60);
    let kept = world.dice.below(world.log.len() / 2 + 1);
    let (base, authors, aside) = world.compacted(kept);
    let entries = world.entries(kept, aside);
    let past = past(&base, &authors, &entries);

    // A version is what a replay of the log makes.
    let to = world.dice.below(entries.len() + 1);
    let replayed = doc(77);
    let old = world.log[..kept].iter().chain(&entries[1.min(to)..to]);
    old.flat_map(|entry| &entry.updates).for_each(|update| apply(&replayed, update));
    let version = past.version(to).expect("a version");
    // The library integrates some of what waits.
    if to > 0 && !version.has_pending() {
        assert_eq!(content(&version), content(&read(&replayed)), "seed {seed}");
    }

    let restored = past.restore(to).expect("restored");
    let update = restored.update;
    let now = after(&world, &[]);
    if update.is_empty() {
        assert_eq!(content(&now), content(&version), "seed {seed}");
        return;
    }
    check_update(&update).expect("an update");
    *updates += update.len();
    let then = after(&world, &[&update]);
    assert!(!then.has_pending() || now.has_pending(), "seed {seed}");
    assert_eq!(content(&then), content(&version), "seed {seed}");
    assert_eq!(restored.clock, then.clock_of(SERVER));

    // The version itself and what is there now suffice.
    let version = version.encode();
    let present = [Entry { at: 1, by: None, updates: vec![now.encode()] }];
    let authors = Authors::load(None, Some(&version)).expect("authors");
    let short = Past::load(SERVER, Some(&version), authors, &present).expect("a past");
    let short = short.restore(0).expect("restored").update;
    assert_eq!(content(&after(&world, &[&short])), content(&then), "seed {seed}");

    // Others, who edit at this time, have the same in the end.
    let person = world.dice.below(3);
    let (offline, own) = world.offline(person);
    let own: Vec<&[u8]> = own.iter().map(Vec::as_slice).collect();
    apply(&offline, &update);
    let first = after(&world, &both(&[&update], &own));
    let last = after(&world, &both(&own, &[&update]));
    assert_eq!(content(&first), content(&last), "seed {seed}");
    if !offline.transact().has_missing_updates() {
        assert_eq!(content(&read(&offline)), content(&first), "seed {seed}");
    }
}

#[test]
fn a_restored_text_is_the_version() {
    (0..300).for_each(|seed| round(Life::Text, seed, &mut 0));
}

#[test]
fn restored_maps_lists_and_xml_are_the_version() {
    let mut updates = 0;
    (0..600).for_each(|seed| round(Life::All, seed, &mut updates));
    assert!(updates < 600 * 400, "{updates} bytes of updates");
}

/// A version is restored, and then the one before that, and so on.
#[test]
fn restored_versions_are_restored() {
    for seed in 0..60 {
        let mut world = World::lived(seed, Life::All, true, 60);
        for _ in 0..4 {
            let (base, authors, _) = world.compacted(0);
            let past = past(&base, &authors, &world.log);
            let to = world.dice.below(world.log.len() + 1);
            let update = past.restore(to).expect("restored").update;
            let version = content(&past.version(to).expect("a version"));
            if !update.is_empty() {
                let at = world.log.len() as u64;
                let by = Some("ada".to_owned());
                world.log.push(Entry { at, by, updates: vec![update] });
            }
            assert_eq!(content(&after(&world, &[])), version, "seed {seed}");
        }
    }
}

/// Text between two positions, as a peer shows it that keeps what is deleted.
fn shown(before: &[u8], update: &[u8]) -> Doc {
    let options = Options { skip_gc: true, offset_kind: OffsetKind::Utf16, ..Options::default() };
    let doc = Doc::with_options(options);
    apply(&doc, before);
    apply(&doc, update);
    doc
}

#[test]
fn changes_hold_what_was_deleted_meanwhile() {
    for seed in 0..150 {
        let mut world = World::lived(seed, Life::Text, true, 50);
        let kept = world.dice.below(world.log.len() / 2 + 1);
        let (base, authors, _) = world.compacted(kept);
        let past = past(&base, &authors, &world.log[kept..]);
        let end = world.log.len() - kept;
        let from = world.dice.below(end + 1);
        let to = from + world.dice.below(end - from + 1);
        let changes = past.changes(Range { start: from, end: to }).expect("changes");
        let [before, after] = [from, to].map(|at| past.version(at).expect("a version"));
        assert_eq!(changes.before, before.encode());
        let doc = shown(&changes.before, &changes.update);
        let text = doc.get_or_insert_text(TEXT).get_string(&doc.transact());
        assert_eq!(text, super::world::text(&after), "seed {seed}");
        let both = State::load(SERVER, None, [&changes.before[..], &changes.update]);
        assert_eq!(content(&both.expect("a document")), content(&after), "seed {seed}");
        // The bytes of each letter that came or went are there.
        for attribution in &changes.attributions {
            let ranges = [&attribution.inserts[..], &attribution.deletes].concat();
            for letter in world.letters_of(&ranges) {
                let mut bytes = [0; 4];
                let letter = letter.encode_utf8(&mut bytes).as_bytes();
                let all = [&changes.before[..], &changes.update].concat();
                assert!(all.windows(letter.len()).any(|part| part == letter), "seed {seed}");
            }
        }
        let times: Vec<u64> = changes.attributions.iter().map(|it| it.at).collect();
        assert!(times.is_sorted());
    }
}

#[test]
fn a_position_is_found_by_its_time() {
    let world = World::lived(5, Life::Text, true, 40);
    let (base, authors, _) = world.compacted(0);
    let past = past(&base, &authors, &world.log);
    assert_eq!(past.until(0), 0);
    assert_eq!(past.until(world.log[3].at), 4);
    assert_eq!(past.until(world.log[3].at - 1), 3);
    assert_eq!(past.until(u64::MAX), world.log.len());
}

#[test]
fn too_much_is_refused() {
    let update = vec![0, 0];
    let updates = vec![update; MAX_PAST_FOOTPRINT / 64];
    let entries = [Entry { at: 1, by: None, updates }];
    let refused = Past::load(SERVER, None, Authors::default(), &entries);
    let refused = refused.err().expect("refused");
    assert_eq!(refused.status.as_str(), "RESOURCE_EXHAUSTED");
}
