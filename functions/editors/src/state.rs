//! Decoding of stored editor data, and its names in requests.

use crdt::Content;
pub(crate) use editing::{edits, fits, load, worked_on};
use model::editor::EditorType;
use serde_json::Value;
use service::{Status, prelude::*};

/// The content that a caller sends.
///
/// # Errors
/// INVALID_ARGUMENT when the data does not match the type.
pub(crate) fn content(sent: EditorType, data: Value) -> Result<Content> {
    Content::new(sent, data).map_err(|error| of_member("data", error))
}

/// The error with the name of its member.
pub(crate) fn of_member(member: &str, error: Error) -> Error {
    if error.status != Status::InvalidArgument {
        return error;
    }
    let mut named = issue(&[member], &error.message);
    named.message = error.message;
    named
}
