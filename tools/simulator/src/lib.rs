//! Common parts of the simulators of `notification`, `store` and `webhook`.
//!
//! A simulator runs code as it is on simulated ports. The order of every call, and what fails,
//! follows from a seed, so a fault that a seed finds is found again with it. A mutant is a broken
//! port; a simulator that does not find it proves nothing.

mod call;
mod counts;
mod dice;
mod line;
mod seeds;

pub use call::{poll, until};
pub use counts::Counts;
pub use dice::Dice;
pub use line::Line;
pub use seeds::{Outcome, assert_found, run_all};
