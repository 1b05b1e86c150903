//! The numbering as it is, against everything that can go wrong.
//!
//! Writers, streams with their shards, invocations, counters, entries and queues are simulated; the
//! order of every call, and what fails, follows from a seed. `SIMULATOR_SEED=17 cargo test -p
//! store --test simulator` runs one seed again and shows what happened; `SIMULATOR_SEEDS=100000`
//! runs so many of them.

mod check;
mod lambda;
mod plan;
mod ports;
mod run;
mod state;

use plan::{Mutant, Plan};
use run::run;
use simulator::{assert_found, run_all};

const REACHED: [&str; 13] = [
    "events",
    "invocations",
    "crashes",
    "timeouts",
    "bisected",
    "conflicts",
    "full_runs",
    "repeats",
    "splits",
    "set_aside",
    "forgotten",
    "repaired",
    "overwritten",
];

#[test]
fn whatever_goes_wrong_each_event_has_one_number() {
    run_all(&REACHED, |seed, is_traced| run(Plan::draw(seed, None), is_traced));
}

fn is_found(mutant: Mutant) {
    assert_found(mutant, 2_000, |seed| run(Plan::draw(seed, Some(mutant)), false));
}

#[test]
fn a_counter_without_positions_is_found() {
    is_found(Mutant::NoPosition);
}

#[test]
fn a_number_that_is_taken_twice_is_found() {
    is_found(Mutant::NoCompareAndSet);
}

#[test]
fn a_counter_without_digests_is_found() {
    is_found(Mutant::NoDigests);
}

#[test]
fn digests_that_two_lanes_share_are_found() {
    is_found(Mutant::OneRunForAllLanes);
}

#[test]
fn events_that_are_sent_before_they_have_their_number_are_found() {
    is_found(Mutant::SentBeforeTheNumber);
}

#[test]
fn entries_that_are_written_after_sending_are_found() {
    is_found(Mutant::EntryAfterSending);
}

#[test]
fn a_batch_that_is_done_before_it_was_sent_is_found() {
    is_found(Mutant::DoneBeforeSent);
}

#[test]
fn documents_that_are_split_among_shards_are_found() {
    is_found(Mutant::SplitDocuments);
}

#[test]
fn events_that_nobody_repairs_are_found() {
    is_found(Mutant::NoRepair);
}
