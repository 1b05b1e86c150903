//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Table},
    Table as Stored,
    Verb::{BatchGetItem, BatchWriteItem, GetItem, PutItem, Query},
};

pub const ACCESS: &[Access] = &[
    Table(Stored::Resources, &[BatchGetItem, GetItem, PutItem]),
    Table(Stored::Realtime, &[BatchWriteItem, GetItem, PutItem, Query]),
];
