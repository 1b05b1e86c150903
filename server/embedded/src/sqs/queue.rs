//! Queues.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::Value;

use super::attributes;
use super::wire::{SqsError, required};
use crate::base::{ACCOUNT, REGION};

/// Number of messages in a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueDepth {
    /// Waiting to be received.
    pub visible: u64,
    /// Received, not deleted, and not visible again.
    pub in_flight: u64,
    pub delayed: u64,
}

/// A message in its queue.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitingMessage {
    /// Id of the message at SQS.
    pub id: String,
    /// The request body.
    pub body: String,
    /// Attributes, as JSON of SQS: `{"reason": {"DataType": "String", "StringValue": …}}`.
    pub attributes: Value,
    /// Epoch milliseconds.
    pub sent_at: i64,
}

/// A message with all that another queue needs to have it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredMessage {
    /// The request body.
    pub body: String,
    /// Attributes of the message, as JSON of SQS.
    pub attributes: Value,
    /// Message group of the message, if any.
    pub group: Option<String>,
    /// When it becomes visible, in epoch milliseconds; the time of sending when nothing delays it.
    pub visible_at: i64,
    /// How often it was received.
    pub received: i64,
}

pub(super) struct Queue {
    pub(super) id: i64,
    pub(super) name: String,
    /// Given options; the rest has defaults.
    pub(super) attributes: BTreeMap<String, String>,
    pub(super) created_at: i64,
    pub(super) modified_at: i64,
}

/// The dead-letter queue.
pub(super) struct Redrive {
    pub(super) target_arn: String,
    pub(super) max_receive_count: i64,
}

pub(crate) fn arn(name: &str) -> String {
    format!("arn:aws:sqs:{REGION}:{ACCOUNT}:{name}")
}

pub(crate) fn path(name: &str) -> String {
    format!("/{ACCOUNT}/{name}")
}

const COLUMNS: &str = "id, name, attributes, created_at, modified_at";

fn read(row: &Row<'_>) -> rusqlite::Result<Queue> {
    let attributes = serde_json::from_str(&row.get::<_, String>(2)?).map_err(|error| {
        let kind = rusqlite::types::Type::Text;
        rusqlite::Error::FromSqlConversionFailure(2, kind, Box::new(error))
    })?;
    Ok(Queue {
        id: row.get(0)?,
        name: row.get(1)?,
        attributes,
        created_at: row.get(3)?,
        modified_at: row.get(4)?,
    })
}

impl Queue {
    pub(super) fn find(db: &Connection, name: &str) -> Result<Option<Self>, SqsError> {
        let sql = format!("select {COLUMNS} from queues where name = ?1");
        Ok(db.prepare_cached(&sql)?.query_row([name], read).optional()?)
    }

    pub(super) fn named(db: &Connection, name: &str) -> Result<Self, SqsError> {
        Self::find(db, name)?.ok_or_else(|| {
            SqsError::sender("QueueDoesNotExist", "The specified queue does not exist.")
        })
    }

    /// The queue of a request's `QueueUrl`, whatever host the URL names.
    pub(super) fn named_in(db: &Connection, request: &Value) -> Result<Self, SqsError> {
        let url = required(request, "QueueUrl")?;
        Self::named(db, url.rsplit('/').next().unwrap_or_default())
    }

    pub(super) fn with_arn(db: &Connection, wanted: &str) -> Result<Option<Self>, SqsError> {
        let name = wanted.rsplit(':').next().unwrap_or_default();
        Ok(Self::find(db, name)?.filter(|queue| queue.arn() == wanted))
    }

    pub(super) fn all(db: &Connection) -> Result<Vec<Self>, SqsError> {
        let sql = format!("select {COLUMNS} from queues order by name");
        let mut statement = db.prepare_cached(&sql)?;
        let queues = statement.query_map([], read)?.collect::<Result<_, _>>()?;
        Ok(queues)
    }

