//! The rights of the functions of this family, as `cargo xtask record` writes them.

use service::{
    Access::{self, Send, SendMail, Table},
    Queue, Table as Stored,
    Verb::{BatchGetItem, GetItem, PartiQLInsert, PartiQLUpdate, PutItem, UpdateItem},
};

pub const ACCESS: &[Access] = &[
    Table(Stored::Resources, &[BatchGetItem, GetItem, PartiQLInsert, PartiQLUpdate, PutItem]),
    Access::RESOURCES,
    Table(Stored::Schedule, &[BatchGetItem, GetItem, PutItem, UpdateItem]),
    Send(Queue::Emails),
    SendMail,
];
