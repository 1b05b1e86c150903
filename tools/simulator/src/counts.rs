//! Statistics of simulations.

use std::{collections::BTreeMap, fmt};

/// How often what happened.
#[derive(Clone, Default)]
pub struct Counts(BTreeMap<&'static str, u64>);

impl Counts {
    /// Counts one case.
    pub fn count(&mut self, what: &'static str) {
        self.add(what, 1);
    }

    /// Counts so many cases.
    pub fn add(&mut self, what: &'static str, cases: u64) {
        *self.0.entry(what).or_default() += cases;
    }

    /// The cases so far.
    pub fn count_of(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or_default()
    }

    /// Adds the cases of another simulation.
    pub fn add_all(&mut self, other: &Self) {
        for (what, cases) in &other.0 {
            self.add(what, *cases);
        }
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
