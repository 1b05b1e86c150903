//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Send, Table},
    Queue, Table as Stored,
    Verb::{BatchGetItem, DeleteItem, GetItem, PartiQLUpdate, PutItem, Query, UpdateItem},
};

pub const ACCESS: &[Access] = &[
    Table(
        Stored::Resources,
        &[BatchGetItem, DeleteItem, GetItem, PartiQLUpdate, PutItem, Query, UpdateItem],
    ),
    Access::RESOURCES,
    Access::BY_KIND,
    Access::BY_TARGET,
    Table(Stored::Realtime, &[DeleteItem, Query]),
    Table(Stored::Crdt, &[BatchGetItem, DeleteItem, GetItem, PutItem, Query]),
    Table(Stored::Schedule, &[PutItem]),
    Send(Queue::Cleanup),
];
