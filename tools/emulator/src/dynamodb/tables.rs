//! What tests and the local stack ask for directly.

use std::cmp::Ordering;

use dynoxide::DynoxideError;
use serde_json::{Value, json};

use super::Store;
use crate::error::Error;
use crate::{ACCOUNT, REGION};

/// One change of an item.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamRecord {
    /// Where it stands in the stream, to continue after it.
    pub sequence: String,
    /// The record as an event of the stream gives it to a Lambda function.
    pub record: Value,
}

impl Store {
    pub(crate) fn create_table(&self, request: Value) -> Result<(), Error> {
        match self.run("CreateTable", request) {
            Ok(_) | Err(DynoxideError::ResourceInUseException(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn enable_time_to_live(&self, table: &str, attribute: &str) -> Result<(), Error> {
        let specification = json!({ "AttributeName": attribute, "Enabled": true });
        let request = json!({ "TableName": table, "TimeToLiveSpecification": specification });
        self.run("UpdateTimeToLive", request)?;
        Ok(())
    }

    pub(crate) fn stream(
        &self,
        table: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<StreamRecord>, Error> {
        let description = self.describe(table)?;
        let arn = description["LatestStreamArn"]
            .as_str()
            .ok_or_else(|| Error::Shape(format!("table {table} has no stream")))?;
        let mut request = json!({
            "StreamArn": arn,
            "ShardId": dynoxide::streams::shard_id(table),
            "ShardIteratorType": "TRIM_HORIZON",
        });
        if let Some(sequence) = after {
            request["ShardIteratorType"] = json!("AFTER_SEQUENCE_NUMBER");
            request["SequenceNumber"] = json!(sequence);
        }
        let iterator = self.run("GetShardIterator", request)?["ShardIterator"].take();
        let request = json!({ "ShardIterator": iterator, "Limit": limit });
        let mut reply = self.run("GetRecords", request)?;
        let Value::Array(records) = reply["Records"].take() else { return Ok(Vec::new()) };
        let label = arn.rsplit('/').next().unwrap_or_default();
        let source = format!("arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{table}/stream/{label}");
        Ok(records.into_iter().map(|record| event(record, &source)).collect())
    }

    pub(crate) fn dump(&self, table: &str) -> Result<Vec<Value>, Error> {
        let description = self.describe(table)?;
        let schema = description["KeySchema"].as_array().cloned().unwrap_or_default();
        let mut items = Vec::new();
        let mut start = Value::Null;
        loop {
            let mut request = json!({ "TableName": table, "ConsistentRead": true });
            if !start.is_null() {
                request["ExclusiveStartKey"] = start;
            }
            let mut page = self.run("Scan", request)?;
            if let Value::Array(page) = page["Items"].take() {
                items.extend(page);
            }
            start = page["LastEvaluatedKey"].take();
            if start.is_null() {
                break;
            }
        }
        let names: Vec<&str> =
            schema.iter().filter_map(|key| key["AttributeName"].as_str()).collect();
        items.sort_by(|a, b| {
            let order = names.iter().map(|name| compare(&a[*name], &b[*name]));
            order.fold(Ordering::Equal, Ordering::then)
        });
        Ok(items)
    }

    fn describe(&self, table: &str) -> Result<Value, Error> {
        Ok(self.run("DescribeTable", json!({ "TableName": table }))?["Table"].take())
    }
}

fn event(mut record: Value, source: &str) -> StreamRecord {
    record["awsRegion"] = json!(REGION);
    record["eventSourceARN"] = json!(source);
    let sequence = record["dynamodb"]["SequenceNumber"].as_str().unwrap_or_default().to_owned();
    StreamRecord { sequence, record }
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

fn compare(a: &Value, b: &Value) -> Ordering {
    let number = |value: &Value| value["N"].as_str().and_then(|n| n.parse::<f64>().ok());
    if let (Some(a), Some(b)) = (number(a), number(b)) {
        return a.total_cmp(&b);
    }
    let text =
        |value: &Value| value["S"].as_str().or(value["B"].as_str()).unwrap_or_default().to_owned();
    text(a).cmp(&text(b))
}
