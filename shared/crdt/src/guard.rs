//! The walls around the library that does the merging.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
};

use error::{Error, Result};

/// A document of fewer bytes cannot be nested so deep that the stack of the caller is too small.
const SHALLOW: usize = 16 * 1024;

/// The stack for other documents: the library descends into types as deep as peers nested them.
/// Until then, the stack is reserved and not used.
const STACK: usize = 128 * 1024 * 1024;

/// Runs `work` on a document of so many bytes. A panic becomes an INTERNAL error; what was worked
/// on must not be used afterwards.
pub(crate) fn contain<T: Send>(bytes: usize, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let done = if bytes < SHALLOW {
        catch_unwind(AssertUnwindSafe(work))
    } else {
        thread::scope(|scope| {
            let thread = thread::Builder::new().stack_size(STACK);
            Ok(thread.spawn_scoped(scope, work).map_err(Error::unavailable)?.join())
        })?
    };
    done.unwrap_or_else(|panic| {
        let what = panic.downcast_ref::<String>().map(String::as_str);
        let what = what.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(Error::internal(format!("CRDT library panicked: {}", what.unwrap_or("no message"))))
    })
}
