//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Send, Table},
    Queue, Table as Stored,
    Verb::{BatchGetItem, BatchWriteItem, ConditionCheckItem, GetItem, PutItem, Query, UpdateItem},
};

pub const ACCESS: &[Access] = &[
    Table(Stored::Resources, &[BatchGetItem, ConditionCheckItem, GetItem, PutItem]),
    Table(Stored::Crdt, &[BatchGetItem, BatchWriteItem, GetItem, PutItem, Query, UpdateItem]),
    Table(Stored::Schedule, &[PutItem]),
    Send(Queue::Compaction),
    // Named calls, and users who have announced a client.
    Table(Stored::Realtime, &[BatchGetItem, PutItem, Query]),
];
