//! Streams of tables: reading from a position, and trimming.
//!
//! dynoxide stores the records of all tables in one SQLite table, numbers a new one by the highest
//! number of its table, and reads by table and number. Without an index both scan every record ever
//! written.

use rusqlite::{Connection, Row, params};
use serde_json::{Value, json};

use super::Store;
use super::engine::Engine;
use crate::base::{ACCOUNT, Error, REGION};

/// The expression is that of dynoxide's statements. SQLite uses the index only for an identical
/// expression, including the case of `INTEGER`.
pub(super) const INDEX: &str = "
    create index if not exists stream_records_by_number
    on _stream_records (table_name, cast(sequence_number as INTEGER))";

const READ: &str = "
    select event_name, keys_json, new_image, old_image, cast(sequence_number as INTEGER),
        created_at, user_identity, event_id
    from _stream_records
    where table_name = ?1 and cast(sequence_number as INTEGER) > ?2
    order by cast(sequence_number as INTEGER)";

/// Labels of streams as in AWS, the ISO time at which each was enabled, instead of dynoxide's seconds
/// since the epoch. Data may come from AWS or go there, and consumers compare labels as text: that
/// of a later stream has to be greater. First those of earlier versions, then new ones.
pub(super) const LABELS: &str = "
    update _tables set stream_label =
        strftime('%Y-%m-%dT%H:%M:%f', cast(stream_label as real), 'unixepoch')
    where stream_label not like '%T%';
    create temp trigger iso_stream_labels after update of stream_label on main._tables
    when new.stream_label not like '%T%' begin
        update _tables set stream_label =
            strftime('%Y-%m-%dT%H:%M:%f', cast(stream_label as real), 'unixepoch')
        where table_name = new.table_name;
    end";

/// Retention of a record in seconds, as in AWS.
const RETENTION: i64 = 24 * 60 * 60;

/// Maximum number of records read for one page, so that a selective reader blocks others only
/// briefly.
const LOOKED_AT: usize = 1000;

/// Number of records trimmed at once.
const TRIMMED_AT_ONCE: i64 = 500;

/// A sequence number has 21 digits: this prefix, and the stored number.
const FIRST: u128 = 100_000_000_000_000_000_000;

/// One change of an item.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamRecord {
    /// Position of the record, to continue after it.
    pub sequence: String,
    /// The record in the format of a Lambda event.
    pub record: Value,
}

/// A filter of an event source. It is checked before a record is built.
pub(crate) enum Filter<'a> {
    /// No filter.
    All,
    /// Records whose new image has this attribute.
    Attribute(&'a str),
    /// Records that pass one of these.
    Items(&'a [ItemFilter<'a>]),
}

/// A filter of the changes of items. A record passes if it has one of the beginnings and kinds.
#[derive(Clone, Copy, Debug)]
pub struct ItemFilter<'a> {
    /// Beginnings of the sort key `SK`.
    pub begins: &'a [&'a str],
    /// Kinds of changes, such as `MODIFY`.
    pub kinds: &'a [&'a str],
}

impl Filter<'_> {
    fn admits(&self, row: &Row<'_>) -> rusqlite::Result<bool> {
        let text = |column| Ok::<_, rusqlite::Error>(row.get_ref(column)?.as_str_or_null()?);
        Ok(match self {
            Self::All => true,
            // JSON escapes quotation marks in strings, so this occurs in keys only.
            Self::Attribute(name) => {
                text(2)?.is_some_and(|image| image.contains(&format!("\"{name}\":")))
            }
            Self::Items(filters) => {
                let kind = text(0)?.unwrap_or_default();
                let keys =
                    serde_json::from_str(text(1)?.unwrap_or_default()).unwrap_or(Value::Null);
                let key = keys["SK"]["S"].as_str().unwrap_or_default();
                filters.iter().any(|filter| {
                    let mut begins = filter.begins.iter();
                    filter.kinds.contains(&kind) && begins.any(|begin| key.starts_with(begin))
                })
            }
        })
    }
}

/// Records of a part of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamPage {
    /// The records, oldest first.
    pub records: Vec<StreamRecord>,
    /// Position of the end of the page, to continue after it; none without new records. Filtered
    /// records are before it.
    pub last: Option<String>,
}

