//! The rights of the functions of this family.

use service::{
    Access::{self, Send, SendMail, Table},
    Queue, Table as Stored,
    Verb::{BatchGetItem, GetItem, PutItem, UpdateItem},
};

pub const ACCESS: &[Access] = &[
    Table(Stored::Resources, &[BatchGetItem, GetItem, UpdateItem]),
    Access::RESOURCES,
    Table(Stored::Schedule, &[BatchGetItem, GetItem, PutItem, UpdateItem]),
    Send(Queue::Emails),
    SendMail,
];
