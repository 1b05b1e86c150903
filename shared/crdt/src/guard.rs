//! The walls around the library that does the merging.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use error::{Error, Result};

/// How long looking for a smaller update may take; then a larger one does.
const BUDGET: Duration = Duration::from_millis(100);

/// When to stop looking for a smaller update.
pub(crate) fn deadline() -> Instant {
    Instant::now() + BUDGET
}

/// Turns a panic of `work` into an INTERNAL error. What it worked on must not be used afterwards.
pub(crate) fn contain<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let what = panic.downcast_ref::<String>().map(String::as_str);
        let what = what.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(Error::internal(format!("CRDT library panicked: {}", what.unwrap_or("no message"))))
    })
}
