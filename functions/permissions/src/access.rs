//! The rights of the functions of this family.

use service::{
    Access::{self, Table},
    Table as Stored,
    Verb::{BatchGetItem, BatchWriteItem, GetItem, PartiQLInsert, PartiQLUpdate, PutItem, Query},
};

pub const ACCESS: &[Access] = &[
    Table(
        Stored::Resources,
        &[BatchGetItem, BatchWriteItem, GetItem, PartiQLInsert, PartiQLUpdate, PutItem, Query],
    ),
    Access::NAMED_CALLS,
];
