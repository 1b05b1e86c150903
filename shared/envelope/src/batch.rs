//! Batch replies: one entry per item, keyed by its id; an item's failure is not the call's
//! (contract `conventions.batches`).

use std::{borrow::Cow, collections::BTreeMap, future::Future};

use error::{Error, Result, Status};
use futures_util::{StreamExt, stream};
use model::{
    AnnotationId, DocumentId, EditorId, FolderId, GroupId, NotificationId, OrganizationId, UserId,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
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

/// An id that entries of replies repeat.
pub trait EntryId: Clone + Ord + Serialize + JsonSchema {
    /// The name of the schema of such an entry.
    const ENTRY: &'static str;
    /// The members of the entry besides the id.
    type Said: Said<Self>;
}

macro_rules! entry_ids {
    ($($id:ty: $entry:literal, $said:ty;)+) => {$(
        impl EntryId for $id {
            const ENTRY: &'static str = $entry;
            type Said = $said;
        }
    )+};
}

entry_ids! {
    AnnotationId: "CommentAnnotationResult", Outcome;
    // The number of a comment in its thread.
    u64: "CommentResult", Outcome;
    DocumentId: "DocumentResult", Reported;
    EditorId: "EditorResult", Outcome;
    FolderId: "FolderResult", Reported;
    GroupId: "UserGroupResult", Outcome;
    NotificationId: "NotificationResult", Outcome;
    OrganizationId: "OrganizationResult", Reported;
    UserId: "UserResult", Outcome;
}

/// The entry of an item that repeats its id.
#[derive(Clone, Debug, Serialize)]
pub struct Entry<Id: EntryId> {
    id: Id,
    #[serde(flatten)]
    said: Id::Said,
}

/// An [`Entry`] per item.
pub type Entries<Id> = Items<Id, Entry<Id>>;

impl<Id: EntryId> Entry<Id> {
    /// The entry of an item from its result.
    pub fn new<T>(id: Id, result: &Result<T>, done: &'static str) -> Self {
        let said = Id::Said::of(&id, result, done);
        Self { id, said }
    }
}

impl<Id: EntryId> JsonSchema for Entry<Id> {
    fn schema_name() -> Cow<'static, str> {
        Id::ENTRY.into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        #[derive(JsonSchema)]
        #[expect(dead_code, reason = "for its schema")]
        struct Entry<Id, Said> {
            id: Id,
            #[serde(flatten)]
            said: Said,
        }
        Entry::<Id, Id::Said>::json_schema(generator)
    }
}

/// The content of a reply about an item.
pub trait Said<Id>: Serialize + JsonSchema {
    /// The item's id, its result, and the message of its success.
    fn of<T>(id: &Id, result: &Result<T>, done: &'static str) -> Self;
}

impl<Id> Said<Id> for Outcome {
    fn of<T>(_: &Id, result: &Result<T>, done: &'static str) -> Self {
        outcome(result, done)
    }
}

impl<Id> Said<Id> for Reported {
    fn of<T>(_: &Id, result: &Result<T>, done: &'static str) -> Self {
        Self::new(result, done)
    }
}

impl<Id: EntryId> Said<Id> for Entry<Id> {
    fn of<T>(id: &Id, result: &Result<T>, done: &'static str) -> Self {
        Self::new(id.clone(), result, done)
    }
}

/// The reply about each item, from its result; `done` is the message of a success.
pub fn entries<Id: Ord, E: Said<Id>, T>(
    results: impl IntoIterator<Item = (Id, Result<T>)>,
    done: &'static str,
) -> Items<Id, E> {
    let entry = |(id, result)| {
        let said = E::of(&id, &result, done);
        (id, said)
    };
    results.into_iter().map(entry).collect()
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