    pub(super) fn create(
        db: &Connection,
        name: &str,
        given: &BTreeMap<String, String>,
        now: i64,
    ) -> Result<(), SqsError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if !(1..=80).contains(&name.len()) || !name.chars().all(plain) {
            return Err(SqsError::sender(
                "InvalidParameterValue",
                "Can only include alphanumeric characters, hyphens, or underscores. \
                 1 to 80 in length",
            ));
        }
        attributes::check(db, given)?;
        let given: BTreeMap<_, _> = given.iter().filter(|(_, value)| !value.is_empty()).collect();
        db.execute(
            "insert into queues (name, attributes, created_at, modified_at) values (?1, ?2, ?3, ?3)",
            params![name, serde_json::to_string(&given)?, now],
        )?;
        Ok(())
    }

    /// Sets the given attributes; an empty value removes an attribute.
    pub(super) fn set(
        mut self,
        db: &Connection,
        given: &BTreeMap<String, String>,
        now: i64,
    ) -> Result<(), SqsError> {
        attributes::check(db, given)?;
        self.attributes.extend(given.clone());
        self.attributes.retain(|_, value| !value.is_empty());
        db.execute(
            "update queues set attributes = ?1, modified_at = ?2 where id = ?3",
            params![serde_json::to_string(&self.attributes)?, now, self.id],
        )?;
        Ok(())
    }

    pub(super) fn purge(&self, db: &Connection) -> Result<(), SqsError> {
        db.execute("delete from messages where queue_id = ?1", [self.id])?;
        Ok(())
    }

    pub(super) fn delete(&self, db: &Connection) -> Result<(), SqsError> {
        self.purge(db)?;
        db.execute("delete from queues where id = ?1", [self.id])?;
        Ok(())
    }

    pub(super) fn arn(&self) -> String {
        arn(&self.name)
    }

    /// A numeric attribute, set or default.
    pub(super) fn number(&self, attribute: &str) -> i64 {
        let set = self.attributes.get(attribute).map(String::as_str);
        set.or_else(|| attributes::default(attribute)).and_then(|n| n.parse().ok()).unwrap_or(0)
    }

    pub(super) fn redrive(&self) -> Option<Redrive> {
        attributes::redrive(self.attributes.get("RedrivePolicy")?)
    }

    /// The latest send time of expired messages.
    pub(super) fn expired_at(&self, now: i64) -> i64 {
        now - self.number("MessageRetentionPeriod") * 1000
    }

    pub(super) fn depth(&self, db: &Connection, now: i64) -> Result<QueueDepth, SqsError> {
        let sql = "
            select count(*) filter (where visible_at <= ?2),
                   count(*) filter (where visible_at > ?2 and receipt is not null),
                   count(*) filter (where visible_at > ?2 and receipt is null)
            from messages where queue_id = ?1 and sent_at > ?3";
        let key = params![self.id, now, self.expired_at(now)];
        Ok(db.prepare_cached(sql)?.query_row(key, |row| {
            Ok(QueueDepth { visible: row.get(0)?, in_flight: row.get(1)?, delayed: row.get(2)? })
        })?)
    }

    /// The depth, but at most `most` in each state, from indexes alone.
    pub(super) fn count(
        &self,
        db: &Connection,
        now: i64,
        most: u32,
    ) -> Result<QueueDepth, SqsError> {
        // Nobody receives dead letters, and only receivers remove expired messages.
        let sql = "
            select min(
                (select count(*) from (select 1 from messages
                 where queue_id = ?1 and visible_at <= ?2 limit ?4)),
                (select count(*) from (select 1 from messages
                 where queue_id = ?1 and sent_at > ?3 limit ?4))),
                (select count(*) filter (where visible_at > ?2) from (
                 select visible_at from messages indexed by messages_in_flight
                 where queue_id = ?1 and receipt is not null limit ?4)),
                (select count(*) from (select 1 from messages
                 where queue_id = ?1 and visible_at > ?2 limit ?4))";
        let key = params![self.id, now, self.expired_at(now), most];
        Ok(db.prepare_cached(sql)?.query_row(key, |row| {
            let (in_flight, hidden): (u64, u64) = (row.get(1)?, row.get(2)?);
            let delayed = hidden.saturating_sub(in_flight);
            Ok(QueueDepth { visible: row.get(0)?, in_flight, delayed })
        })?)
    }

    /// The newest messages, received or not.
    pub(super) fn waiting(
        &self,
        db: &Connection,
        limit: u32,
    ) -> Result<Vec<WaitingMessage>, SqsError> {
        let sql = "select message_id, body, attributes, sent_at from messages
                   where queue_id = ?1 order by id desc limit ?2";
        let mut statement = db.prepare_cached(sql)?;
        let rows = statement.query_map(params![self.id, limit], |row| {
            let attributes: String = row.get(2)?;
            Ok(WaitingMessage {
                id: row.get(0)?,
                body: row.get(1)?,
                attributes: serde_json::from_str(&attributes).unwrap_or_default(),
                sent_at: row.get(3)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// All messages that have not expired, in the order of sending.
    pub(super) fn stored(&self, db: &Connection, now: i64) -> Result<Vec<StoredMessage>, SqsError> {
        let sql = "select body, attributes, group_id, visible_at, received from messages
                   where queue_id = ?1 and sent_at > ?2 order by id";
        let mut statement = db.prepare_cached(sql)?;
        let rows = statement.query_map(params![self.id, self.expired_at(now)], |row| {
            let attributes: String = row.get(1)?;
            Ok(StoredMessage {
                body: row.get(0)?,
                attributes: serde_json::from_str(&attributes).unwrap_or_default(),
                group: row.get(2)?,
                visible_at: row.get(3)?,
                received: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
