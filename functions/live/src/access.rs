//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Post, Send, Table},
    Queue, Table as Stored,
    Verb::{
        BatchGetItem, BatchWriteItem, ConditionCheckItem, DeleteItem, GetItem, PutItem, Query,
        UpdateItem,
    },
};

pub const ACCESS: &[Access] = &[
    Table(Stored::Resources, &[BatchGetItem, ConditionCheckItem, GetItem, PutItem, Query]),
    // Notifications to everybody, of which unread ones are counted.
    Access::BY_TARGET,
    // The last number of a document, and the end of its subscriptions.
    Table(Stored::Events, &[GetItem, UpdateItem]),
    Table(
        Stored::Realtime,
        &[BatchGetItem, BatchWriteItem, DeleteItem, GetItem, PutItem, Query, UpdateItem],
    ),
    Table(Stored::Crdt, &[BatchGetItem, BatchWriteItem, GetItem, PutItem, Query, UpdateItem]),
    Send(Queue::Live),
    Post,
];
