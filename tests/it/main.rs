//! The integration tests: one module for each operation, and what holds for all of them.

pub(crate) use tests as app;
