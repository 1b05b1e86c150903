//! Errors in the format of the SDKs, and parsing of requests.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use serde_json::Value;

use crate::base::Refusal;

const NAMESPACE: &str = "com.amazonaws.sqs";

#[derive(Debug)]
pub(crate) struct SqsError {
    status: u16,
    pub(super) code: &'static str,
    pub(super) message: String,
}

impl SqsError {
    pub(super) fn sender(code: &'static str, message: impl Into<String>) -> Self {
        Self { status: 400, code, message: message.into() }
    }

    pub(super) fn missing(parameter: &str) -> Self {
        let message = format!("The request must contain the parameter {parameter}.");
        Self::sender("MissingParameter", message)
    }

    pub(super) fn invalid(parameter: &str, value: impl fmt::Display, reason: &str) -> Self {
        let message =
            format!("Value {value} for parameter {parameter} is invalid. Reason: {reason}");
        Self::sender("InvalidParameterValue", message)
    }

    pub(super) fn internal(message: &str) -> Self {
        Self { status: 500, code: "InternalFailure", message: message.to_owned() }
    }

    pub(super) fn sender_fault(&self) -> bool {
        self.status < 500
    }

    pub(crate) fn into_refusal(self) -> Refusal {
        let fault = if self.sender_fault() { "Sender" } else { "Receiver" };
        let mut refusal = Refusal::new(self.status, NAMESPACE, self.code, &self.message);
        refusal.query_error = Some(format!("{};{fault}", query_code(self.code)));
        refusal
    }
}

impl fmt::Display for SqsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl From<rusqlite::Error> for SqsError {
    fn from(error: rusqlite::Error) -> Self {
        Self::internal(&error.to_string())
    }
}

impl From<serde_json::Error> for SqsError {
    fn from(error: serde_json::Error) -> Self {
        Self::internal(&error.to_string())
    }
}

/// The code of an error in the previous protocol, which SDKs still use.
fn query_code(code: &str) -> String {
    match code {
        "QueueDoesNotExist" => "AWS.SimpleQueueService.NonExistentQueue".to_owned(),
        "QueueNameExists" => "QueueAlreadyExists".to_owned(),
        "BatchEntryIdsNotDistinct"
        | "BatchRequestTooLong"
        | "EmptyBatchRequest"
        | "InvalidBatchEntryId"
        | "MessageNotInflight"
        | "TooManyEntriesInBatchRequest"
        | "UnsupportedOperation" => format!("AWS.SimpleQueueService.{code}"),
        same => same.to_owned(),
    }
}

pub(crate) fn throttled() -> Refusal {
    SqsError::sender("RequestThrottled", "The request was denied due to request throttling.")
        .into_refusal()
}

pub(crate) fn internal_failure() -> Refusal {
    SqsError::internal("The request processing has failed because of an internal error.")
        .into_refusal()
}

pub(super) fn text<'a>(request: &'a Value, parameter: &str) -> Option<&'a str> {
    request[parameter].as_str()
}

pub(super) fn required<'a>(request: &'a Value, parameter: &str) -> Result<&'a str, SqsError> {
    text(request, parameter)
        .filter(|text| !text.is_empty())
        .ok_or_else(|| SqsError::missing(parameter))
}

/// An integer within its limits, if the request has one.
pub(super) fn integer(
    request: &Value,
    parameter: &str,
    limits: RangeInclusive<i64>,
) -> Result<Option<i64>, SqsError> {
    let value = &request[parameter];
    if value.is_null() {
        return Ok(None);
    }
    value.as_i64().filter(|number| limits.contains(number)).map(Some).ok_or_else(|| {
        let reason = format!("Must be between {} and {}.", limits.start(), limits.end());
        SqsError::invalid(parameter, value, &reason)
    })
}

pub(super) fn strings(request: &Value, parameter: &str) -> Vec<String> {
    let list = request[parameter].as_array().into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

pub(super) fn string_map(
    request: &Value,
    parameter: &str,
) -> Result<BTreeMap<String, String>, SqsError> {
    let map = request[parameter].as_object().into_iter().flatten();
    map.map(|(name, value)| match value.as_str() {
        Some(value) => Ok((name.clone(), value.to_owned())),
        None => Err(SqsError::invalid(name, value, "Must be a string.")),
    })
    .collect()
}
