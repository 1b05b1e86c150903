//! `$default`: a message of a connection.

use dialects::{Close, Dialect, Frame, control};
use rooms::{Connection, Protocol};
use serde_json::{Value, json};
use service::{Effect, Result, Socket, SocketCx, SocketEvent};

use crate::{
    departures, editor, events, hocuspocus,
    incoming::{self, Charge},
    leases, lockout,
    posting::{self, AddressedFrames},
    refusal::Refusal,
    session::EditorSession,
};

pub enum Message {}

/// Maximum length of a message in characters; API Gateway accepts 32 KB per frame.
const MAX_CHARS: usize = 32 * 1024;

impl Socket for Message {
    const ROUTE: &'static str = "$default";

    async fn handle(cx: SocketCx, event: SocketEvent) -> Result<()> {
        let id = event.connection_id();
        match receive(&cx, id, event.body()).await {
            Ok(()) => Ok(()),
            Err(refusal) => lockout::close(cx.live(), id, refusal).await,
        }
    }
}

async fn receive(cx: &SocketCx, id: &str, body: &str) -> Result<(), Refusal> {
    if body.len() > MAX_CHARS {
        return Err(Refusal::new(Close::TooLarge, "A message may have 32 KB."));
    }
    let frame = Frame::read(body)?;
    let Some(connection) = cx.live().connection(id).await? else {
        return Err(Refusal::new(Close::BadToken, "The token is none, or has expired."));
    };
    // Another process may have accepted its token just now.
    let connection =
        if connection.is_token_overdue() { connection.reread().await? } else { connection };
    if connection.is_anonymous() {
        if connection.is_token_overdue() {
            return Err(Refusal::new(Close::Unavailable, "No token came within ten seconds."));
        }
        if !cx.live().may_send_before_token(id) {
            return Err(Refusal::new(Close::BadToken, "Send the token of an end user first."));
        }
        if matches!(&frame, Frame::Control(message) if message["type"] == "ping") {
            return Ok(());
        }
    }
    match (connection.protocol(), frame) {
        (Protocol::Events, Frame::Control(message)) => {
            events::receive(cx, connection, message).await
        }
        (Protocol::Events, Frame::Messages(_)) => Err(dialects::Malformed.into()),
        (_, Frame::Control(message)) => control_message(cx, connection, &message).await,
        (Protocol::Y, Frame::Messages(messages)) => {
            let received = incoming::read_messages(Dialect::Y, messages)?;
            match incoming::charge(cx, &connection, &received).await? {
                Charge::Paid => {}
                Charge::Dropped => return Ok(()),
            }
            let messages = received.into_iter().map(|received| received.message).collect();
            let name = connection.room().unwrap_or_default().to_owned();
            let mut session = EditorSession::open(cx, connection, Dialect::Y, &name).await?;
            editor::receive(&mut session, messages).await
        }
        (Protocol::Hocuspocus, Frame::Messages(messages)) => {
            let received = incoming::read_messages(Dialect::Hocuspocus, messages)?;
            match incoming::charge(cx, &connection, &received).await? {
                Charge::Paid => hocuspocus::receive(cx, connection, received).await,
                Charge::Dropped => Ok(()),
            }
        }
    }
}

async fn control_message(
    cx: &SocketCx,
    connection: Connection,
    message: &Value,
) -> Result<(), Refusal> {
    if message["type"] != "ping" {
        return Err(Refusal::new(Close::BadRequest, "There is no such message."));
    }
    match incoming::charge_as(cx, &connection, Effect::Reads, true).await? {
        Charge::Paid => {}
        Charge::Dropped => return Ok(()),
    }
    let frames = vec![control(&json!({ "type": "pong" }))];
    let pong = vec![AddressedFrames { connection_id: connection.id(), frames }];
    let ended = posting::post_droppable(cx.live(), pong).await;
    departures::forget(cx.live(), ended).await?;
    if connection.places().is_empty() {
        return Ok(());
    }
    let tenant = connection.tenant().await.map_err(Refusal::from_token)?;
    Ok(leases::renew(cx.live(), &tenant, &connection).await?)
}