impl Store {
    /// Up to `limit` records after a sequence number that a filter admits.
    /// Reads at most 1,000 records, however long the stream is.
    pub(crate) fn stream(
        &self,
        table: &str,
        after: Option<&str>,
        limit: usize,
        filter: Filter<'_>,
    ) -> Result<StreamPage, Error> {
        let engine = self.engine();
        let described = engine.storage.get_table_metadata(table)?;
        let described = described.filter(|table| table.stream_enabled);
        let described =
            described.ok_or_else(|| Error::Shape(format!("table {table} has no stream")))?;
        let view = described.stream_view_type.as_deref().unwrap_or("NEW_AND_OLD_IMAGES");
        let label = described.stream_label.as_deref().unwrap_or_default();
        let source = format!("arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{table}/stream/{label}");
        let after = match after {
            Some(sequence) => stored(sequence)
                .ok_or_else(|| Error::Shape(format!("{sequence} is no sequence number")))?,
            None => 0,
        };
        let horizon = horizon(&engine);
        let mut page = StreamPage { records: Vec::new(), last: None };
        let mut statement = engine.storage.conn().prepare_cached(READ)?;
        let mut rows = statement.query(params![table, after])?;
        let mut looked_at = 0;
        while page.records.len() < limit && looked_at < LOOKED_AT {
            let Some(row) = rows.next()? else { break };
            looked_at += 1;
            page.last = Some(sequence_of(row.get(4)?));
            if row.get::<_, i64>(5)? <= horizon || !filter.admits(row)? {
                continue;
            }
            let record = record(row, view, &source)?;
            let has = |name| !record.record["dynamodb"]["NewImage"][name].is_null();
            if !matches!(filter, Filter::Attribute(name) if !has(name)) {
                page.records.push(record);
            }
        }
        Ok(page)
    }

    /// Deletes records older than a day, a few at a time, so that calls get their turn.
    pub(super) fn trim(&self) -> Result<(), Error> {
        loop {
            let engine = self.engine();
            if !trim(engine.storage.conn(), horizon(&engine))? {
                return Ok(());
            }
            drop(engine);
            std::thread::sleep(super::TURN);
        }
    }
}

/// The latest time of expired records.
fn horizon(engine: &Engine) -> i64 {
    i64::try_from(engine.now() / 1000).unwrap_or(i64::MAX) - RETENTION
}

