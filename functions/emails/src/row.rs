//! Typed access to rows of mails.

use notification::{Body, Change, RowKey, Rows};
use service::{Error, Job, Result};

/// Attempts of a change under contention.
const ATTEMPTS: usize = 8;

/// A row with its version.
pub(crate) struct Read<T> {
    pub(crate) body: T,
    version: String,
}

/// Reads a row.
pub(crate) async fn load<T: Body>(job: &Job, key: &RowKey) -> Result<Option<Read<T>>> {
    let stored = job.load(std::slice::from_ref(key)).await?.pop().flatten();
    stored.map(|it| Ok(Read { body: T::from_row(it.row)?, version: it.version })).transpose()
}

/// Writes a row; false when its version changed.
pub(crate) async fn save<T: Body>(
    job: &Job,
    key: &RowKey,
    body: &T,
    seen: Option<String>,
) -> Result<bool> {
    let change = Change::Put { key: key.clone(), row: body.to_row()?, seen };
    Ok(job.commit(vec![change]).await?.is_some())
}

impl<T: Body> Read<T> {
    /// Replaces the row; false when its version changed.
    pub(crate) async fn become_(self, job: &Job, key: &RowKey, body: &T) -> Result<bool> {
        save(job, key, body, Some(self.version)).await
    }
}

/// Writes the result of `change`, if any, and retries under contention.
pub(crate) async fn change<T: Body>(
    job: &Job,
    key: &RowKey,
    mut change: impl FnMut(Option<T>) -> Option<T>,
) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let (body, seen) = match load::<T>(job, key).await? {
            Some(Read { body, version }) => (Some(body), Some(version)),
            None => (None, None),
        };
        let Some(body) = change(body) else { return Ok(()) };
        if save(job, key, &body, seen).await? {
            return Ok(());
        }
    }
    Err(Error::aborted())
}
