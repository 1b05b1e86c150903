//! Hocuspocus: each message names its editor, and the first message for an editor has the token.

use dialects::{Close, Dialect, Message, Received};
use rooms::Connection;
use service::{Result, SocketCx};

use crate::{editor, place, posting, refusal::Refusal, session::EditorSession};

/// Maximum number of refused tokens per connection.
const MAX_REFUSED: u64 = 50;

/// Handles the messages of a frame; those about one editor together.
pub(crate) async fn receive(
    cx: &SocketCx,
    mut connection: Connection,
    mut received: Vec<Received>,
) -> Result<(), Refusal> {
    // Pings concern the connection: one answer is enough, and none before the token.
    if !connection.is_anonymous()
        && received.iter().any(|it| it.name.is_none() && it.message == Message::Ping)
    {
        tell(cx, connection.id(), Dialect::Hocuspocus.write("", &Message::Pong)).await;
    }
    received.retain(|it| it.name.is_some());
    while !received.is_empty() {
        let Received { name, message } = received.remove(0);
        let name = name.unwrap_or_default();
        if let Message::Token(token) = message {
            connection = enter(cx, connection, &name, &token).await?;
            continue;
        }
        // What follows a token stays behind it.
        let is_token = |it: &Received| matches!(it.message, Message::Token(_));
        let later =
            received.split_off(received.iter().position(is_token).unwrap_or(received.len()));
        let is_same = |it: &Received| it.name.as_ref() == Some(&name);
        let (same, others): (Vec<_>, Vec<_>) = received.into_iter().partition(is_same);
        received = others.into_iter().chain(later).collect();
        let messages = std::iter::once(message).chain(same.into_iter().map(|it| it.message));
        let messages = messages.collect();
        match EditorSession::open(cx, connection.clone(), Dialect::Hocuspocus, &name).await {
            Ok(mut session) => {
                editor::receive(&mut session, messages).await?;
                connection = session.connection();
            }
            // Other editors of the connection stay open.
            Err(refusal) if refusal.is_of_place() && has_others(&connection, &name) => {
                connection = deny(cx, connection, &name, refusal).await?;
            }
            Err(refusal) => return Err(refusal),
        }
    }
    Ok(())
}

/// Admits the user of a token to a room, or refuses. Other rooms of the connection stay open.
async fn enter(
    cx: &SocketCx,
    connection: Connection,
    name: &str,
    token: &str,
) -> Result<Connection, Refusal> {
    let opened = match connection.clone().authenticate(token).await {
        Ok(connection) => EditorSession::open(cx, connection, Dialect::Hocuspocus, name).await,
        Err(error) => Err(Refusal::of_token(error)),
    };
    match opened {
        Ok(mut session) => {
            session.answer(&Message::Authenticated(session.scope()), None);
            session.finish().await?;
            Ok(session.connection())
        }
        Err(refusal) if refusal.is_fault() => Err(refusal),
        Err(refusal) => deny(cx, connection, name, refusal).await,
    }
}

fn has_others(connection: &Connection, name: &str) -> bool {
    connection.places().iter().any(|place| place::name_of(place) != name)
}

/// Refuses an editor to a connection.
async fn deny(
    cx: &SocketCx,
    connection: Connection,
    name: &str,
    refusal: Refusal,
) -> Result<Connection, Refusal> {
    let (connection, refused) = connection.refuse().await?;
    if refused > MAX_REFUSED {
        return Err(Refusal::new(Close::BadToken, "Too many tokens were refused."));
    }
    let denied = Dialect::Hocuspocus.write(name, &Message::Denied(refusal.reason));
    tell(cx, connection.id(), denied).await;
    Ok(connection)
}

async fn tell(cx: &SocketCx, id: &str, message: Option<Vec<u8>>) {
    let frames = message.iter().map(|message| dialects::text(message)).collect();
    posting::post_or_close(cx.live(), vec![(id, frames)], false).await;
}
