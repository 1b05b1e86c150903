//! The items of tables: read in segments, and put in batches.

use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};
use service::Table;

use super::{digest::Digest, place::Stack, progress, rules};

/// Items of one request.
const BATCH: usize = 25;
/// Requests at a time. Progress is noted after each such round.
const AT_ONCE: usize = 8;
/// Wait for items that were not processed, which doubles up to the longest one.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Passes each item of a table that moves to `each`, as it moves.
///
/// # Errors
/// A sentence: a page cannot be read, or an item is none that this version knows.
pub(crate) async fn read(
    place: &Stack,
    table: Table,
    each: impl Fn(Value) -> Result<(), String>,
) -> Result<(), String> {
    let segment = |segment: u32| {
        let each = &each;
        async move {
            let mut request = json!({
                "TableName": place.table(table),
                "ConsistentRead": true,
                "Segment": segment,
                "TotalSegments": place.segments,
            });
            loop {
                let mut page = place.dynamodb("Scan", request.clone()).await?;
                let Value::Array(items) = page["Items"].take() else {
                    return Err(format!("{} has no items", place.table(table)));
                };
                for item in items.into_iter().filter(|item| !progress::is_row(item)) {
                    if let Some(item) = rules::moved(table, item)? {
                        each(item.into())?;
                    }
                }
                match page["LastEvaluatedKey"].take() {
                    Value::Null => return Ok(()),
                    start => request["ExclusiveStartKey"] = start,
                }
            }
        }
    };
    let segments = stream::iter(0..place.segments).map(segment);
    segments.buffer_unordered(AT_ONCE).try_collect().await
}

/// The digest of what moves from a table.
pub(crate) async fn digest(place: &Stack, table: Table) -> Result<Digest, String> {
    let digest = std::cell::RefCell::new(Digest::default());
    let add = |item: Value| {
        digest.borrow_mut().add(&item);
        Ok(())
    };
    read(place, table, add).await?;
    Ok(digest.into_inner())
}

/// Whether a table has no item.
pub(crate) async fn is_empty(place: &Stack, table: Table) -> Result<bool, String> {
    let request = json!({ "TableName": place.table(table), "Limit": 1, "ConsistentRead": true });
    let page = place.dynamodb("Scan", request).await?;
    Ok(page["Count"] == 0 && page["LastEvaluatedKey"].is_null())
}

/// Puts the next round of items; returns their number, 0 at the end.
pub(crate) async fn put_next(
    place: &Stack,
    table: Table,
    items: &mut impl Iterator<Item = std::io::Result<Value>>,
) -> Result<u64, String> {
    let round: Vec<Value> =
        items.take(BATCH * AT_ONCE).collect::<Result<_, _>>().map_err(|e| e.to_string())?;
    let batches: Vec<Vec<Value>> = round.chunks(BATCH).map(<[Value]>::to_vec).collect();
    let puts = stream::iter(batches).map(|batch| put(place, table, batch));
    puts.buffer_unordered(AT_ONCE).try_collect::<()>().await?;
    Ok(round.len() as u64)
}

/// Puts up to 25 items. Repeating it changes nothing.
async fn put(place: &Stack, table: Table, items: Vec<Value>) -> Result<(), String> {
    let (table, mut wait) = (place.table(table), FIRST_WAIT);
    let puts = items.into_iter().map(|item| json!({ "PutRequest": { "Item": item } }));
    let mut open = Value::from(puts.collect::<Vec<_>>());
    loop {
        let request = json!({ "RequestItems": { &table: open } });
        let mut reply = place.dynamodb("BatchWriteItem", request).await?;
        open = reply["UnprocessedItems"][&table].take();
        if open.as_array().is_none_or(Vec::is_empty) {
            return Ok(());
        }
        tokio::time::sleep(wait).await;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}
