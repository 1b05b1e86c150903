//! The numbering as it is, against everything that can go wrong.
//!
//! Writers, streams with their shards, invocations, counters, entries and queues are simulated; the
//! order of every call, and what fails, follows from a seed. `SIMULATOR_SEED=17 cargo test -p
//! numbering --test simulator` runs one seed again and shows what happened; `SIMULATOR_SEEDS=100000`
//! runs so many of them.

mod check;
#[path = "../../../delivery/tests/simulator/dice.rs"]
mod dice;
mod lambda;
mod plan;
mod ports;
mod run;
mod state;

use plan::{Mutant, Plan};
use run::run;
use state::Counts;

/// Seeds of an ordinary run.
const SEEDS: u64 = 2_000;

#[expect(clippy::disallowed_methods, reason = "a knob of this test, not a setting of the service")]
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn simulate(half: u64) {
    if let Some(seed) = number("SIMULATOR_SEED") {
        if seed % 2 == half {
            let (counts, faults) = run(Plan::draw(seed, None), true);
            assert!(faults.is_empty(), "seed {seed}: {faults:#?} {counts:?}");
        }
        return;
    }
    let mut sum = Counts::default();
    for seed in (half..number("SIMULATOR_SEEDS").unwrap_or(SEEDS)).step_by(2) {
        let (counts, faults) = run(Plan::draw(seed, None), false);
        assert!(faults.is_empty(), "SIMULATOR_SEED={seed} shows more: {faults:#?}");
        sum.add(&counts);
    }
    println!("{sum:?}");
    // A simulation that never gets there proves nothing.
    assert!(sum.all().into_iter().all(|count| count > 0), "{sum:?}");
}

#[test]
fn whatever_goes_wrong_each_event_has_one_number_a() {
    simulate(0);
}

#[test]
fn whatever_goes_wrong_each_event_has_one_number_b() {
    simulate(1);
}

fn is_found(mutant: Mutant) {
    for seed in 0..2_000 {
        let (_, faults) = run(Plan::draw(seed, Some(mutant)), false);
        if !faults.is_empty() {
            println!("{mutant:?} is found with seed {seed}: {faults:?}");
            return;
        }
    }
    panic!("{mutant:?} survives");
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
