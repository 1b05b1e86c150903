//! The driver of deliveries as it is, against everything that can go wrong.
//!
//! Queue, rows, endpoints and the timer are simulated; the order of every call, and what fails,
//! follows from a seed. `SIMULATOR_SEED=17 cargo test -p webhook --test simulator` runs one seed
//! again and prints what happened; `SIMULATOR_SEEDS=100000` runs so many of them.

mod change;
mod plan;
mod ports;
mod run;
mod state;

use plan::{Mutant, Plan};
use run::run;
use simulator::{assert_found, run_all};

const REACHED: [&str; 15] = [
    "crash",
    "fault",
    "twice",
    "lost",
    "timer",
    "conflict",
    "opened",
    "success",
    "exhausted",
    "skipped",
    "ordered",
    "moved",
    "paced",
    "released",
    "awaited",
];

#[test]
fn whatever_goes_wrong_each_message_is_delivered_or_given_up() {
    run_all(&REACHED, |seed, is_traced| run(Plan::draw(seed, None), is_traced));
}

/// Each of them breaks one promise of the ports; none may survive.
#[test]
fn every_mutant_is_found() {
    for mutant in Mutant::ALL {
        assert_found(mutant, 5_000, |seed| run(Plan::draw(seed, Some(mutant)), false));
    }
}
