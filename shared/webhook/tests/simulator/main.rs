//! The driver of deliveries as it is, against everything that can go wrong.
//!
//! Queue, rows, endpoints and the timer are simulated; the order of every call, and what fails,
//! follows from a seed. `SIMULATOR_SEED=17 cargo test -p webhook --test simulator` runs one seed
//! again and prints what happened; `SIMULATOR_SEEDS=100000` runs so many of them.

mod change;
#[path = "../../../delivery/tests/simulator/dice.rs"]
mod dice;
mod plan;
mod ports;
mod run;
mod state;

use plan::{Mutant, Plan};
use run::run;
use state::Counts;

/// Seeds of an ordinary run, shared among two tests.
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
        assert!(faults.is_empty(), "SIMULATOR_SEED={seed} tells more: {faults:#?}");
        sum.add(&counts);
    }
    println!("{sum:?}");
    // A simulation that never gets there proves nothing.
    assert!(sum.least() > 0, "{sum:?}");
}

#[test]
fn whatever_goes_wrong_each_message_is_delivered_or_given_up_a() {
    simulate(0);
}

#[test]
fn whatever_goes_wrong_each_message_is_delivered_or_given_up_b() {
    simulate(1);
}

/// Each of them breaks one promise of the ports; none may survive.
#[test]
fn every_mutant_is_found() {
    for mutant in Mutant::ALL {
        let find = |seed: &u64| !run(Plan::draw(*seed, Some(mutant)), false).1.is_empty();
        let found = (0..5_000).find(find);
        println!("{mutant:?} is found with seed {found:?}");
        assert!(found.is_some(), "{mutant:?} survives");
    }
}
