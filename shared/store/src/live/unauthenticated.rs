//! Connections that have sent no token yet.
//!
//! Nobody waits for a connection in a function. Its row has the time until which it may send a token,
//! for its next message; and a row in the partition of its minute lists it for the timer, which
//! closes the silent ones.

use aws::{BatchWrite, Item, Query, Value};
use error::Result;
use model::Millis;
use tenancy::{
    layout::{EXPIRES, Key, PK, SK, Table, item},
    prelude::*,
    scopes::report,
};

use super::{connection::place, row::CLAIMS};
use crate::{features::AllConnections, waiting::SystemStore};

/// Time in which a connection has to send a token, in milliseconds.
pub(super) const PATIENCE: Millis = 10_000;
const MINUTE: Millis = 60_000;
/// Minutes that the timer looks back, so that the next tick covers a lost one.
const MINUTES: u64 = 4;
/// Lifetime of a row in seconds.
const LIFETIME: u64 = 10 * 60;
const AT: &str = "at";
const CONNECTION: &str = "connectionId";
/// Maximum number of connections that are read at once.
const PAGE: i32 = 500;

fn partition(minute: u64) -> Key {
    Key::pair("unauthenticated", &minute.to_string())
}

impl AllConnections<'_> {
    /// Lists a connection that opened without an accepted token.
    pub(super) async fn note_unauthenticated(self, id: &str) -> Result<()> {
        let now = self.0.db().clock().real().millis();
        let mut row = item::key(&partition(now / MINUTE), &Key::pair("socket", id));
        row.insert(CONNECTION.to_owned(), Value::S(id.to_owned()));
        row.insert(AT.to_owned(), Value::N(now.to_string()));
        row.insert(EXPIRES.to_owned(), Value::N((now / 1000 + LIFETIME).to_string()));
        self.0.db().dynamo().put(Table::Realtime.name(), row, None).await.map_err(report)
    }
}

/// A position in the list of connections.
#[derive(Clone, Debug)]
pub struct ListStart {
    minute: u64,
    start: Option<Item>,
}

/// A listed connection whose time is over.
pub struct Listed {
    /// Its id at API Gateway.
    pub id: String,
    /// Whether it has sent a token.
    pub has_token: bool,
    row: Item,
}

impl SystemStore {
    /// The next connections whose time to send a token is over, and the next position.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn unauthenticated(
        &self,
        start: Option<ListStart>,
    ) -> Result<(Vec<Listed>, Option<ListStart>)> {
        let now = self.db.clock().real().millis();
        let oldest = || ListStart { minute: (now / MINUTE).saturating_sub(MINUTES), start: None };
        let ListStart { minute, start } = start.unwrap_or_else(oldest);
        let query = Query {
            table: Table::Realtime.name(),
            index: None,
            partition: (PK, partition(minute).as_str().to_owned()),
            prefix: None,
            up_to: None,
            between: None,
            start,
            limit: PAGE,
            ascending: true,
            only: vec![],
        };
        let found = self.db.query(query).await?;
        let next = match found.next {
            Some(start) => ListStart { minute, start: Some(start) },
            None => ListStart { minute: minute + 1, start: None },
        };
        let is_over =
            |row: &Item| item::number(row, AT).is_some_and(|at| at.saturating_add(PATIENCE) <= now);
        let over = found.items.into_iter().filter(is_over).collect();
        Ok((self.listed(over).await?, Some(next).filter(|next| next.minute <= now / MINUTE)))
    }

    async fn listed(&self, rows: Vec<Item>) -> Result<Vec<Listed>> {
        let id = |row: &Item| row.get(CONNECTION)?.as_s().ok().cloned();
        let rows: Vec<(String, Item)> =
            rows.into_iter().filter_map(|row| Some((id(&row)?, row))).collect();
        let places = rows.iter().map(|(id, _)| place(id)).collect();
        let known = self.db.get_across(Table::Realtime, places).await?;
        let listed = rows.into_iter().map(|(id, row)| {
            let (partition, sort) = place(&id);
            let connection = known.get(&(partition.into(), sort.into()));
            let has_token = connection.is_some_and(|it| it.contains_key(CLAIMS));
            Listed { id, has_token, row }
        });
        Ok(listed.collect())
    }

    /// Removes connections from the list.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub async fn unlist(&self, listed: Vec<Listed>) -> Result<()> {
        let key = |Listed { mut row, .. }: Listed| {
            row.retain(|name, _| [PK, SK].contains(&name.as_str()));
            BatchWrite::Delete(row)
        };
        let writes = listed.into_iter().map(key).collect();
        self.db.write_all(Table::Realtime, writes).await.into_iter().collect()
    }
}
