//! Batch replies: one entry per item, keyed by its id; an item's failure is not the call's
//! (contract `conventions.batches`).

use std::{borrow::Cow, collections::BTreeMap, future::Future};

use error::{Error, Result, Status};
use futures_util::{StreamExt, stream};
use schemars::JsonSchema;
use serde::Serialize;

/// One entry per item, keyed by the item id, in a defined order.
pub type Items<K, E> = BTreeMap<K, E>;

/// Result of one item of a batch, with a message for people.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ItemOutcome")]
pub struct Outcome {
    /// Whether the item was processed.
    #[schemars(description = "")]
    pub success: bool,
    /// Outcome, as text for people.
    #[schemars(description = "")]
    pub message: Cow<'static, str>,
}

/// Error code of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "ItemErrorCode")]
pub enum Code {
    /// A resource of the item does not exist; not safe to retry.
    NotFound,
    /// The resource exists already.
    AlreadyExists,
    /// The state does not allow the item.
    InvalidArgument,
    /// A limit is reached.
    ResourceExhausted,
    /// A failure of the server; safe to retry.
    Internal,
}

/// An [`Outcome`] with an error code, for operations whose entries carry `code`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "CodedItemOutcome")]
pub struct Reported {
    #[serde(flatten)]
    outcome: Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<Code>,
}

/// The entry of an item from its result; faults of the service are logged here, as `call` logs
/// them.
pub fn outcome<T>(result: &Result<T>, done: &'static str) -> Outcome {
    match result {
        Ok(_) => Outcome { success: true, message: done.into() },
        Err(error) => {
            if error.is_ours() {
                tracing::error!(error = ?error, "An item of a batch failed.");
            }
            Outcome { success: false, message: error.message.clone() }
        }
    }
}

impl Reported {
    /// The entry of an item from its result.
    pub fn new<T>(result: &Result<T>, done: &'static str) -> Self {
        let code = result.as_ref().err().map(|error| match error.status {
            Status::NotFound => Code::NotFound,
            Status::AlreadyExists => Code::AlreadyExists,
            Status::InvalidArgument | Status::FailedPrecondition => Code::InvalidArgument,
            Status::ResourceExhausted => Code::ResourceExhausted,
            _ => Code::Internal,
        });
        Self { outcome: outcome(result, done), code }
    }
}

/// Runs `work` on every item, sixteen at a time.
pub async fn each<I, T, F>(items: impl IntoIterator<Item = I>, work: impl Fn(I) -> F) -> Vec<T>
where
    F: Future<Output = T>,
{
    const AT_ONCE: usize = 16;
    let jobs: Vec<F> = items.into_iter().map(work).collect();
    stream::iter(jobs).buffered(AT_ONCE).collect().await
}

impl From<Error> for Outcome {
    fn from(error: Error) -> Self {
        outcome(&Err::<(), _>(error), "")
    }
}
