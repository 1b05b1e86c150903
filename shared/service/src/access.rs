//! Rights of a family, from which its role is derived.

use queue::Queue;
use store::Table;

/// A verb of DynamoDB that a family may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names of IAM actions")]
pub enum Verb {
    BatchGetItem,
    BatchWriteItem,
    ConditionCheckItem,
    DeleteItem,
    GetItem,
    PartiQLInsert,
    PartiQLUpdate,
    PutItem,
    Query,
    Scan,
    UpdateItem,
}

impl Verb {
    /// Every verb.
    pub const ALL: [Self; 11] = [
        Self::BatchGetItem,
        Self::BatchWriteItem,
        Self::ConditionCheckItem,
        Self::DeleteItem,
        Self::GetItem,
        Self::PartiQLInsert,
        Self::PartiQLUpdate,
        Self::PutItem,
        Self::Query,
        Self::Scan,
        Self::UpdateItem,
    ];

    /// The IAM action.
    pub fn action(self) -> String {
        format!("dynamodb:{self:?}")
    }
}

/// A right of a family. Its role has these, and what its triggers need: the verbs of its handlers in
/// the store, those of each step of a transaction, and `GetItem` for the admission of every call and
/// job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Verbs on a table.
    Table(Table, &'static [Verb]),
    /// Queries of an index.
    Index(Table, &'static str),
    /// Sending to a queue.
    Send(Queue),
    /// Sending mails.
    SendMail,
    /// Posting to connections of the live channel, and closing them.
    Post,
    /// Reading the admin token; only for the family `operator` (decision 76).
    AdminToken,
}

impl Access {
    /// The index of callers' data by container.
    pub const RESOURCES: Self = Self::Index(Table::Resources, "GSI1");
    /// The index of callers' data by kind and time.
    pub const BY_KIND: Self = Self::Index(Table::Resources, "GSI2");
    /// The index of callers' data by creator, also used for other lists.
    pub const BY_ACTOR: Self = Self::Index(Table::Resources, "GSI3");
    /// The index of callers' data by target.
    pub const BY_TARGET: Self = Self::Index(Table::Resources, "GSI4");
    /// The index of pending work by due time.
    pub const DUE: Self = Self::Index(Table::Schedule, "due");
    /// The index of pending work by tenant and due time, for testing keys.
    pub const DUE_OF_TENANT: Self = Self::Index(Table::Schedule, "clock");
    /// Stored replies of calls with an `Idempotency-Key`.
    pub const NAMED_CALLS: Self = Self::Table(Table::Realtime, &[Verb::PutItem]);
}
