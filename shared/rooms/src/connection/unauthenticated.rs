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
    scopes::{Store, report},
};

use super::row::{CLAIMS, PATIENCE, place};

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

/// A position in the list of connections.
#[derive(Clone, Debug)]
pub struct OverdueStart {
    minute: u64,
    start: Option<Item>,
}

/// A connection whose time to send a token is over.
pub struct OverdueConnection {
    /// Id of the connection at API Gateway.
    pub id: String,
    /// Whether it has sent a token.
    pub has_token: bool,
    row: Item,
}

/// Lists a connection that opened without an accepted token.
pub(super) async fn list(store: &Store, id: &str) -> Result<()> {
    let now = store.db().clock().real().millis();
    let mut row = item::key(&partition(now / MINUTE), &Key::pair("socket", id));
    row.insert(CONNECTION.to_owned(), Value::S(id.to_owned()));
    row.insert(AT.to_owned(), Value::N(now.to_string()));
    row.insert(EXPIRES.to_owned(), Value::N((now / 1000 + LIFETIME).to_string()));
    store.db().dynamo().put(Table::Realtime.name(), row, None).await.map_err(report)
}

/// A part of the connections whose time to send a token is over.
pub struct OverduePage {
    /// The connections.
    pub connections: Vec<OverdueConnection>,
    /// The position of the next part, if there is one.
    pub next: Option<OverdueStart>,
}

impl OverduePage {
    /// The part at a position; the first one without.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn at(store: &Store, start: Option<OverdueStart>) -> Result<Self> {
        let now = store.db().clock().real().millis();
        let oldest =
            || OverdueStart { minute: (now / MINUTE).saturating_sub(MINUTES), start: None };
        let OverdueStart { minute, start } = start.unwrap_or_else(oldest);
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
        let found = store.db().query(query).await?;
        let next = match found.next {
            Some(start) => OverdueStart { minute, start: Some(start) },
            None => OverdueStart { minute: minute + 1, start: None },
        };
        let is_over =
            |row: &Item| item::number(row, AT).is_some_and(|at| at.saturating_add(PATIENCE) <= now);
        let over = found.items.into_iter().filter(is_over).collect();
        let next = Some(next).filter(|next| next.minute <= now / MINUTE);
        Ok(Self { connections: overdue(store, over).await?, next })
    }

    /// Removes its connections from the list.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub(crate) async fn unlist(self, store: &Store) -> Result<()> {
        let key = |OverdueConnection { mut row, .. }: OverdueConnection| {
            row.retain(|name, _| [PK, SK].contains(&name.as_str()));
            BatchWrite::Delete(row)
        };
        let writes = self.connections.into_iter().map(key).collect();
        store.db().write_all(Table::Realtime, writes).await.into_iter().collect()
    }
}

async fn overdue(store: &Store, rows: Vec<Item>) -> Result<Vec<OverdueConnection>> {
    let id = |row: &Item| row.get(CONNECTION)?.as_s().ok().cloned();
    let rows: Vec<(String, Item)> =
        rows.into_iter().filter_map(|row| Some((id(&row)?, row))).collect();
    let places = rows.iter().map(|(id, _)| place(id)).collect();
    let known = store.db().get_across(Table::Realtime, places).await?;
    let overdue = rows.into_iter().map(|(id, row)| {
        let (partition, sort) = place(&id);
        let connection = known.get(&(partition.into(), sort.into()));
        let has_token = connection.is_some_and(|row| row.contains_key(CLAIMS));
        OverdueConnection { id, has_token, row }
    });
    Ok(overdue.collect())
}
