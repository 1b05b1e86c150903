//! The tables and queues of a deployment. `template.yaml` says the same for the cloud; a test
//! compares the two.

use std::collections::BTreeMap;

use emulator::{Emulator, Error};
use queue::{MAX_RECEIVES, Queue};
use serde_json::{Value, json};
use service::Table;

/// What the names of the local tables and queues start with.
pub const PREFIX: &str = "roundtable-";

/// Seconds a received message stays invisible: six times the timeout of a worker.
const VISIBILITY_TIMEOUT: u32 = 360;
/// Seconds a message is kept; dead letters longer, for they count from when they were sent.
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

/// The index of a table: name, partition key, sort key.
const fn index(table: Table) -> Option<[&'static str; 3]> {
    match table {
        Table::Resources => Some(["GSI1", "GSI1PK", "GSI1SK"]),
        Table::Schedule => Some(["due", "dueShard", "dueAt"]),
        Table::Events => None,
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
    if let Some([name, partition, sort]) = index(table) {
        request["AttributeDefinitions"] =
            json!([text("PK"), text("SK"), text(partition), text(sort)]);
        request["GlobalSecondaryIndexes"] = json!([{
            "IndexName": name,
            "KeySchema": schema(partition, sort),
            "Projection": { "ProjectionType": "ALL" },
        }]);
    }
    if table == Table::Events {
        request["StreamSpecification"] =
            json!({ "StreamEnabled": true, "StreamViewType": "NEW_IMAGE" });
    }
    request
}

/// Creates what is missing.
pub(crate) fn create(emulator: &Emulator) -> Result<(), Error> {
    for each in Table::ALL {
        emulator.create_table(table(each))?;
        emulator.enable_time_to_live(&table_name(each), "expires")?;
    }
    let attributes = |pairs: &[(&str, String)]| -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    };
    for queue in Queue::ALL {
        let dead = format!("{PREFIX}{}", queue.dead_letters());
        let retention = |seconds: u32| ("MessageRetentionPeriod", seconds.to_string());
        emulator.create_queue(&dead, &attributes(&[retention(DEAD_LETTER_RETENTION)]))?;
        let redrive = json!({
            "deadLetterTargetArn": Emulator::queue_arn(&dead),
            "maxReceiveCount": MAX_RECEIVES,
        });
        let own = [
            retention(RETENTION),
            ("VisibilityTimeout", VISIBILITY_TIMEOUT.to_string()),
            ("RedrivePolicy", redrive.to_string()),
        ];
        emulator.create_queue(&queue_name(queue), &attributes(&own))?;
    }
    Ok(())
}
