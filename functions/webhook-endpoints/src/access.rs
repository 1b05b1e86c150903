//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Table},
    Table as Stored,
    Verb::{BatchGetItem, DeleteItem, GetItem, PutItem, Query, UpdateItem},
};

pub const ACCESS: &[Access] = &[
    Table(Stored::Resources, &[BatchGetItem, DeleteItem, GetItem, PutItem, Query, UpdateItem]),
    Table(Stored::Schedule, &[DeleteItem, UpdateItem]),
    Access::NAMED_CALLS,
];
