//! Histories of strangers: updates that no editor writes.

use crdt::{
    State, check_update,
    history::{Authors, Entry, Past, erase, erased},
};
use proptest::strategy::ValueTree;

use super::world::content;
use crate::{
    samples::{Dice, SERVER},
    strange::generated,
};

const USERS: [&str; 3] = ["ada", "bob", "cid"];

/// Whatever was accepted has versions and changes, and can be restored and reverted.
#[test]
fn updates_of_strangers_have_a_history() {
    let mut runner = generated::runner(7);
    let (mut restored, mut other) = (0, 0);
    for seed in 0..1_500 {
        let made = generated::made(&generated::tree(&mut runner).current());
        let updates: Vec<Vec<u8>> =
            made.updates.into_iter().filter(|update| check_update(update).is_ok()).collect();
        let mut dice = Dice::new(seed);
        let user = |at: usize| USERS[(at + seed as usize) % 3].to_owned();
        let entries = updates.iter().cloned().enumerate();
        let entries: Vec<Entry> = entries
            .map(|(at, update)| Entry { at: at as u64, by: Some(user(at)), updates: vec![update] })
            .collect();
        let kept = dice.below(entries.len() / 2 + 1);
        let old = State::load(SERVER, None, updates[..kept].iter().map(Vec::as_slice));
        let old = old.expect("a document");
        let aside = old.waiting().keys().map(|at| updates[*at].clone()).collect();
        let aside = Entry { at: 0, by: None, updates: aside };
        let entries: Vec<Entry> = [aside].into_iter().chain(entries[kept..].to_vec()).collect();
        let base = old.encode();
        let authors = Authors::load(None, Some(&base)).expect("authors");
        let past = Past::load(SERVER, Some(&base), authors, &entries).expect("a past");
        let (from, to) = (dice.below(entries.len() + 1), dice.below(entries.len() + 1));
        let changes = past.changes(from.min(to)..to).expect("changes");
        State::load(SERVER, None, [&changes.before[..], &changes.update]).expect("readable");
        let now = |update: &[u8]| {
            let updates = entries.iter().flat_map(|entry| &entry.updates).map(Vec::as_slice);
            let all = updates.chain([update].into_iter().filter(|update| !update.is_empty()));
            State::load(SERVER, Some(&base), all).expect("a document")
        };
        for user in USERS {
            let erasure = erase(&now(&[]), past.authors(), user).expect("erased");
            for update in entries.iter().flat_map(|entry| &entry.updates).chain([&base]) {
                let less = erased(update, past.authors(), user, &erasure.kept).expect("readable");
                let less = less.unwrap_or_default();
                State::load(SERVER, None, (!less.is_empty()).then_some(&less[..])).expect("read");
            }
            now(&erasure.update);
            let update = past.revert(user, from.min(to)..to).expect("reverted").update;
            if !update.is_empty() {
                check_update(&update).expect("an update");
                content(&now(&update));
            }
        }
        let update = past.restore(from).expect("restored").update;
        if !update.is_empty() {
            check_update(&update).expect("an update");
        }
        let version = past.version(from).expect("a version");
        restored += 1;
        other += usize::from(content(&now(&update)) != content(&version));
    }
    assert!(other * 200 <= restored, "{other} of {restored} are another version");
}
