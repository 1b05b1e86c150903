//! Histories that are drawn, judged by the model of the contract.

mod known;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
    thread,
};

use app::histories::{DELETIONS, GROUPS, History, Judge, Judged, Wrong};

use crate::app;

/// Histories of an ordinary run; `HISTORIES` names another number.
const HISTORIES: u64 = 200;
/// The runs go on at a time; each is one thread.
const THREADS: u64 = 4;

#[expect(clippy::disallowed_methods, reason = "settings of tests, not of the service")]
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Judges the seeds from `first` on; faults, each with its shortest history, and what the histories
/// asked for.
fn judge_all(first: u64, count: u64, most: usize) -> (Vec<Judged>, BTreeSet<String>) {
    let (found, reached) = (Mutex::new(Vec::new()), Mutex::new(BTreeSet::new()));
    let some = |thread: u64| {
        let mut judge = Judge::new(None);
        for seed in (first + thread..first + count).step_by(THREADS as usize) {
            if found.lock().expect("no panic").len() >= most {
                return;
            }
            if let (_, Some(judged)) = judge.judge(seed, true) {
                println!("{judged}\n");
                found.lock().expect("no panic").push(judged);
            }
        }
        reached.lock().expect("no panic").append(&mut judge.reached());
    };
    thread::scope(|threads| {
        let running: Vec<_> = (0..THREADS)
            .map(|thread| {
                threads.spawn({
                    let some = &some;
                    move || some(thread)
                })
            })
            .collect();
        running.into_iter().for_each(|thread| thread.join().expect("no panic"));
    });
    (found.into_inner().expect("no panic"), reached.into_inner().expect("no panic"))
}

#[test]
fn the_judge_finds_each_planted_fault_in_its_known_history() {
    let histories: BTreeMap<&str, History> = known::known().into_iter().collect();
    let mut judge = Judge::new(None);
    let missed = known::FINDS.into_iter().filter(|(wrong, name)| {
        judge.make_wrong(Some(*wrong));
        judge.run(&histories[name]).is_none()
    });
    assert_eq!(missed.collect::<Vec<_>>(), vec![]);
    let tried: BTreeSet<Wrong> = known::FINDS.into_iter().map(|(wrong, _)| wrong).collect();
    assert_eq!(tried, Wrong::all().into_iter().collect(), "each has its history");
}

/// The histories that showed a fault once, and drawn ones. With `HISTORY`, runs only this seed.
#[test]
fn every_reply_in_a_history_is_one_that_the_reference_allows() {
    if let Some(seed) = setting("HISTORY") {
        return assert!(judge_all(seed, 1, 1).0.is_empty(), "see above");
    }
    let mut judge = Judge::new(None);
    let known = known::known().into_iter();
    let shown = known
        .filter_map(|(name, history)| judge.run(&history).map(|found| format!("{name}: {found}")));
    assert_eq!(shown.collect::<Vec<_>>(), Vec::<String>::new(), "what was mended shows again");
    let (most, histories) = (setting("FAULTS").unwrap_or(1), setting("HISTORIES"));
    let (found, mut reached) = judge_all(0, histories.unwrap_or(HISTORIES), most as usize);
    assert!(found.is_empty(), "{} histories show faults; see above", found.len());
    reached.append(&mut judge.reached());
    let expected = decisions();
    let missed: Vec<_> = expected.iter().filter(|it| !reached.contains(*it)).collect();
    assert!(missed.is_empty(), "no history has asked for {missed:#?}");
    let unknown: Vec<_> = reached.iter().filter(|it| !expected.contains(*it)).collect();
    assert!(unknown.is_empty(), "histories asked for {unknown:#?}");
}

/// The rows of the decision table as each of those who ask sees them, and the kinds of rights.
fn decisions() -> BTreeSet<String> {
    const ROWS: [&str; 9] = [
        "the organization is disabled",
        "it is disabled",
        "a folder above is gone",
        "it does not exist",
        "closed",
        "a right to what does not exist",
        "public",
        "a right to it",
        "a right in the organization",
    ];
    let mut all = BTreeSet::new();
    for asks in ["end user", "permissions.get"] {
        all.extend(ROWS.map(|row| format!("{asks}, document: {row}")));
        let of_organizations =
            ["the organization is disabled", "closed", "a right in the organization"];
        all.extend(of_organizations.map(|row| format!("{asks}, organization: {row}")));
    }
    // Only servers ask for folders. One that nobody added has no rights, and none is disabled.
    let of_folders = ROWS
        .into_iter()
        .filter(|row| !["it is disabled", "a right to what does not exist"].contains(row));
    all.extend(of_folders.map(|row| format!("permissions.get, folder: {row}")));
    for level in ["organization", "folder", "document"] {
        all.extend(
            ["grant", "grant that expires", "membership", "token"]
                .map(|it| format!("by a {it}, {level}")),
        );
        // In an organization itself, the membership comes first.
        let is_possible = GROUPS && level != "organization";
        all.extend(is_possible.then(|| format!("by a group, {level}")));
    }
    all
}

/// Of the histories of many seeds, most of which only longer runs judge.
#[test]
fn every_kind_of_step_is_drawn_beside_every_deletion() {
    const SEEDS: u64 = 20_000;
    let drawn = (0..SEEDS).map(|seed| History::draw(seed, GROUPS));
    let pairs: BTreeSet<(String, String)> =
        drawn.flat_map(|history| history.beside_deletions()).collect();
    let kinds: BTreeSet<&String> = pairs.iter().map(|(_, kind)| kind).collect();
    let mut missed = Vec::new();
    for deletion in DELETIONS {
        let is_missed = |kind: &&&String| !pairs.contains(&(deletion.to_owned(), (**kind).clone()));
        missed.extend(kinds.iter().filter(is_missed).map(|kind| (deletion, kind.as_str())));
    }
    assert_eq!(missed, vec![], "of {} kinds", kinds.len());
}
