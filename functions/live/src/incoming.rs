//! The messages of a client's frame, and how many of them may be expensive.

use std::collections::BTreeSet;

use dialects::{Close, Dialect, Message, Received};

use crate::refusal::Refusal;

/// Maximum number of editors that a frame names: that of a connection's subscriptions.
const MAX_NAMES: usize = 20;

/// Reads the messages of a frame.
///
/// # Errors
/// When one of them is no message of the dialect, or there is more than one sync step 1 or token:
/// clients send each in a frame of its own.
pub(crate) fn read(dialect: Dialect, messages: Vec<Vec<u8>>) -> Result<Vec<Received>, Refusal> {
    let read = messages.iter().map(|bytes| dialect.read(bytes)).collect::<Result<Vec<_>, _>>()?;
    let count = |is_one: fn(&Message) -> bool| read.iter().filter(|it| is_one(&it.message)).count();
    let names: BTreeSet<_> = read.iter().filter_map(|it| it.name.as_ref()).collect();
    let is_bounded = count(|it| matches!(it, Message::Step1(_))) <= 1
        && count(|it| matches!(it, Message::Token(_))) <= 1
        && names.len() <= MAX_NAMES;
    if !is_bounded {
        let reason = format!(
            "A frame may have one sync step 1 and one token, and name {MAX_NAMES} editors."
        );
        return Err(Refusal::new(Close::BadRequest, reason));
    }
    Ok(read)
}
