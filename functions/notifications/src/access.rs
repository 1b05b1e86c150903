//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Send, Table},
    Queue, Table as Stored,
    Verb::{
        BatchGetItem, BatchWriteItem, DeleteItem, GetItem, PartiQLInsert, PartiQLUpdate, PutItem,
        Query,
    },
};

pub const ACCESS: &[Access] = &[
    Table(
        Stored::Resources,
        &[
            BatchGetItem,
            BatchWriteItem,
            DeleteItem,
            GetItem,
            PartiQLInsert,
            PartiQLUpdate,
            PutItem,
            Query,
        ],
    ),
    Access::RESOURCES,
    Access::BY_KIND,
    Access::BY_ACTOR,
    Access::BY_TARGET,
    Table(Stored::Events, &[GetItem, Query]),
    Table(Stored::Schedule, &[BatchGetItem, DeleteItem, GetItem, PutItem]),
    Send(Queue::Emails),
    Send(Queue::Live),
    Send(Queue::Notifications),
    // Whether users are connected, and stored replies of calls with an
    // `Idempotency-Key`.
    Table(Stored::Realtime, &[GetItem, PutItem]),
];
