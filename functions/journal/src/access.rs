//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Send, Table},
    Queue, Table as Stored,
    Verb::{BatchGetItem, BatchWriteItem, GetItem, PutItem, Query, UpdateItem},
};

pub const ACCESS: &[Access] = &[
    Table(Stored::Resources, &[BatchGetItem, GetItem, Query]),
    // Counters, and entries.
    Table(Stored::Events, &[BatchGetItem, PutItem, UpdateItem]),
    Table(Stored::Schedule, &[BatchWriteItem, GetItem, PutItem, UpdateItem]),
    Access::DUE_OF_TENANT,
    Send(Queue::JournalRetry),
    Send(Queue::Cleanup),
    Send(Queue::Compaction),
    Send(Queue::Erasure),
    Send(Queue::Deliveries),
    Send(Queue::Notifications),
    Send(Queue::Emails),
    Send(Queue::Live),
];
