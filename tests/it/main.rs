//! The integration tests: one module for each operation, and what holds for all of them.

mod cleanup;
mod documents;
mod editors;
mod every_operation;
mod fan_out;
mod folders;
mod local_stack;
mod organizations;
mod permissions;
mod schedule;
mod user_groups;
mod users;
mod workspace;

pub(crate) use tests as app;
