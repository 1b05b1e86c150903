//! Databases on the disk: the turns of their calls, their logs and syncs, and copies of them.

pub(crate) mod log;
mod observer;
pub(crate) mod snapshot;
mod sync;
mod turns;

pub use observer::{Database, Observer};
pub use snapshot::Snapshot;

pub(crate) use observer::{Observed, action};
pub(crate) use turns::Turns;
