//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Send, Table},
    Queue, Table as Stored,
    Verb::{BatchGetItem, GetItem, PutItem, Query, UpdateItem},
};

pub const ACCESS: &[Access] = &[
    Table(Stored::Resources, &[BatchGetItem, GetItem, PutItem, Query]),
    Table(Stored::Events, &[BatchGetItem, GetItem, PutItem, Query, UpdateItem]),
    Table(Stored::Crdt, &[BatchGetItem, GetItem, Query]),
    Table(Stored::Schedule, &[BatchGetItem, GetItem, PutItem, Query]),
    Send(Queue::Deliveries),
    Access::NAMED_CALLS,
];
