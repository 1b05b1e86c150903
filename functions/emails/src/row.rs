//! Typed access to rows of mails.

use notification::{Change, RowBody, RowKey, Rows, StoredRow};
use service::{Error, Job, Result};

/// Attempts of a change under contention.
const ATTEMPTS: usize = 8;

/// A row with its version.
pub(crate) struct TypedRow<T> {
    pub(crate) body: T,
    version: String,
}

/// Reads a row.
pub(crate) async fn load<T: RowBody>(job: &Job, key: &RowKey) -> Result<Option<TypedRow<T>>> {
    let stored = job.load(std::slice::from_ref(key)).await?.pop().flatten();
    let typed = |StoredRow { row, version }| Ok(TypedRow { body: T::from_row(row)?, version });
    stored.map(typed).transpose()
}

/// Writes a row; false when its version changed.
pub(crate) async fn save<T: RowBody>(
    job: &Job,
    key: &RowKey,
    body: &T,
    seen: Option<String>,
) -> Result<bool> {
    let change = Change::Put { key: key.clone(), row: body.to_row()?, seen };
    Ok(job.commit(vec![change]).await?.is_written())
}

impl<T: RowBody> TypedRow<T> {
    /// Replaces the row; false when its version changed.
    pub(crate) async fn replace(self, job: &Job, key: &RowKey, body: &T) -> Result<bool> {
        save(job, key, body, Some(self.version)).await
    }
}

/// Writes the result of `change`, if any, and retries under contention.
pub(crate) async fn change<T: RowBody>(
    job: &Job,
    key: &RowKey,
    mut change: impl FnMut(Option<T>) -> Option<T>,
) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let (body, seen) = match load::<T>(job, key).await? {
            Some(TypedRow { body, version }) => (Some(body), Some(version)),
            None => (None, None),
        };
        let Some(body) = change(body) else { return Ok(()) };
        if save(job, key, &body, seen).await? {
            return Ok(());
        }
    }
    Err(Error::aborted())
}
