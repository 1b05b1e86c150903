//! The messages of a client's frame, and how many of them may be expensive.

use std::collections::BTreeSet;

use dialects::{Close, Dialect, Message, Received};
use rooms::Connection;
use service::{SocketCx, Status, prelude::*};

use crate::refusal::Refusal;

/// Maximum number of editors that a frame names: that of a connection's subscriptions.
const MAX_NAMES: usize = 20;

/// Reads the messages of a frame.
///
/// # Errors
/// When one of them is no message of the dialect, or there is more than one sync step 1 or token:
/// clients send each in a frame of its own.
pub(crate) fn read_messages(
    dialect: Dialect,
    messages: Vec<Vec<u8>>,
) -> Result<Vec<Received>, Refusal> {
    let read = messages.iter().map(|bytes| dialect.read(bytes)).collect::<Result<Vec<_>, _>>()?;
    let count = |is_counted: fn(&Message) -> bool| {
        read.iter().filter(|received| is_counted(&received.message)).count()
    };
    let names: BTreeSet<_> = read.iter().filter_map(|received| received.name.as_ref()).collect();
    let is_bounded = count(|message| matches!(message, Message::Step1(_))) <= 1
        && count(|message| matches!(message, Message::Token(_))) <= 1
        && names.len() <= MAX_NAMES;
    if !is_bounded {
        let reason = format!(
            "A frame may have one sync step 1 and one token, and name {MAX_NAMES} editors."
        );
        return Err(Refusal::new(Close::BadRequest, reason));
    }
    Ok(read)
}

/// Outcome for messages for which the user has to pay.
pub(crate) enum Charge {
    /// The user pays.
    Paid,
    /// The messages are dropped, because there are too many of them and newer ones replace them.
    Dropped,
}

/// Has the user pay for messages.
///
/// # Errors
/// When there are too many messages that cannot be dropped: the client reconnects later.
pub(crate) async fn charge(
    cx: &SocketCx,
    connection: &Connection,
    messages: &[Received],
) -> Result<Charge, Refusal> {
    let is_write =
        |received: &Received| matches!(received.message, Message::Update(_) | Message::Step2(_));
    let is_needed = |received: &Received| {
        matches!(received.message, Message::Step1(_) | Message::Token(_) | Message::Close(_))
    };
    match messages.iter().any(is_write) {
        true => charge_as(cx, connection, Effect::Writes, false).await,
        false => {
            let may_drop = !messages.iter().any(is_needed);
            charge_as(cx, connection, Effect::Reads, may_drop).await
        }
    }
}

/// Has the user pay for a message of this kind.
pub(crate) async fn charge_as(
    cx: &SocketCx,
    connection: &Connection,
    effect: Effect,
    may_drop: bool,
) -> Result<Charge, Refusal> {
    let refused = match cx.live().may_send(connection.id()) {
        false => "A connection may send a hundred messages in a second.".to_owned(),
        // Before its token, a connection has other limits.
        true if connection.is_anonymous() => return Ok(Charge::Paid),
        true => {
            let tenant = match connection.tenant().await {
                // Nobody pays after the token has expired: the frame may have a newer one, and is
                // refused otherwise.
                Err(error) if error.status == Status::PermissionDenied => return Ok(Charge::Paid),
                opened => opened?,
            };
            match cx.charge(&tenant, effect) {
                Ok(()) => return Ok(Charge::Paid),
                Err(error) => error.message.into_owned(),
            }
        }
    };
    if may_drop { Ok(Charge::Dropped) } else { Err(Refusal::new(Close::TooMany, refused)) }
}
