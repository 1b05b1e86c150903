//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Table},
    Table as Stored,
    Verb::{BatchGetItem, GetItem, PutItem, UpdateItem},
};

pub const ACCESS: &[Access] = &[
    Table(Stored::Resources, &[BatchGetItem, GetItem, PutItem, UpdateItem]),
    Access::RESOURCES,
    Access::NAMED_CALLS,
];
