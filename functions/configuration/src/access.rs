//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Table},
    Table as Stored,
    Verb::{GetItem, PutItem},
};

pub const ACCESS: &[Access] = &[Table(Stored::Resources, &[GetItem, PutItem]), Access::NAMED_CALLS];
