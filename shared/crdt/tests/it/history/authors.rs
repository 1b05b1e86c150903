//! The author of each character and of each deletion.

use std::collections::{BTreeMap, BTreeSet};

use super::world::{Life, World, past, text};

/// Relays, reloads under other clients, repeated deletions, forged text, and updates that come
/// before what they need, also across a compaction.
fn round(seed: u64, seen: &mut [usize; 2]) {
    let mut world = World::lived(seed, Life::Text, false, 70);
    let kept = world.dice.below(world.log.len() / 2 + 1);
    let (base, authors, aside) = world.compacted(kept);
    let entries = world.entries(kept, aside);
    let past = past(&base, &authors, &entries);
    let letters = world.letters();
    for ((client, clock), letter) in &letters {
        let author = world.authors.get(letter).map(|(_, user)| *user);
        assert_eq!(past.authors().of(*client, *clock), author, "seed {seed}: {letter}");
    }
    seen[0] += letters.len();

    let changes = past.changes(0..entries.len()).expect("changes");
    let mut deleted = BTreeMap::new();
    let mut inserted = BTreeSet::new();
    for attribution in &changes.attributions {
        let user = attribution.user.as_deref();
        for letter in world.letters_of(&attribution.inserts) {
            assert_eq!(user, Some(world.authors[&letter].1), "seed {seed}: {letter}");
            assert!(inserted.insert(letter), "seed {seed}: {letter} came twice");
        }
        for letter in world.letters_of(&attribution.deletes) {
            assert_eq!(user, Some(world.deleters[&letter].1), "seed {seed}: {letter}");
            assert_eq!(deleted.insert(letter, ()), None, "seed {seed}: {letter} went twice");
        }
    }
    // Everything that was ever there, and is not now, was deleted by somebody.
    let now = text(&past.version(entries.len()).expect("now"));
    for position in 0..entries.len() {
        for letter in text(&past.version(position).expect("a version")).chars() {
            assert!(now.contains(letter) || deleted.contains_key(&letter), "seed {seed}: {letter}");
        }
    }
    seen[1] += deleted.len();
}

#[test]
fn authors_are_those_who_first_delivered() {
    let mut seen = [0; 2];
    (0..300).for_each(|seed| round(seed, &mut seen));
    assert!(seen[0] > 5_000 && seen[1] > 1_000, "{seen:?}");
}
