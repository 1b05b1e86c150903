//! Hocuspocus: each message names its editor, and each editor begins with the token of the user.

use dialects::{Close, Dialect, Message, Received};
use service::{Connection, Result, SocketCx};

use crate::{audience, editor, refusal::Refusal, room::Room};

pub(crate) async fn receive(
    cx: &SocketCx,
    connection: Connection,
    Received { name, message }: Received,
) -> Result<(), Refusal> {
    let Some(name) = name else {
        // It is about the connection.
        let pong =
            Dialect::Hocuspocus.write("", &Message::Pong).filter(|_| message == Message::Ping);
        let frames = pong.iter().map(|pong| (connection.id(), dialects::text(pong)));
        audience::post_all(cx.live(), frames.collect(), false).await;
        return Ok(());
    };
    if let Message::Token(token) = message {
        return enter(cx, connection, &name, &token).await;
    }
    let connection = match connection.is_authenticated() {
        true => connection,
        false => connection.anew().await?,
    };
    if !connection.is_authenticated() {
        return Err(Refusal::new(Close::BadToken, "Send the token of an end user first."));
    }
    let mut room = Room::open(cx, connection, Dialect::Hocuspocus, &name).await?;
    editor::receive(&mut room, message).await
}

/// Lets the user of a token into a room, or says why not. Other rooms of the connection stay open.
async fn enter(
    cx: &SocketCx,
    connection: Connection,
    name: &str,
    token: &str,
) -> Result<(), Refusal> {
    let id = connection.id().to_owned();
    let opened = match connection.authenticate(token).await {
        Ok(connection) => Room::open(cx, connection, Dialect::Hocuspocus, name).await,
        Err(error) => Err(Refusal::of_token(error)),
    };
    match opened {
        Ok(room) => Ok(room.answer(&Message::Authenticated(room.scope()), None).await?),
        Err(refusal) if refusal.is_fault() => Err(refusal),
        Err(refusal) => {
            let denied = Dialect::Hocuspocus.write(name, &Message::Denied(refusal.reason));
            let frames = denied.iter().map(|denied| (id.as_str(), dialects::text(denied)));
            audience::post_all(cx.live(), frames.collect(), false).await;
            Ok(())
        }
    }
}
