//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Send, Table},
    Queue, Table as Stored,
    Verb::{
        BatchGetItem, BatchWriteItem, ConditionCheckItem, DeleteItem, GetItem, PartiQLUpdate,
        PutItem, Query, UpdateItem,
    },
};

pub const ACCESS: &[Access] = &[
    Table(
        Stored::Resources,
        &[
            BatchGetItem,
            BatchWriteItem,
            ConditionCheckItem,
            DeleteItem,
            GetItem,
            PartiQLUpdate,
            PutItem,
            Query,
            UpdateItem,
        ],
    ),
    Access::RESOURCES,
    Access::BY_ACTOR,
    Access::BY_KIND,
    Table(Stored::Realtime, &[DeleteItem, PutItem, Query]),
    Table(Stored::Crdt, &[Query, UpdateItem]),
    Table(
        Stored::Schedule,
        &[BatchGetItem, BatchWriteItem, DeleteItem, GetItem, Query, UpdateItem],
    ),
    Table(Stored::Events, &[PutItem, Query, UpdateItem]),
    Send(Queue::Erasure),
];
