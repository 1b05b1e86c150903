//! The tables and queues of a deployment. `template.yaml` defines the same for the cloud; a test
//! compares the two.

use std::collections::{BTreeMap, BTreeSet};

use embedded::{EmbeddedServices, Error};
use queue::{MAX_RECEIVES, Queue};
use serde_json::{Value, json};
use service::{Index, Table};

/// The domain of the sender of mails.
pub(crate) const MAIL_IDENTITY: &str = "localhost.localdomain";
/// The sender of mails, and the configuration set that reports their outcomes.
pub(crate) const MAIL_FROM: &str = "roundtable@localhost.localdomain";
pub(crate) const MAIL_CONFIGURATION_SET: &str = "roundtable-mail";

/// Prefix of the names of local tables and queues.
pub const PREFIX: &str = "roundtable-";

/// Visibility timeout in seconds: six times the timeout of a worker.
const VISIBILITY_TIMEOUT: u32 = 360;
/// Retention of messages in seconds; longer for dead letters, because it counts from the original
/// send.
const RETENTION: u32 = 345_600;
const DEAD_LETTER_RETENTION: u32 = 1_209_600;

/// The full name of a table.
pub fn table_name(table: Table) -> String {
    format!("{PREFIX}{}", table.name())
}

/// The full name of a queue.
pub fn queue_name(queue: Queue) -> String {
    format!("{PREFIX}{}", queue.name())
}

/// The full name of the queue for the dead letters of a queue.
pub fn dead_letters_name(queue: Queue) -> String {
    format!("{PREFIX}{}", queue.dead_letters())
}

/// The indexes of a table, each with name, partition key and sort key.
fn indexes(table: Table) -> Vec<[&'static str; 3]> {
    match table {
        Table::Resources => Index::ALL.map(Index::names).into(),
        Table::Schedule => vec![["due", "dueShard", "hintAt"], ["clock", "clockKey", "dueAt"]],
        Table::Events | Table::Realtime | Table::Crdt => vec![],
    }
}

/// The projection of an index. Indexes of resources are written more often than read, so they
/// project keys only.
fn projection(table: Table) -> Value {
    match table {
        Table::Resources => json!({ "ProjectionType": "KEYS_ONLY" }),
        // The attributes needed to wake a row, however large the row is.
        Table::Schedule => json!({
            "ProjectionType": "INCLUDE",
            "NonKeyAttributes": ["queue", "wake", "group", "due", "hintedAt", "hints", "stays"],
        }),
        _ => json!({ "ProjectionType": "ALL" }),
    }
}

fn table(table: Table) -> Value {
    let schema = |partition: &str, sort: &str| {
        json!([
            { "AttributeName": partition, "KeyType": "HASH" },
            { "AttributeName": sort, "KeyType": "RANGE" },
        ])
    };
    let text = |name: &str| json!({ "AttributeName": name, "AttributeType": "S" });
    let mut request = json!({
        "TableName": table_name(table),
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": schema("PK", "SK"),
        "AttributeDefinitions": [text("PK"), text("SK")],
    });
    let indexes = indexes(table);
    if !indexes.is_empty() {
        let keys = indexes.iter().flat_map(|[_, partition, sort]| [*partition, *sort]);
        let names: BTreeSet<&str> = ["PK", "SK"].into_iter().chain(keys).collect();
        let attributes: Vec<Value> = names.into_iter().map(text).collect();
        request["AttributeDefinitions"] = attributes.into();
        let index = |[name, partition, sort]: &[&str; 3]| {
            json!({
                "IndexName": name,
                "KeySchema": schema(partition, sort),
                "Projection": projection(table),
            })
        };
        request["GlobalSecondaryIndexes"] = indexes.iter().map(index).collect();
    }
    if matches!(table, Table::Resources | Table::Crdt | Table::Realtime) {
        request["StreamSpecification"] =
            json!({ "StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES" });
    }
    request
}

/// Creates missing tables and queues.
pub(crate) fn create(embedded: &EmbeddedServices) -> Result<(), Error> {
    for each in Table::ALL {
        embedded.create_table(table(each))?;
        embedded.enable_time_to_live(&table_name(each), "expires")?;
    }
    let attributes = |pairs: &[(&str, String)]| -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    };
    for queue in Queue::ALL {
        let dead = dead_letters_name(queue);
        let retention = |seconds: u32| ("MessageRetentionPeriod", seconds.to_string());
        embedded.create_queue(&dead, &attributes(&[retention(DEAD_LETTER_RETENTION)]))?;
        let redrive = json!({
            "deadLetterTargetArn": EmbeddedServices::queue_arn(&dead),
            "maxReceiveCount": MAX_RECEIVES,
        });
        let own = [
            retention(RETENTION),
            ("VisibilityTimeout", VISIBILITY_TIMEOUT.to_string()),
            ("RedrivePolicy", redrive.to_string()),
        ];
        embedded.create_queue(&queue_name(queue), &attributes(&own))?;
    }
    Ok(())
}
