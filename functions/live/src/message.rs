//! `$default`: a message of a connection.

use dialects::{Close, Control, Dialect, Frame, Received};
use rooms::{Connection, Protocol};
use serde_json::Value;
use service::{Socket, SocketCx, SocketEvent, prelude::*};

use crate::{
    departures, editor, events,
    frames::{self, AddressedFrames},
    hocuspocus,
    incoming::{self, Charge},
    leases, lockout, posting,
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
    let Some(connection) = cx.live().connection_heard(id).await? else {
        return Err(Refusal::new(Close::BadToken, "The token is none, or has expired."));
    };
    if connection.has_ended() {
        return receive_last(cx, connection, frame).await;
    }
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
        (_, Frame::Messages(messages)) => {
            receive_messages(cx, connection, messages, |_| true).await
        }
    }
}

/// Stores the changes that a connection sent before its end; nothing else matters any more.
async fn receive_last(cx: &SocketCx, connection: Connection, frame: Frame) -> Result<(), Refusal> {
    let is_change = |sent: &Received| {
        matches!(sent.message, dialects::Message::Update(_) | dialects::Message::Step2(_))
    };
    match frame {
        Frame::Messages(messages) if !connection.is_anonymous() => {
            receive_messages(cx, connection, messages, is_change).await
        }
        Frame::Messages(_) | Frame::Control(_) => Ok(()),
    }
}

async fn receive_messages(
    cx: &SocketCx,
    connection: Connection,
    messages: Vec<Vec<u8>>,
    is_wanted: impl Fn(&Received) -> bool,
) -> Result<(), Refusal> {
    let Some(dialect) = frames::dialect_of(connection.protocol()) else { return Ok(()) };
    let mut received = incoming::read_messages(dialect, messages)?;
    received.retain(is_wanted);
    if received.is_empty() {
        return Ok(());
    }
    match incoming::charge(cx, &connection, &received).await? {
        Charge::Paid => {}
        Charge::Dropped => return Ok(()),
    }
    match dialect {
        Dialect::Hocuspocus => hocuspocus::receive(cx, connection, received).await,
        Dialect::Y => {
            let messages = received.into_iter().map(|received| received.message).collect();
            let name = connection.room().unwrap_or_default().to_owned();
            let mut session = EditorSession::open(cx, connection, Dialect::Y, &name).await?;
            editor::receive(&mut session, messages).await
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
    let frames = frames::shared(vec![Control::Pong.frame()]);
    let pong = vec![AddressedFrames { connection_id: connection.id(), frames }];
    let ended = posting::post_droppable(cx.live(), pong).await;
    departures::forget(cx.live(), ended).await?;
    if connection.places().is_empty() {
        return Ok(());
    }
    let tenant = connection.tenant().await.map_err(Refusal::from_token)?;
    Ok(leases::renew(cx.live(), &tenant, &connection).await?)
}
