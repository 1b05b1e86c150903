//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Send, Table},
    Queue, Table as Stored,
    Verb::{BatchWriteItem, GetItem, PutItem, UpdateItem},
};

pub const ACCESS: &[Access] = &[
    Table(Stored::Resources, &[GetItem, PutItem]),
    Table(Stored::Schedule, &[BatchWriteItem, UpdateItem]),
    Access::DUE,
    Send(Queue::Cleanup),
    Send(Queue::Compaction),
    Send(Queue::Deliveries),
    Send(Queue::Emails),
    Send(Queue::Notifications),
    Access::NAMED_CALLS,
];
