//! Receiving.

use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};

use super::queue::Queue;
use super::schema::random;
use super::wire::{SqsError, integer, strings};
use super::{digest, receipt, redrive};
use crate::base::ACCOUNT;

/// Result of one receive call.
pub(super) struct Received {
    pub(super) messages: Vec<Value>,
    /// Whether messages moved to the dead-letter queue, where receivers may wait for them.
    pub(super) moved: bool,
    /// Time at which the next invisible message becomes visible.
    pub(super) next_visible: Option<i64>,
    /// Remaining wait of the request, in milliseconds.
    pub(super) wait: i64,
}

struct Message {
    message_id: String,
    body: String,
    attributes: String,
    system_attributes: String,
    group_id: Option<String>,
    sent_at: i64,
    received: i64,
    first_received_at: i64,
    source: Option<String>,
}

pub(super) fn receive(db: &Connection, request: &Value, now: i64) -> Result<Received, SqsError> {
    let queue = Queue::named_in(db, request)?;
    let most = integer(request, "MaxNumberOfMessages", 1..=10)?.unwrap_or(1);
    let wait = integer(request, "WaitTimeSeconds", 0..=20)?
        .unwrap_or_else(|| queue.number("ReceiveMessageWaitTimeSeconds"));
    let timeout = integer(request, "VisibilityTimeout", 0..=43_200)?
        .unwrap_or_else(|| queue.number("VisibilityTimeout"));
    db.prepare_cached("delete from messages where queue_id = ?1 and sent_at <= ?2")?
        .execute(params![queue.id, queue.expired_at(now)])?;
    let moved = redrive::move_exhausted(db, &queue, now)?;
    let ids = in_turns(db, &queue, most, &strings(request, WITHOUT_GROUPS), now)?;
    let mut messages = Vec::with_capacity(ids.len());
    for id in ids {
        let receipt = random(db)?;
        let message = deliver(db, id, &receipt, now, now + timeout * 1000)?;
        let mut shown = tell(&message, request)?;
        shown["ReceiptHandle"] = json!(receipt::handle(&queue, id, &receipt));
        messages.push(shown);
    }
    let next_visible = db
        .prepare_cached(
            "select min(visible_at) from messages where queue_id = ?1 and visible_at > ?2",
        )?
        .query_row(params![queue.id, now], |row| row.get(0))?;
    Ok(Received { messages, moved, next_visible, wait: wait * 1000 })
}

/// Maximum number of groups that take turns; beyond it, the oldest messages come first.
const GROUPS: usize = 64;
/// A member of a request that SQS does not know: messages of these groups are left while groups take
/// turns. It leaves room for other groups where few batches are worked on at once.
const WITHOUT_GROUPS: &str = "WithoutGroups";

/// Messages to be received. As in fair queues, the group with the fewest messages in flight comes
/// first, so that the backlog of one group does not hold up the others.
fn in_turns(
    db: &Connection,
    queue: &Queue,
    most: i64,
    without: &[String],
    now: i64,
) -> Result<Vec<i64>, SqsError> {
    // Iterates groups by the index, not through their messages.
    let mut statement = db.prepare_cached(
        "with recursive groups (name) as (
             select min(group_id) from messages where queue_id = ?1
             union all
             select (select min(group_id) from messages where queue_id = ?1 and group_id > name)
             from groups where name is not null limit ?2
         )
         select name from groups where name is not null",
    )?;
    let groups = statement.query_map(params![queue.id, GROUPS], |row| row.get(0))?;
    let groups: Vec<String> = groups.collect::<Result<_, _>>()?;
    if groups.is_empty() || groups.len() >= GROUPS {
        return any(db, queue, most, now);
    }
    let mut in_flight = db.prepare_cached(
        "select count(*) from messages
         where queue_id = ?1 and group_id is ?2 and visible_at > ?3 and receipt is not null",
    )?;
    let mut visible = db.prepare_cached(
        "select visible_at, id from messages
         where queue_id = ?1 and group_id is ?2 and visible_at <= ?3
         order by visible_at, id limit ?4",
    )?;
    let mut waiting: Vec<(i64, i64, i64)> = Vec::new();
    let groups = groups.into_iter().filter(|group| !without.contains(group));
    for group in groups.map(Some).chain([None]) {
        let first: i64 = in_flight.query_row(params![queue.id, group, now], |row| row.get(0))?;
        let rows = visible
            .query_map(params![queue.id, group, now, most], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (turn, row) in (0..).zip(rows) {
            let (visible_at, id) = row?;
            waiting.push((first + turn, visible_at, id));
        }
    }
    waiting.sort_unstable();
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    Ok(waiting.into_iter().take(most).map(|(.., id)| id).collect())
}

