//! The rights of the functions of this family.

use service::{
    Access::{self, Table},
    Table as Stored,
    Verb::{BatchWriteItem, ConditionCheckItem, GetItem, PutItem, Query, UpdateItem},
};

pub const ACCESS: &[Access] = &[
    Table(
        Stored::Resources,
        &[BatchWriteItem, ConditionCheckItem, GetItem, PutItem, Query, UpdateItem],
    ),
    Access::NAMED_CALLS,
];
