//! Formats of files whose bytes depend on their content alone.

pub(super) mod archive;
pub(super) mod calendar;
pub(super) mod digest;
