//! The drivers as they are, against everything that can go wrong.
//!
//! Rows, index, queue, sweep and the tenant's data are simulated; the order of every call, and what
//! fails, follows from a seed. `SIMULATOR_SEED=17 cargo test -p delivery --test simulator` runs one
//! seed again and tells what happened; `SIMULATOR_SEEDS=100000` runs so many of them.

mod check;
mod conformance;
mod counts;
mod dice;
mod plan;
mod ports;
mod run;
mod state;

use counts::Counts;
use plan::{Mutant, Plan};
use run::run;

/// Seeds of an ordinary run.
const SEEDS: u64 = 2_000;
/// Threads of a run.
const THREADS: u64 = 4;

#[expect(clippy::disallowed_methods, reason = "a knob of this test, not a setting of the service")]
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The sum over every fourth seed.
fn simulate(first: u64) -> Counts {
    let mut sum = Counts::default();
    for seed in (first..number("SIMULATOR_SEEDS").unwrap_or(SEEDS)).step_by(THREADS as usize) {
        let (counts, faults) = run(Plan::draw(seed, None), false);
        assert!(faults.is_empty(), "SIMULATOR_SEED={seed} tells more: {faults:#?}");
        sum.add(counts);
    }
    sum
}

#[test]
fn whatever_goes_wrong_each_activity_is_delivered_once() {
    if let Some(seed) = number("SIMULATOR_SEED") {
        let (counts, faults) = run(Plan::draw(seed, None), true);
        assert!(faults.is_empty(), "seed {seed}: {faults:#?} {counts:?}");
        return;
    }
    let mut sum = Counts::default();
    std::thread::scope(|threads| {
        let running: Vec<_> =
            (0..THREADS).map(|first| threads.spawn(move || simulate(first))).collect();
        running.into_iter().for_each(|thread| sum.add(thread.join().expect("no fault")));
    });
    println!("{sum:?}");
    // A simulation that never gets there proves nothing.
    let reached = [sum.digests, sum.crashes, sum.lost, sum.conflicts, sum.full, sum.over];
    let reached = reached.into_iter().chain([sum.dropped, sum.narrowed, sum.pages, sum.beaten]);
    let reached = reached.chain([sum.collapsed, sum.hours, sum.splits]);
    assert!(reached.min() > Some(0), "{sum:?}");
}

fn is_found(mutant: Mutant, within: u64) {
    for seed in 0..within {
        let (_, faults) = run(Plan::draw(seed, Some(mutant)), false);
        if !faults.is_empty() {
            println!("{mutant:?} is found with seed {seed}: {faults:?}");
            return;
        }
    }
    panic!("{mutant:?} survives {within} seeds");
}

#[test]
fn a_window_without_compare_and_set_is_found() {
    is_found(Mutant::NoWindowVersions, 5_000);
}

#[test]
fn a_delivery_that_does_not_claim_is_found() {
    is_found(Mutant::NoPageVersions, 5_000);
}

#[test]
fn a_page_half_done_that_is_repeated_for_all_is_found() {
    is_found(Mutant::HalfDoneIsDoneAgain, 5_000);
}

#[test]
fn a_recipient_lost_at_the_border_of_a_page_is_found() {
    is_found(Mutant::LosesAtTheBorder, 5_000);
}

#[test]
fn a_recipient_on_both_sides_of_a_border_is_found() {
    is_found(Mutant::RepeatsAtTheBorder, 5_000);
}

#[test]
fn windows_lost_in_a_split_are_found() {
    is_found(Mutant::SplitLosesTheUpperHalf, 10_000);
}

#[test]
fn a_window_lost_on_the_way_to_its_own_row_is_found() {
    is_found(Mutant::LeavingLosesTheWindow, 10_000);
}

#[test]
fn a_digest_that_hangs_on_its_first_event_is_found() {
    is_found(Mutant::FirstOwnsTheDigest, 5_000);
}

#[test]
fn a_sweep_that_stops_at_an_error_is_found() {
    is_found(Mutant::SweepStopsAtAnError, 5_000);
}

#[test]
fn a_driver_that_fires_early_is_found() {
    is_found(Mutant::FiresEarly, 5_000);
}

#[test]
fn a_deployment_without_a_sweep_is_found() {
    is_found(Mutant::NoSweep, 5_000);
}

#[test]
fn a_mail_that_loses_what_joined_it_is_found() {
    is_found(Mutant::NoMailVersions, 5_000);
}

#[test]
fn a_quota_without_compare_and_set_is_found() {
    is_found(Mutant::NoQuotaVersions, 5_000);
}
