//! The record of what clients asked for.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// Bounds the memory of a long-lived process.
const KEPT: usize = 100_000;

/// Which service was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Service {
    /// Tables and items.
    DynamoDb,
    /// The change streams of tables.
    DynamoDbStreams,
    /// Queues and messages.
    Sqs,
    /// Mails.
    Ses,
}

/// One request of a client, faults included.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The service asked.
    pub service: Service,
    /// The operation, such as `PutItem`.
    pub operation: String,
    /// The table, the queue or who sends the mail; several tables are sorted and joined by commas.
    pub target: String,
    /// Consumed read and write capacity units; 0 for SQS, SES and a call that was refused.
    pub units: f64,
    /// Items, messages or mails written, asked for by key, returned by a query or received.
    pub items: usize,
    /// The code of the error answered, if it was one.
    pub error: Option<String>,
}

#[derive(Default)]
pub(crate) struct Calls(Mutex<VecDeque<Call>>);

impl Calls {
    pub(crate) fn record(&self, call: Call) {
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.len() == KEPT {
            calls.pop_front();
        }
        calls.push_back(call);
    }

    pub(crate) fn all(&self) -> Vec<Call> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    pub(crate) fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// The tables, the queue or the sender a request names.
pub(crate) fn target(request: &Value) -> String {
    let last = |name: &str, separator: char| {
        request[name].as_str().and_then(|text| text.rsplit(separator).next()).map(str::to_owned)
    };
    let named = ["TableName", "QueueName", "FromEmailAddress"];
    if let Some(name) = named.iter().find_map(|name| request[name].as_str()) {
        return name.to_owned();
    }
    if let Some(queue) = last("QueueUrl", '/').or_else(|| last("SourceArn", ':')) {
        return queue;
    }
    if let Some(arn) = request["StreamArn"].as_str() {
        return arn.split('/').nth(1).unwrap_or_default().to_owned();
    }
    let batch = request["RequestItems"].as_object().into_iter().flat_map(|items| items.keys());
    let actions = request["TransactItems"].as_array().into_iter().flatten();
    let transaction = actions
        .filter_map(|item| item.as_object()?.values().next()?["TableName"].as_str())
        .map(str::to_owned);
    let tables: BTreeSet<String> = batch.cloned().chain(transaction).collect();
    tables.into_iter().collect::<Vec<_>>().join(",")
}

/// How many items or messages a call was about.
pub(crate) fn items(operation: &str, request: &Value, reply: Option<&Value>) -> usize {
    let length = |value: &Value| value.as_array().map_or(0, Vec::len);
    let replied = |name: &str| reply.map_or(0, |reply| length(&reply[name]));
    match operation {
        "PutItem" | "GetItem" | "UpdateItem" | "DeleteItem" => 1,
        "SendMessage" | "DeleteMessage" | "ChangeMessageVisibility" | "SendEmail" => 1,
        "Query" | "Scan" => {
            let count = reply.and_then(|reply| reply["Count"].as_u64()).unwrap_or(0);
            usize::try_from(count).unwrap_or(usize::MAX)
        }
        "BatchGetItem" | "BatchWriteItem" => {
            let tables = request["RequestItems"].as_object().into_iter().flat_map(|t| t.values());
            tables.map(|table| length(table).max(length(&table["Keys"]))).sum()
        }
        "TransactWriteItems" | "TransactGetItems" => length(&request["TransactItems"]),
        "GetRecords" => replied("Records"),
        "ReceiveMessage" => replied("Messages"),
        _ => length(&request["Entries"]),
    }
}
