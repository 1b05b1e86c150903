//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Table},
    Table as Stored,
    Verb::{BatchGetItem, GetItem, PartiQLUpdate, PutItem},
};

pub const ACCESS: &[Access] = &[
    Table(Stored::Resources, &[BatchGetItem, GetItem, PartiQLUpdate, PutItem]),
    Access::RESOURCES,
    Access::BY_KIND,
    Access::BY_ACTOR,
    Access::BY_TARGET,
    Access::NAMED_CALLS,
];
