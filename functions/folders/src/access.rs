//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Table},
    Table as Stored,
    Verb::{
        BatchGetItem, ConditionCheckItem, GetItem, PartiQLInsert, PartiQLUpdate, PutItem, Query,
        UpdateItem,
    },
};

pub const ACCESS: &[Access] = &[
    Table(
        Stored::Resources,
        &[
            BatchGetItem,
            ConditionCheckItem,
            GetItem,
            PartiQLInsert,
            PartiQLUpdate,
            PutItem,
            Query,
            UpdateItem,
        ],
    ),
    Access::RESOURCES,
    Access::NAMED_CALLS,
];
