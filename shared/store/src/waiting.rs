//! Pending work: rows with a due time, in a sparse index, and the timer that wakes workers for
//! them.
//!
//! A row is authoritative, a delayed message is only a hint for it. `schedule.rs` arms rows and
//! finds due ones; `work.rs` stores the rows of the crate `notification` by compare-and-set.

mod schedule;
mod work;

pub use schedule::{Due, DueStart, SystemStore, Wake};
