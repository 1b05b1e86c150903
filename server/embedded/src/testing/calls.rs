//! The log of requests.

use std::collections::{BTreeSet, VecDeque};

use parking_lot::Mutex;
use serde_json::Value;

use crate::connections;

/// Number of calls that are kept: a long-lived process has a bound.
pub const MAX_CALLS: usize = 100_000;

/// Service of a request.
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
    /// Connected clients.
    ExecuteApi,
}

/// One request of a client, including faults.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The service asked.
    pub service: Service,
    /// The operation, such as `PutItem`.
    pub operation: String,
    /// The table, queue, sender or connection; several tables are sorted and joined by commas.
    pub target: String,
    /// Consumed read and write capacity units; 0 for other services and refused calls.
    pub units: f64,
    /// Number of items, messages or mails; for a message to a client, the billed messages.
    pub items: usize,
    /// The error code of the reply, if any.
    pub error: Option<String>,
}

/// The latest calls; none are kept if nobody will ask for them.
pub(crate) struct Calls {
    calls: Mutex<VecDeque<Call>>,
    remembers: bool,
}

impl Calls {
    pub(crate) fn new(remembers: bool) -> Self {
        Self { calls: Mutex::default(), remembers }
    }

    pub(crate) fn record(&self, call: Call) {
        self.record_all([call]);
    }

    pub(crate) fn record_all(&self, all: impl IntoIterator<Item = Call>) {
        if !self.remembers {
            return;
        }
        let mut calls = self.calls.lock();
        for call in all {
            if calls.len() == MAX_CALLS {
                calls.pop_front();
            }
            calls.push_back(call);
        }
    }

    pub(crate) fn all(&self) -> Vec<Call> {
        self.calls.lock().iter().cloned().collect()
    }

    pub(crate) fn take(&self) -> Vec<Call> {
        std::mem::take(&mut *self.calls.lock()).into()
    }
}

/// The tables, the queue or the sender a request names.
pub(crate) fn target(request: &Value) -> String {
    let last = |name: &str, separator: char| {
        request[name].as_str().and_then(|text| text.rsplit(separator).next()).map(str::to_owned)
    };
    let named = ["TableName", "QueueName", "FromEmailAddress", "ConnectionId"];
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
    let statements = ["Statements", "TransactStatements"].map(|list| request[list].as_array());
    let statements = statements.into_iter().flatten().flatten().chain([request]);
    let statements = statements.filter_map(|statement| table_of(statement["Statement"].as_str()?));
    let tables: BTreeSet<String> = batch.cloned().chain(transaction).chain(statements).collect();
    tables.into_iter().collect::<Vec<_>>().join(",")
}

/// The table of a statement: the first quoted name.
pub(crate) fn table_of(statement: &str) -> Option<String> {
    statement.split('"').nth(1).map(str::to_owned)
}

/// The number of items or messages of a call, from the request or the reply.
pub(crate) enum Items {
    Known(usize),
    /// The length of this member of the reply.
    Replied(&'static str),
    /// The member `Count` of the reply.
    Counted,
}

impl Items {
    pub(crate) fn in_call(operation: &str, request: &Value) -> Self {
        let length = |value: &Value| value.as_array().map_or(0, Vec::len);
        Self::Known(match operation {
            "PutItem" | "GetItem" | "UpdateItem" | "DeleteItem" | "ExecuteStatement" => 1,
            "PostToConnection" => {
                connections::metered(request["Data"].as_str().unwrap_or_default())
            }
            "DeleteConnection" | "GetConnection" => 1,
            "SendMessage" | "DeleteMessage" | "ChangeMessageVisibility" | "SendEmail" => 1,
            "Query" | "Scan" => return Self::Counted,
            "BatchGetItem" | "BatchWriteItem" => {
                let tables = request["RequestItems"].as_object().into_iter();
                let tables = tables.flat_map(|tables| tables.values());
                tables.map(|table| length(table).max(length(&table["Keys"]))).sum()
            }
            "TransactWriteItems" | "TransactGetItems" => length(&request["TransactItems"]),
            "BatchExecuteStatement" => length(&request["Statements"]),
            "ExecuteTransaction" => length(&request["TransactStatements"]),
            "GetRecords" => return Self::Replied("Records"),
            "ReceiveMessage" => return Self::Replied("Messages"),
            _ => length(&request["Entries"]),
        })
    }

    pub(crate) fn count(self, reply: Option<&Value>) -> usize {
        let Some(reply) = reply else {
            return if let Self::Known(items) = self { items } else { 0 };
        };
        match self {
            Self::Known(items) => items,
            Self::Replied(member) => reply[member].as_array().map_or(0, Vec::len),
            Self::Counted => {
                usize::try_from(reply["Count"].as_u64().unwrap_or(0)).unwrap_or(usize::MAX)
            }
        }
    }
}
