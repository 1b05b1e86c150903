//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Table},
    Table as Stored,
    Verb::{
        BatchGetItem, BatchWriteItem, DeleteItem, GetItem, PartiQLInsert, PartiQLUpdate, PutItem,
        Query, UpdateItem,
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
    // Marks of anchors.
    Table(Stored::Crdt, &[BatchGetItem, GetItem, PutItem, Query, UpdateItem]),
    Access::RESOURCES,
    Access::BY_KIND,
    Access::BY_TARGET,
    Access::NAMED_CALLS,
];
