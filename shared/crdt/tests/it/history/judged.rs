//! Generated histories for other tests.

pub(crate) mod edits;
pub(crate) mod world;
