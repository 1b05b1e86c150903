//! Rows as the types they are.

use error::{Error, Result};
use model::Millis;
use serde::{Serialize, de::DeserializeOwned};

use crate::{Change, Event, PendingEvent, Row, RowKey, Rows, Stored};

/// Content of a row.
pub trait Body: Serialize + DeserializeOwned {
    /// Its due time.
    fn due(&self) -> Option<Millis>;

    /// After when nobody needs it.
    fn expires(&self) -> Option<Millis>;

    /// It as a row.
    ///
    /// # Errors
    /// INTERNAL; not for the types of this crate.
    fn to_row(&self) -> Result<Row> {
        let body = serde_json::to_value(self).map_err(Error::internal)?;
        Ok(Row { body, due: self.due(), expires: self.expires() })
    }

    /// What a row says.
    ///
    /// # Errors
    /// INTERNAL when it is no such row.
    fn from_row(row: Row) -> Result<Self> {
        serde_json::from_value(row.body).map_err(Error::internal)
    }
}

/// A row that was read, as its type.
#[derive(Clone, Debug)]
pub(crate) struct Read<T> {
    pub(crate) body: T,
    pub(crate) version: String,
}

pub(crate) fn read<T: Body>(stored: Option<Stored>) -> Result<Option<Read<T>>> {
    let typed = |it: Stored| Ok(Read { body: T::from_row(it.row)?, version: it.version });
    stored.map(typed).transpose()
}

pub(crate) async fn load_one<T: Body>(rows: &impl Rows, key: &RowKey) -> Result<Option<Read<T>>> {
    read(rows.load(std::slice::from_ref(key)).await?.pop().flatten())
}

/// Writes a row that must be as it was seen.
pub(crate) fn put<T: Body>(key: RowKey, body: &T, seen: Option<String>) -> Result<Change> {
    Ok(Change::Put { key, row: body.to_row()?, seen })
}

/// An event as it was given to [`crate::intake`]. It is kept for two weeks after its delay, which
/// is longer than any window.
///
/// # Errors
/// Those of the rows.
pub async fn pending_event(rows: &impl Rows, event_id: &str) -> Result<Option<Event>> {
    let key = RowKey::Pending { event_id: event_id.to_owned() };
    Ok(load_one::<PendingEvent>(rows, &key).await?.map(|pending| pending.body.event))
}
