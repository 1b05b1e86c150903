//! Decoding of stored editor data, and its names in requests.

use crdt::{Content, State};
pub(crate) use editing::load;
use model::{EditorId, editor::EditorType};
use serde_json::Value;
use service::{EditorStore, Edits, Error, Result, Status, StoredEditor, issue};

/// An update made by the service, ready to be written; none when it is empty.
///
/// # Errors
/// INTERNAL when it cannot be read.
pub(crate) fn edits(update: Vec<u8>) -> Result<Edits> {
    if update.is_empty() {
        return Ok(Edits::default());
    }
    Ok(Edits { footprint: crdt::footprint(&update)?, updates: vec![update], ..Edits::default() })
}

/// Refuses a document that is too large to be stored or read, unless it is smaller than the
/// `stored` one.
///
/// # Errors
/// RESOURCE_EXHAUSTED with the limit named.
pub(crate) fn fits(
    editors: &EditorStore,
    id: &EditorId,
    state: State,
    stored: Option<&StoredEditor>,
) -> Result<()> {
    let encoded = state.encode();
    drop(state);
    let before = || stored.map_or(Ok(0), |stored| crdt::footprint(&load(stored)?.encode()));
    editors.fits(id, &encoded, crdt::footprint(&encoded)?, before)
}

/// The content that a caller sends.
///
/// # Errors
/// INVALID_ARGUMENT when the data does not match the type.
pub(crate) fn content(sent: EditorType, data: Value) -> Result<Content> {
    Content::new(sent, data).map_err(|error| of_member("data", error))
}

/// The same error with the name of its member.
pub(crate) fn of_member(member: &str, error: Error) -> Error {
    if error.status != Status::InvalidArgument {
        return error;
    }
    let mut named = issue(&[member], &error.message);
    named.message = error.message;
    named
}
