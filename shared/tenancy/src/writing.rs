//! Changes of items.
//!
//! A change and its events are one conditional write of one item. [`Edit`] is the decision of an
//! operation about an entity; [`Collection`](crate::reading::Collection) reads, lets the operation decide,
//! and writes on condition that the version did not change; it retries after a concurrent change
//! (`edit.rs`). `writes.rs` has the simple forms: insert, put, change, delete. All result in a
//! [`Unit`] (`unit.rs`): writes that succeed together or not at all, with the events that one of
//! its items carries, and link rows, written before and removed after it.
//!
//! `commit.rs` executes units: one write as one call; several units of one write as batches at the
//! price of single writes (`commit/statements.rs`); several items that change together as a transaction
//! (`commit/transaction.rs`). A repetition after a lost reply recognises its own version. `count.rs` has
//! counters with a limit.

mod commit;
mod count;
mod create;
mod edit;
mod ends;
mod ids;
mod lives;
mod stamp;
mod strays;
mod unit;
mod writes;

pub use count::{Counted, count};
pub use edit::Edit;
pub use ends::after_long;
pub use ids::new_id;
pub(crate) use ids::unique_id;
pub use lives::{Within, in_life, not_in};
pub use unit::{
    Carried, CommitOutcome, Emitted, Unit, absent, no_failure, present, settle, unchanged, vacant,
};
