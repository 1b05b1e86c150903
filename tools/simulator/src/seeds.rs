//! Simulations, one for each seed.

use std::{fmt::Debug, thread};

use crate::Counts;

/// Counts of a simulation, and its faults.
pub type Outcome = (Counts, Vec<String>);

/// Seeds of an ordinary run.
const SEEDS: u64 = 2_000;
const THREADS: u64 = 4;

#[expect(clippy::disallowed_methods, reason = "settings of tests, not of the service")]
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Runs all seeds, as many as `SIMULATOR_SEEDS`, of which none may find a fault, and each of
/// `reached` has to happen: a simulation that never gets there proves nothing. With
/// `SIMULATOR_SEED`, runs only this seed, traced. `run` gets the seed, and whether it is traced.
pub fn run_all(reached: &[&str], run: impl Fn(u64, bool) -> Outcome + Sync) {
    if let Some(seed) = setting("SIMULATOR_SEED") {
        let (counts, faults) = run(seed, true);
        assert!(faults.is_empty(), "seed {seed}: {faults:#?} {counts:?}");
        return;
    }
    let seeds = setting("SIMULATOR_SEEDS").unwrap_or(SEEDS);
    let some = |first: u64| {
        let mut sum = Counts::default();
        for seed in (first..seeds).step_by(THREADS as usize) {
            let (counts, faults) = run(seed, false);
            assert!(faults.is_empty(), "SIMULATOR_SEED={seed} tells more: {faults:#?}");
            sum.add_all(&counts);
        }
        sum
    };
    let mut sum = Counts::default();
    thread::scope(|threads| {
        let running: Vec<_> =
            (0..THREADS).map(|first| threads.spawn(move || some(first))).collect();
        running.into_iter().for_each(|thread| sum.add_all(&thread.join().expect("no fault")));
    });
    println!("{sum:?}");
    let missed: Vec<_> = reached.iter().filter(|what| sum.count_of(what) == 0).collect();
    assert!(missed.is_empty(), "{missed:?} never happened: {sum:?}");
}

/// A mutant has to be found within so many seeds.
pub fn assert_found(mutant: impl Debug, within: u64, run: impl Fn(u64) -> Outcome) {
    let found = (0..within).map(|seed| (seed, run(seed).1)).find(|(_, faults)| !faults.is_empty());
    let Some((seed, faults)) = found else { panic!("{mutant:?} survives {within} seeds") };
    println!("{mutant:?} is found with seed {seed}: {faults:?}");
}
