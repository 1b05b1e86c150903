//! What is due later: rows with a time, in a sparse index, and the timer that wakes them.
//!
//! A row is the truth, a delayed message of a queue only the hint that wakes it. `schedule.rs` arms rows and
//! finds those that are due; `work.rs` keeps the rows of `delivery` by compare-and-set.

mod schedule;
mod work;

pub(crate) use schedule::arm;
pub use schedule::{Due, DueStart, SystemStore, Wake};
