//! Taking back what one user did.

use std::collections::BTreeSet;

use crdt::{State, check_update};
use yrs::{ReadTxn, Transact};

use super::world::{Life, USERS, World, after, apply, both, content, letters, past, text, whole};
use crate::samples::SERVER;

/// Positions in a world and in its past, and a user.
struct Case {
    world: World,
    base: Vec<u8>,
    authors: Vec<u8>,
    kept: usize,
    from: usize,
    to: usize,
    user: &'static str,
}

fn case(seed: u64, life: Life) -> Case {
    let mut world = World::lived(seed, life, true, 70);
    let kept = world.dice.below(world.log.len() / 2 + 1);
    let (base, authors, _) = world.compacted(kept);
    let from = kept + world.dice.below(world.log.len() - kept + 1);
    let to = from + world.dice.below(world.log.len() - from + 1);
    let user = world.dice.pick(&USERS);
    Case { world, base, authors, kept, from, to, user }
}

/// The letters of `text` that are in `other`.
fn common(text: &str, other: &str) -> String {
    text.chars().filter(|letter| other.contains(*letter)).collect()
}

fn converges(world: &mut World, update: &[u8], seed: u64) {
    let (offline, own) = world.offline(1);
    let own: Vec<&[u8]> = own.iter().map(Vec::as_slice).collect();
    apply(&offline, update);
    assert!(!offline.transact().has_missing_updates(), "seed {seed}");
    let first = after(world, &both(&[update], &own));
    let offline = State::load(SERVER, Some(&whole(&offline)), []).expect("a document");
    assert_eq!(content(&first), content(&offline), "seed {seed}");
}

fn text_round(seed: u64) -> bool {
    let Case { mut world, base, authors, kept, from, to, user } = case(seed, Life::Text);
    let entries = world.log[kept..].to_vec();
    let past = past(&base, &authors, &entries);
    let reverted = past.revert(user, from - kept..to - kept).expect("reverted");
    let is_of = |(entry, by): &(usize, &str)| (from..to).contains(entry) && *by == user;
    let of = |map: &std::collections::BTreeMap<char, (usize, &'static str)>| -> BTreeSet<char> {
        map.iter().filter(|(_, by)| is_of(by)).map(|(letter, _)| *letter).collect()
    };
    let (own, gone) = (of(&world.authors), of(&world.deleters));
    let before = text(&after(&world, &[]));
    let update = reverted.update;
    let then = match update.is_empty() {
        true => before.clone(),
        false => {
            check_update(&update).expect("an update");
            let state = after(&world, &[&update]);
            assert_eq!(reverted.clock, state.clock_of(SERVER));
            text(&state)
        }
    };
    let expected = before.chars().filter(|letter| !own.contains(letter));
    let expected: BTreeSet<char> = expected.chain(gone.difference(&own).copied()).collect();
    assert_eq!(then.chars().collect::<BTreeSet<char>>(), expected, "seed {seed}");
    assert_eq!(then.chars().count(), expected.len(), "seed {seed}");
    for position in 0..=entries.len() {
        let version = text(&past.version(position).expect("a version"));
        assert_eq!(common(&version, &then), common(&then, &version), "seed {seed}");
    }
    if !update.is_empty() {
        converges(&mut world, &update, seed);
    }
    then != before
}

#[test]
fn text_of_the_user_goes_and_what_the_user_deleted_returns() {
    let changed = (0..500).filter(|seed| text_round(*seed)).count();
    assert!(changed > 150, "{changed}");
}

fn round(seed: u64) -> bool {
    let Case { mut world, base, authors, kept, from, to, user } = case(seed, Life::All);
    let entries = world.log[kept..].to_vec();
    let past = past(&base, &authors, &entries);
    let update = past.revert(user, from - kept..to - kept).expect("reverted").update;
    if update.is_empty() {
        return false;
    }
    check_update(&update).expect("an update");
    let (before, then) = (after(&world, &[]), after(&world, &[&update]));
    assert!(!then.has_pending(), "seed {seed}");
    let (before, then) = (letters(&before), letters(&then));
    for letter in before.difference(&then) {
        let (entry, by) = world.authors[letter];
        assert!(by == user && (from..to).contains(&entry), "seed {seed}: {letter} is lost");
    }
    for letter in &then {
        let (entry, by) = world.authors[letter];
        assert!(by != user || !(from..to).contains(&entry), "seed {seed}: {letter} stays");
    }
    converges(&mut world, &update, seed);
    true
}

#[test]
fn what_others_wrote_stays_in_all_types() {
    let changed = (0..500).filter(|seed| round(*seed)).count();
    assert!(changed > 150, "{changed}");
}

#[test]
fn a_user_who_did_nothing_is_reverted_to_nothing() {
    let Case { base, authors, world, kept, .. } = case(3, Life::All);
    let past = past(&base, &authors, &world.log[kept..]);
    assert!(past.revert("nobody", 0..9_999).expect("reverted").update.is_empty());
    let range = std::ops::Range { start: 5, end: 2 };
    assert!(past.revert("ada", range).expect("reverted").update.is_empty());
}
