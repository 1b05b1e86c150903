//! Limits of content.

use error::Error;

/// Maximum depth of values and elements.
pub const MAX_DEPTH: usize = 100;

/// Maximum number of values, or of elements and runs of text, in one editor.
pub const MAX_NODES: usize = 50_000;

pub(crate) fn too_deep() -> Error {
    Error::invalid(format!("Data must not be nested deeper than {MAX_DEPTH} levels."))
}

pub(crate) fn too_many() -> Error {
    Error::invalid(format!("Data must not have more than {MAX_NODES} values."))
}