/// Deletes the oldest records; returns whether there may be more.
fn trim(db: &Connection, horizon: i64) -> Result<bool, Error> {
    let oldest = "
        select max(id), count(*) from
            (select id, created_at from _stream_records order by id limit ?1)
        where created_at <= ?2";
    let (last, count): (Option<i64>, i64) = db
        .prepare_cached(oldest)?
        .query_row(params![TRIMMED_AT_ONCE, horizon], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let Some(last) = last else { return Ok(false) };
    db.prepare_cached("delete from _stream_records where id <= ?1 and created_at <= ?2")?
        .execute(params![last, horizon])?;
    Ok(count == TRIMMED_AT_ONCE)
}

fn record(row: &Row<'_>, view: &str, source: &str) -> Result<StreamRecord, Error> {
    let json = |index: usize| -> Result<Option<Value>, Error> {
        let text = row.get_ref(index)?.as_str_or_null().map_err(rusqlite::Error::from)?;
        Ok(text.map(serde_json::from_str).transpose()?)
    };
    let size: usize = [1, 2, 3].iter().try_fold(0, |size, index| -> Result<_, Error> {
        let text = row.get_ref(*index)?.as_str_or_null().map_err(rusqlite::Error::from)?;
        Ok(size + text.map_or(0, str::len))
    })?;
    let sequence = sequence_of(row.get(4)?);
    let mut change = json!({
        "ApproximateCreationDateTime": row.get::<_, i64>(5)?,
        "SequenceNumber": sequence,
        "SizeBytes": size,
        "StreamViewType": view,
    });
    for (member, index) in [("Keys", 1), ("NewImage", 2), ("OldImage", 3)] {
        if let Some(image) = json(index)? {
            change[member] = image;
        }
    }
    let mut record = json!({
        "awsRegion": REGION,
        "eventID": row.get::<_, Option<String>>(7)?.unwrap_or_else(|| sequence.clone()),
        "eventName": row.get::<_, String>(0)?,
        "eventSource": "aws:dynamodb",
        "eventSourceARN": source,
        "eventVersion": "1.1",
    });
    record["dynamodb"] = change;
    if let Some(identity) = json(6)? {
        record["userIdentity"] = identity;
    }
    Ok(StreamRecord { sequence, record })
}

fn sequence_of(stored: i64) -> String {
    (FIRST + u128::from(stored.unsigned_abs())).to_string()
}

fn stored(sequence: &str) -> Option<i64> {
    i64::try_from(sequence.parse::<u128>().ok()?.checked_sub(FIRST)?).ok()
}

/// Lambda's events and the API of the streams spell these two names differently, and dynoxide
/// knows the spelling of the events only.
pub(super) fn name_identity_for_clients(reply: &mut Value) {
    for record in reply["Records"].as_array_mut().into_iter().flatten() {
        if let Some(identity) = record.get_mut("userIdentity") {
            *identity = json!({ "Type": identity["type"], "PrincipalId": identity["principalId"] });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{plan, put, store};
    use super::*;

    /// The statements of dynoxide that number a record, and read them for `GetRecords`.
    const OF_DYNOXIDE: [&str; 2] = [
        "SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 FROM _stream_records
         WHERE table_name = ?1",
        "SELECT event_name FROM _stream_records
         WHERE table_name = ?1 AND shard_id = ?2 AND CAST(sequence_number AS INTEGER) > ?3
         ORDER BY CAST(sequence_number AS INTEGER) ASC LIMIT ?4",
    ];

    fn count(store: &Store) -> i64 {
        let count = "select count(*) from _stream_records";
        store.engine().storage.conn().query_row(count, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_stream_is_numbered_and_read_by_its_index() {
        let (store, _) = store();
        let [number, records] = OF_DYNOXIDE;
        // The index contains all data, and its last entry has the highest number.
        let by = "SEARCH _stream_records USING COVERING INDEX stream_records_by_number";
        assert!(plan(&store, number).starts_with(by));
        let by = "SEARCH _stream_records USING INDEX stream_records_by_number (table_name=? AND <expr>>?)\n";
        for statement in [records, READ] {
            assert_eq!(plan(&store, statement), by);
        }
    }

    #[test]
    fn records_are_trimmed_a_day_after_they_were_made_and_numbers_go_on() {
        let (store, clock) = store();
        for n in 0..TRIMMED_AT_ONCE + 1 {
            put(&store, &format!("old {n}"), json!({}));
        }
        let read = |after: Option<&str>| store.stream("items", after, 2000, Filter::All).unwrap();
        let last = read(None).last.unwrap();
        clock.fetch_add(12 * 3600 * 1000, std::sync::atomic::Ordering::SeqCst);
        put(&store, "young", json!({}));
        assert_eq!(store.sweep_expired().unwrap(), 0);
        assert_eq!(read(Some(&last)).records.len(), 1);
        clock.fetch_add(12 * 3600 * 1000, std::sync::atomic::Ordering::SeqCst);
        // The old ones are invisible, though still stored.
        assert_eq!(read(None).records.len(), 1);
        store.sweep_expired().unwrap();
        let left = read(None).records;
        assert_eq!((left.len(), count(&store)), (1, 1));
        assert_eq!(left[0].record["dynamodb"]["Keys"]["pk"]["S"], "young");
        clock.fetch_add(24 * 3600 * 1000, std::sync::atomic::Ordering::SeqCst);
        store.sweep_expired().unwrap();
        put(&store, "new", json!({}));
        let new = read(Some(&left[0].sequence)).records;
        assert_eq!(new.len(), 1);
        assert!(new[0].sequence > left[0].sequence);
    }

    /// Data from AWS have positions of its streams, and later ones have to be greater.
    #[test]
    fn the_label_of_a_stream_is_its_time_as_in_aws() {
        let (store, _) = store();
        put(&store, "a", json!({}));
        let record = store.stream("items", None, 1, Filter::All).unwrap().records.remove(0).record;
        let source = record["eventSourceARN"].as_str().unwrap();
        assert!(source.ends_with("/stream/2023-11-14T22:13:20.000"), "{source}");
        let described = store.run("DescribeTable", json!({ "TableName": "items" })).unwrap();
        assert_eq!(described["Table"]["LatestStreamLabel"], "2023-11-14T22:13:20.000");
    }

    #[test]
    fn labels_of_an_earlier_version_become_times() {
        let (store, _) = store();
        let engine = store.engine();
        let db = engine.storage.conn();
        db.execute_batch("drop trigger iso_stream_labels").unwrap();
        db.execute("update _tables set stream_label = '1700000000.250000000'", []).unwrap();
        db.execute_batch(LABELS).unwrap();
        let label = "select stream_label from _tables";
        let label: String = db.query_row(label, [], |row| row.get(0)).unwrap();
        assert_eq!(label, "2023-11-14T22:13:20.250");
    }

    #[test]
    fn records_without_the_attribute_are_skipped_and_looked_at_once() {
        let (store, _) = store();
        for n in 0..LOOKED_AT + 1 {
            put(
                &store,
                &format!("{n}"),
                json!({ "nested": { "M": { "_events": { "S": "no" } } } }),
            );
        }
        put(&store, "\"_events\":", json!({}));
        put(&store, "b", json!({ "_events": { "S": "yes" } }));
        put(&store, "b", json!({}));
        let first = store.stream("items", None, 10, Filter::Attribute("_events")).unwrap();
        assert!(first.records.is_empty());
        let second =
            store.stream("items", first.last.as_deref(), 10, Filter::Attribute("_events")).unwrap();
        assert_eq!(second.records.len(), 1);
        let change = &second.records[0].record["dynamodb"];
        assert_eq!(change["NewImage"]["_events"]["S"], "yes");
        let end = store
            .stream("items", second.last.as_deref(), 10, Filter::Attribute("_events"))
            .unwrap();
        assert_eq!(end, StreamPage { records: Vec::new(), last: None });
    }
}
