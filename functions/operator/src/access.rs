//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, AdminToken, Send, Table},
    Queue, Table as Stored,
    Verb::{BatchGetItem, GetItem, PutItem, Query, Scan, UpdateItem},
};

pub const ACCESS: &[Access] = &[
    // Resealing all secrets is a scan, as are the searches for lost events and for what deletions
    // left. The latter reads the containers of a page in batches.
    Table(Stored::Resources, &[BatchGetItem, GetItem, PutItem, Query, Scan]),
    // Counters and entries of lost events.
    Table(Stored::Events, &[BatchGetItem, PutItem, UpdateItem]),
    Send(Queue::JournalRetry),
    Access::NAMED_CALLS,
    AdminToken,
];
