//! The integration tests: one module per operation, and the rules of all operations.

mod activities;
mod agents;
mod cleanup;
mod comments;
mod configuration;
mod console;
mod deliveries;
mod documentation;
mod documents;
mod earlier;
mod editors;
mod emails;
mod end_users;
mod every_operation;
mod folders;
mod gateway;
mod guide;
mod histories;
mod journal;
mod live;
mod live_state;
mod lives;
mod local_stack;
mod log;
mod mails;
mod metrics;
mod multiply;
mod names;
mod notifications;
mod operator;
mod organizations;
mod permissions;
mod presence;
mod recordings;
mod reference;
mod schedule;
mod secrets;
mod separate;
mod user_data;
mod user_groups;
mod users;
mod webhook_endpoints;
mod workspace;

pub(crate) use tests as app;

/// The allocator of `cargo run`; a tenth of the run is allocation with the one of the system.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
