//! Decoding of stored editor data, and its names in requests.

pub(crate) use editing::{edits, fits, load, worked_on};
use service::{Status, prelude::*};

/// The error with the name of its member.
pub(crate) fn of_member(member: &str, error: Error) -> Error {
    if error.status != Status::InvalidArgument {
        return error;
    }
    let mut named = issue(&[member], &error.message);
    named.message = error.message;
    named
}
