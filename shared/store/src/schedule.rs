//! What is due later than SQS can wait: rows in a sparse index by due time, released by a timer.

use aws::{Item, Query, Value, Write};
use error::{Error, Result};
use model::Millis;

use crate::{
    commit::{Unit, settle},
    db::Db,
    entity::Table,
    event::new_id,
    item::{self, key},
    key::Key,
    scope::{Store, TenantStore},
};

const INDEX: &str = "due";
const SHARD: &str = "dueShard";
const AT: &str = "dueAt";
/// Partitions of the index: it is written in the order of time, which would heat up a single one.
const SHARDS: u64 = 4;

/// A message that is due.
#[derive(Clone, Debug)]
pub struct Due {
    /// The queue it is for.
    pub queue: String,
    /// The message.
    pub body: String,
    /// The tenant it belongs to.
    pub group: String,
    key: Item,
}

impl TenantStore {
    /// Keeps a message for a queue until `at`; the timer sends it within a minute after that.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn send_later(&self, queue: &str, body: String, at: Millis) -> Result<()> {
        let id = new_id(self.db.clock.now())?;
        let place = Key::of("message", &id);
        let mut row = key(&place, &place);
        let shard = id.bytes().map(u64::from).sum::<u64>() % SHARDS;
        let text = [
            (SHARD, format!("{shard}")),
            (AT, format!("{at:013}#{id}")),
            ("queue", queue.to_owned()),
            ("body", body),
            ("group", self.key.id.as_str().to_owned()),
        ];
        row.extend(text.map(|(name, text)| (name.to_owned(), Value::S(text))));
        let write = Write::Put { table: Table::Schedule.name(), item: row, condition: None };
        let unit = Unit { writes: vec![write], ..Unit::default() };
        settle(self.db.commit(unit).await, |_| Error::internal("refused without a condition"))
    }
}

impl Due {
    /// Tells it from every other.
    pub fn id(&self) -> &str {
        match self.key.get(item::PK) {
            Some(Value::S(id)) => id,
            _ => "",
        }
    }
}

/// What the service does for itself, across tenants: it can release what is due, nothing else.
pub struct SystemStore {
    db: Db,
}

impl Store {
    /// The scope of the timer; callable from `service` only.
    pub fn system(&self) -> SystemStore {
        SystemStore { db: self.db.clone() }
    }
}

impl SystemStore {
    /// The time of the process.
    pub fn now(&self) -> Millis {
        self.db.clock.now()
    }

    /// Up to `limit` messages of each shard that are due, the oldest first.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn due(&self, limit: i32) -> Result<Vec<Due>> {
        let mut due = Vec::new();
        for shard in 0..SHARDS {
            let query = Query {
                table: Table::Schedule.name(),
                index: Some(INDEX),
                partition: (SHARD, shard.to_string()),
                prefix: None,
                up_to: Some((AT, format!("{:013}$", self.db.clock.now()))),
                between: None,
                start: None,
                limit,
                ascending: true,
                only: vec![],
            };
            due.extend(self.db.query(query).await?.items.into_iter().filter_map(read));
        }
        Ok(due)
    }

    /// Takes note that messages were sent. One sent twice because this failed is harmless: every
    /// worker can be called again.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn settle(&self, sent: Vec<Due>) -> Result<()> {
        let writes = sent.into_iter().map(|due| aws::BatchWrite::Delete(due.key)).collect();
        self.db.write_all(Table::Schedule, writes).await.into_iter().collect()
    }
}

fn read(mut row: Item) -> Option<Due> {
    let mut text = |name: &str| match row.remove(name) {
        Some(Value::S(text)) => Some(text),
        _ => None,
    };
    let (queue, body, group) = (text("queue")?, text("body")?, text("group")?);
    row.retain(|name, _| name == item::PK || name == item::SK);
    Some(Due { queue, body, group, key: row })
}
