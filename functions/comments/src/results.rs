//! Results of several threads.

use std::collections::BTreeMap;

use service::prelude::*;

/// Results in the order of the drafts: those of started threads, and the other failures.
pub(crate) fn in_order<T>(
    failed: BTreeMap<usize, Error>,
    done: impl IntoIterator<Item = Result<T>>,
    all: usize,
) -> Vec<Result<T>> {
    let (mut failed, mut done) = (failed, done.into_iter());
    let next = |n| match failed.remove(&n) {
        Some(error) => Err(error),
        None => done.next().unwrap_or_else(|| Err(Error::aborted())),
    };
    (0..all).map(next).collect()
}