fn any(db: &Connection, queue: &Queue, most: i64, now: i64) -> Result<Vec<i64>, SqsError> {
    let sql = "select id from messages where queue_id = ?1 and visible_at <= ?2
               order by visible_at, id limit ?3";
    let mut statement = db.prepare_cached(sql)?;
    let ids = statement.query_map(params![queue.id, now, most], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

fn deliver(
    db: &Connection,
    id: i64,
    receipt: &str,
    now: i64,
    visible_at: i64,
) -> Result<Message, SqsError> {
    let mut statement = db.prepare_cached(
        "update messages set receipt = ?1, visible_at = ?2, received = received + 1,
             first_received_at = coalesce(first_received_at, ?3)
         where id = ?4
         returning message_id, body, attributes, system_attributes, group_id,
             sent_at, received, first_received_at, source",
    )?;
    Ok(statement.query_row(params![receipt, visible_at, now, id], |row| {
        Ok(Message {
            message_id: row.get(0)?,
            body: row.get(1)?,
            attributes: row.get(2)?,
            system_attributes: row.get(3)?,
            group_id: row.get(4)?,
            sent_at: row.get(5)?,
            received: row.get(6)?,
            first_received_at: row.get(7)?,
            source: row.get(8)?,
        })
    })?)
}

fn tell(message: &Message, request: &Value) -> Result<Value, SqsError> {
    let mut shown = json!({
        "MessageId": message.message_id,
        "Body": message.body,
        "MD5OfBody": digest::of_body(&message.body),
    });
    let system = system_attributes(message, request)?;
    if !system.is_empty() {
        shown["Attributes"] = Value::Object(system);
    }
    let wanted = strings(request, "MessageAttributeNames");
    let wants = |name: &str| {
        wanted.iter().any(|pattern| {
            pattern == "All"
                || pattern == name
                || pattern.strip_suffix(".*").is_some_and(|prefix| name.starts_with(prefix))
        })
    };
    let mut attributes: Map<String, Value> = serde_json::from_str(&message.attributes)?;
    attributes.retain(|name, _| wants(name));
    if !attributes.is_empty() {
        shown["MD5OfMessageAttributes"] = json!(digest::of_attributes(&attributes));
        shown["MessageAttributes"] = Value::Object(attributes);
    }
    Ok(shown)
}

fn system_attributes(message: &Message, request: &Value) -> Result<Map<String, Value>, SqsError> {
    let mut wanted = strings(request, "MessageSystemAttributeNames");
    wanted.extend(strings(request, "AttributeNames"));
    let sent: Value = serde_json::from_str(&message.system_attributes)?;
    let all = [
        ("ApproximateFirstReceiveTimestamp", Some(message.first_received_at.to_string())),
        ("ApproximateReceiveCount", Some(message.received.to_string())),
        ("AWSTraceHeader", sent["AWSTraceHeader"]["StringValue"].as_str().map(str::to_owned)),
        ("DeadLetterQueueSourceArn", message.source.clone()),
        ("MessageGroupId", message.group_id.clone()),
        ("SenderId", Some(ACCOUNT.to_owned())),
        ("SentTimestamp", Some(message.sent_at.to_string())),
    ];
    let wants = |name: &str| wanted.iter().any(|want| want == "All" || want == name);
    let shown = all.into_iter().filter(|(name, _)| wants(name));
    Ok(shown.filter_map(|(name, value)| Some((name.to_owned(), json!(value?)))).collect())
}
