use std::{error::Error as StdError, fmt};

use aws_sdk_dynamodb::error::{DisplayErrorContext, ProvideErrorMetadata, SdkError};

use crate::Item;

/// Failure of DynamoDB or SQS, as far as callers distinguish them.
#[derive(Debug)]
pub enum Failure {
    /// A condition failed; with the existing item, if any.
    Condition(Option<Item>),
    /// A transaction was canceled: one reason for each of its writes.
    Canceled(Vec<Cancellation>),
    /// Another transaction holds the item.
    Conflict,
    /// Throttled, timed out or unreachable after all retries.
    Unavailable(String),
    /// Anything else: a bug or a wrong deployment.
    Other(String),
}

/// Why one write canceled its transaction.
#[derive(Debug)]
pub enum Cancellation {
    /// No reason of its own.
    None,
    /// The condition of the write failed; with the existing item, if any.
    Condition(Option<Item>),
    /// Another transaction holds its item, or throttled: may be repeated.
    Conflict,
    /// Anything else.
    Other(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Condition(_) => f.write_str("a condition did not hold"),
            // The items are data of tenants: they stay out of the log.
            Self::Canceled(_) => f.write_str("a transaction was canceled"),
            Self::Conflict => f.write_str("another transaction holds the item"),
            Self::Unavailable(cause) | Self::Other(cause) => f.write_str(cause),
        }
    }
}

impl StdError for Failure {}

/// Classifies the errors common to all calls of DynamoDB and SQS; specific ones are checked first.
pub(crate) fn classify<E, R>(error: &SdkError<E, R>) -> Failure
where
    E: StdError + ProvideErrorMetadata + 'static,
    R: fmt::Debug,
{
    let code = error.as_service_error().and_then(ProvideErrorMetadata::code).unwrap_or_default();
    match (error, code) {
        (_, "TransactionConflictException" | "TransactionInProgressException") => Failure::Conflict,
        (
            SdkError::TimeoutError(_) | SdkError::DispatchFailure(_) | SdkError::ResponseError(_),
            _,
        )
        | (
            _,
            "ProvisionedThroughputExceededException"
            | "RequestLimitExceeded"
            | "ThrottlingException"
            | "LimitExceededException"
            | "InternalServerError"
            | "ServiceUnavailable"
            | "RequestThrottled"
            | "InternalFailure"
            | "InternalError"
            | "KmsThrottled"
            | "OverLimit",
        ) => Failure::Unavailable(describe(error)),
        _ => Failure::Other(describe(error)),
    }
}

pub(crate) fn describe<E, R>(error: &SdkError<E, R>) -> String
where
    E: StdError + ProvideErrorMetadata + 'static,
    R: fmt::Debug,
{
    match error.as_service_error() {
        Some(service) => format!(
            "{}: {}",
            service.code().unwrap_or("unknown"),
            service.message().unwrap_or("no message")
        ),
        None => match error {
            SdkError::TimeoutError(_) => "the store did not answer in time".to_owned(),
            SdkError::DispatchFailure(cause) => match cause.as_connector_error() {
                Some(cause) => format!("the store was not reached: {}", DisplayErrorContext(cause)),
                None => "the store was not reached".to_owned(),
            },
            other => format!("{other}"),
        },
    }
}
