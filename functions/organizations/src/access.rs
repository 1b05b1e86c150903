//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Table},
    Table as Stored,
    Verb::{BatchGetItem, GetItem, PartiQLInsert, PartiQLUpdate, PutItem, Query},
};

pub const ACCESS: &[Access] = &[
    Table(
        Stored::Resources,
        &[BatchGetItem, GetItem, PartiQLInsert, PartiQLUpdate, PutItem, Query],
    ),
    Access::NAMED_CALLS,
];
