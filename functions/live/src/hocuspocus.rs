//! Hocuspocus: each message names its editor, and the first message for an editor has the token.

use dialects::{Close, Dialect, Message, Received};
use rooms::Connection;
use service::{SocketCx, prelude::*};

use crate::{
    editor,
    frames::{self, AddressedFrames},
    place, posting,
    refusal::Refusal,
    session::EditorSession,
};

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
        && received.iter().any(|sent| sent.name.is_none() && sent.message == Message::Ping)
    {
        post_message(cx, connection.id(), Dialect::Hocuspocus.write("", &Message::Pong)).await;
    }
    received.retain(|sent| sent.name.is_some());
    while !received.is_empty() {
        let Received { name, message } = received.remove(0);
        let name = name.unwrap_or_default();
        if let Message::Token(token) = message {
            connection = authenticate(cx, connection, &name, &token).await?;
            continue;
        }
        // Messages after a token stay behind it.
        let is_token = |sent: &Received| matches!(sent.message, Message::Token(_));
        let later =
            received.split_off(received.iter().position(is_token).unwrap_or(received.len()));
        let is_same = |sent: &Received| sent.name.as_ref() == Some(&name);
        let (same, others): (Vec<_>, Vec<_>) = received.into_iter().partition(is_same);
        received = others.into_iter().chain(later).collect();
        let messages = std::iter::once(message).chain(same.into_iter().map(|sent| sent.message));
        let messages = messages.collect();
        match EditorSession::open(cx, connection.clone(), Dialect::Hocuspocus, &name).await {
            Ok(mut session) => {
                match editor::receive(&mut session, messages).await {
                    // Other editors of the connection stay open, and so does the connection: stock
                    // providers would come back at once with what was refused.
                    Err(refusal) if refusal.is_gone() => {
                        session.leave().await?;
                        post_message(cx, session.id(), denial(&name, &refusal)).await;
                    }
                    received => received?,
                }
                connection = session.into_connection();
            }
            // Other editors of the connection stay open.
            Err(refusal) if refusal.is_of_place() && has_other_editors(&connection, &name) => {
                connection = deny(cx, connection, &name, refusal).await?;
            }
            Err(refusal) => return Err(refusal),
        }
    }
    Ok(())
}

/// Admits the user of a token to a room, or refuses. Other rooms of the connection stay open.
async fn authenticate(
    cx: &SocketCx,
    connection: Connection,
    name: &str,
    token: &str,
) -> Result<Connection, Refusal> {
    let opened = match connection.clone().authenticate(token).await {
        Ok(connection) => {
            cx.has_accepted_user();
            EditorSession::open_now(cx, connection, Dialect::Hocuspocus, name).await
        }
        Err(error) => Err(Refusal::from_token(error)),
    };
    match opened {
        Ok(mut session) => {
            session.tell_scope();
            session.send_queued().await?;
            Ok(session.into_connection())
        }
        Err(refusal) if refusal.is_fault() => Err(refusal),
        Err(refusal) => deny(cx, connection, name, refusal).await,
    }
}

fn has_other_editors(connection: &Connection, name: &str) -> bool {
    connection.places().iter().any(|place| place::room_name(place) != name)
}

/// Refuses an editor to a connection.
async fn deny(
    cx: &SocketCx,
    connection: Connection,
    name: &str,
    refusal: Refusal,
) -> Result<Connection, Refusal> {
    let connection = connection.count_refused_token().await?;
    if connection.refused_tokens() > MAX_REFUSED {
        return Err(Refusal::new(Close::BadToken, "Too many tokens were refused."));
    }
    post_message(cx, connection.id(), denial(name, &refusal)).await;
    Ok(connection)
}

fn denial(name: &str, refusal: &Refusal) -> Option<Vec<u8>> {
    Dialect::Hocuspocus.write(name, &refusal.denial())
}

async fn post_message(cx: &SocketCx, id: &str, message: Option<Vec<u8>>) {
    let frames = message.iter().map(|message| dialects::text(message)).collect();
    let frames = frames::shared(frames);
    let addressed = vec![AddressedFrames { connection_id: id, frames }];
    posting::post_droppable(cx.live(), addressed).await;
}
