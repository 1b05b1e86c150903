//! Limits of content.

use error::Error;

/// Maximum depth of values and elements.
pub const MAX_DEPTH: usize = 100;

/// Maximum number of values, or of elements and runs of text, in one editor.
pub const MAX_NODES: usize = 50_000;

/// Bytes of marks in one rendering, which writes each for every run below it: in the document it is
/// one. A reply has far less.
pub(crate) const MAX_MARKS: usize = 16 * 1024 * 1024;

pub(crate) fn too_deep() -> Error {
    Error::invalid(format!("Data must not be nested deeper than {MAX_DEPTH} levels."))
}

pub(crate) fn too_many() -> Error {
    Error::invalid(format!("Data must not have more than {MAX_NODES} values."))
}

/// The error for marks that exceed their bound.
pub(crate) fn too_many_marks() -> Error {
    Error::exhausted(format!("The marks of the content would take more than {MAX_MARKS} bytes."))
}
