//! The messages of a client's frame, and how many of them may be expensive.

use std::collections::BTreeSet;

use dialects::{Close, Dialect, Message, Received};
use rooms::Connection;
use service::{Effect, Result, SocketCx, Status};

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

/// Has the user pay for messages. `false`: they are dropped, because there are too many of them and
/// newer ones replace them.
///
/// # Errors
/// When there are too many messages that cannot be dropped: the client reconnects later.
pub(crate) async fn admits(
    cx: &SocketCx,
    connection: &Connection,
    messages: &[Received],
) -> Result<bool, Refusal> {
    let is_any = |is_one: fn(&Message) -> bool| messages.iter().any(|it| is_one(&it.message));
    let effect = match is_any(|it| matches!(it, Message::Update(_) | Message::Step2(_))) {
        true => Effect::Writes,
        false => Effect::Reads,
    };
    let is_needed =
        |it: &Message| matches!(it, Message::Step1(_) | Message::Token(_) | Message::Close(_));
    let may_drop = effect == Effect::Reads && !messages.iter().any(|it| is_needed(&it.message));
    admits_as(cx, connection, effect, may_drop).await
}

/// The same for a message of this kind.
pub(crate) async fn admits_as(
    cx: &SocketCx,
    connection: &Connection,
    effect: Effect,
    may_drop: bool,
) -> Result<bool, Refusal> {
    let refused = match cx.live().may_speak(connection.id()) {
        false => "A connection may send a hundred messages in a second.".to_owned(),
        // Before its token, a connection has other limits.
        true if connection.is_anonymous() => return Ok(true),
        true => {
            let tenant = match connection.tenant().await {
                // Nobody pays after the token has expired: the frame may have a newer one, and is
                // refused otherwise.
                Err(error) if error.status == Status::PermissionDenied => return Ok(true),
                opened => opened?,
            };
            match cx.charge(&tenant, effect) {
                Ok(()) => return Ok(true),
                Err(error) => error.message.into_owned(),
            }
        }
    };
    if may_drop { Ok(false) } else { Err(Refusal::new(Close::TooMany, refused)) }
}
