//! Conditional writes of a batch in PartiQL: independent of each other, at the price of single
//! writes.

use std::fmt::Write as _;

use aws_sdk_dynamodb::types::{
    BatchStatementError, BatchStatementErrorCodeEnum as Code, BatchStatementRequest,
};

use crate::{Item, Value, dynamo::write::OLD, failure::Failure};

/// One conditional write of a batch. The items of one batch are distinct.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Adds an item with a free key. Otherwise it fails with [`Failure::Condition`] without the
    /// item.
    Insert {
        /// The item.
        item: Item,
        /// Names of its partition and sort key.
        key: [&'static str; 2],
    },
    /// Replaces an item if an attribute has a value.
    Replace {
        /// The item.
        item: Item,
        /// Names of its partition and sort key.
        key: [&'static str; 2],
        /// Attributes of the stored item that the new one does not have.
        removed: Vec<String>,
        /// The attribute and its value.
        unless_changed: (&'static str, String),
    },
}

/// A statement with its parameters.
pub(crate) fn request(statement: Statement, table: &str) -> BatchStatementRequest {
    let mut values = Vec::new();
    let text = match statement {
        Statement::Insert { item, .. } => {
            let mut text = format!("INSERT INTO \"{table}\" VALUE {{");
            for (n, (name, value)) in item.into_iter().enumerate() {
                let comma = if n == 0 { "" } else { ", " };
                let _ = write!(text, "{comma}'{name}': ?");
                values.push(value);
            }
            text.push('}');
            text
        }
        Statement::Replace { mut item, key, removed, unless_changed } => {
            let keys = key.map(|name| (name, item.remove(name)));
            let mut text = format!("UPDATE \"{table}\"");
            for (name, value) in item {
                let _ = write!(text, " SET \"{name}\" = ?");
                values.push(value);
            }
            for name in removed {
                let _ = write!(text, " REMOVE \"{name}\"");
            }
            let mut word = "WHERE";
            let (name, value) = unless_changed;
            let seen = (name, Some(Value::S(value)));
            for (name, value) in keys.into_iter().chain([seen]) {
                let _ = write!(text, " {word} \"{name}\" = ?");
                values.extend(value);
                word = "AND";
            }
            text
        }
    };
    let request = BatchStatementRequest::builder()
        .statement(text)
        .set_parameters(Some(values))
        .return_values_on_condition_check_failure(OLD);
    request.build().expect("the statement is set")
}

/// Reason for a failed statement of a batch.
pub(crate) fn failure(error: &BatchStatementError) -> Failure {
    let describe = || {
        let code = error.code().map_or("unknown", Code::as_str);
        format!("{code}: {}", error.message().unwrap_or("no message"))
    };
    match error.code() {
        Some(Code::ConditionalCheckFailed) => Failure::Condition(error.item().cloned()),
        Some(Code::DuplicateItem) => Failure::Condition(None),
        Some(Code::TransactionConflict) => Failure::Conflict,
        Some(
            Code::ProvisionedThroughputExceeded
            | Code::RequestLimitExceeded
            | Code::ThrottlingError
            | Code::InternalServerError,
        ) => Failure::Unavailable(describe()),
        _ => Failure::Other(describe()),
    }
}
