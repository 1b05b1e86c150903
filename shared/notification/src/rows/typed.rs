//! Typed rows.

use error::{Error, Result};
use model::Millis;
use serde::{Serialize, de::DeserializeOwned};

use crate::{AT_ONCE, Change, Row, RowKey, Rows, StoredRow};

/// The content of a row.
pub trait RowBody: Serialize + DeserializeOwned {
    /// The due time.
    fn due(&self) -> Option<Millis>;

    /// The time at which the row expires.
    fn expires(&self) -> Option<Millis>;

    /// The row.
    ///
    /// # Errors
    /// INTERNAL; not for the types of this crate.
    fn to_row(&self) -> Result<Row> {
        let body = serde_json::to_value(self).map_err(Error::internal)?;
        Ok(Row { body, due: self.due(), expires: self.expires() })
    }

    /// The content of a row.
    ///
    /// # Errors
    /// INTERNAL when it is another row.
    fn from_row(row: Row) -> Result<Self> {
        serde_json::from_value(row.body).map_err(Error::internal)
    }
}

/// Attempts to change a row under contention.
const CHANGES: usize = 8;

/// A typed row with its version.
#[derive(Clone, Debug)]
pub struct TypedRow<T> {
    /// The content.
    pub body: T,
    pub(crate) version: String,
}

impl<T: RowBody> TypedRow<T> {
    /// Replaces the row; false when its version changed.
    ///
    /// # Errors
    /// The errors of the rows.
    pub async fn replace(self, rows: &impl Rows, key: &RowKey, body: &T) -> Result<bool> {
        let change = put(key.clone(), body, Some(self.version))?;
        Ok(rows.commit(vec![change]).await?.is_written())
    }
}

pub(crate) fn read<T: RowBody>(stored: Option<StoredRow>) -> Result<Option<TypedRow<T>>> {
    let typed = |StoredRow { row, version }| Ok(TypedRow { body: T::from_row(row)?, version });
    stored.map(typed).transpose()
}

/// A row, if it exists.
///
/// # Errors
/// The errors of the rows.
pub async fn load_row<T: RowBody>(rows: &impl Rows, key: &RowKey) -> Result<Option<TypedRow<T>>> {
    read(rows.load(std::slice::from_ref(key)).await?.pop().flatten())
}

/// Writes the result of `change`, if any, and retries under contention.
///
/// # Errors
/// ABORTED under contention, or those of the rows.
pub async fn change_row<T: RowBody>(
    rows: &impl Rows,
    key: &RowKey,
    mut change: impl FnMut(Option<T>) -> Option<T>,
) -> Result<()> {
    for _ in 0..CHANGES {
        let (body, seen) =
            load_row::<T>(rows, key).await?.map(|row| (row.body, row.version)).unzip();
        let Some(body) = change(body) else { return Ok(()) };
        if rows.commit(vec![put(key.clone(), &body, seen)?]).await?.is_written() {
            return Ok(());
        }
    }
    Err(Error::aborted())
}

/// The rows, in the order of their keys.
pub(crate) async fn load_all<T: RowBody>(
    rows: &impl Rows,
    keys: &[RowKey],
) -> Result<Vec<Option<TypedRow<T>>>> {
    let mut found = Vec::new();
    for keys in keys.chunks(AT_ONCE) {
        for stored in rows.load(keys).await? {
            found.push(read(stored)?);
        }
    }
    Ok(found)
}

/// Writes a row with an expected version.
pub(crate) fn put<T: RowBody>(key: RowKey, body: &T, seen: Option<String>) -> Result<Change> {
    Ok(Change::Put { key, row: body.to_row()?, seen })
}
