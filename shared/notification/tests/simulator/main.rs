//! The drivers as they are, against everything that can go wrong.
//!
//! Rows, index, queue, sweep and the tenant's data are simulated; the order of every call, and what
//! fails, follows from a seed. `SIMULATOR_SEED=17 cargo test -p notification --test simulator` runs one
//! seed again and tells what happened; `SIMULATOR_SEEDS=100000` runs so many of them.

mod check;
mod conformance;
mod plan;
mod ports;
mod run;
mod state;

use plan::{Mutant, Plan};
use run::run;
use simulator::{assert_found, run_all};

const REACHED: [&str; 13] = [
    "digests",
    "crashes",
    "lost",
    "conflicts",
    "full",
    "over",
    "dropped",
    "narrowed",
    "pages",
    "beaten",
    "collapsed",
    "hours",
    "splits",
];

#[test]
fn whatever_goes_wrong_each_activity_is_delivered_once() {
    run_all(&REACHED, |seed, is_traced| run(Plan::draw(seed, None), is_traced));
}

fn is_found(mutant: Mutant, within: u64) {
    assert_found(mutant, within, |seed| run(Plan::draw(seed, Some(mutant)), false));
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
