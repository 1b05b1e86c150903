//! One connection, from its upgrade to its end.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    body::Bytes,
    http::{HeaderValue, StatusCode},
};
use dialects::Dialect;
use embedded::{Connection, Ended, Inbox, Posted};
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Error, Message,
        protocol::{
            Role, WebSocketConfig,
            frame::{
                Frame,
                coding::{Data, OpCode},
            },
        },
    },
};

use super::{
    account::Account,
    bounds::MAX_MESSAGE,
    event::Client,
    farewell::{FAREWELL, LOST, farewell},
    merge::merged_frames,
    state::Live,
};
use crate::net::{Payer, is_lifted};

/// Limit of frames of API Gateway, in bytes. Messages may have four there, but no function takes more
/// than one, so no more is kept of them.
const MAX_FRAME: usize = 32 * 1024;
/// Messages of one client that are worked on at a time. When so many are, no more are read. Fewer
/// than of all clients together, so that a client does not hold up the others.
const AT_ONCE: usize = 4;
/// Messages to a client that are sent at a time.
const MAX_WAITING: usize = 256;
/// How long a message waits for another to overtake it.
const HELD: Duration = Duration::from_millis(50);

/// A connection that was accepted.
pub(super) struct Session {
    pub(super) live: Arc<Live>,
    pub(super) client: Client,
    pub(super) account: Account,
    /// Whether it came with a token.
    pub(super) has_token: bool,
    /// The dialect of its messages, if it is one of editors.
    pub(super) dialect: Option<Dialect>,
    pub(super) connection: Connection,
    /// The `Origin` of the page.
    pub(super) origin: Option<HeaderValue>,
}

/// A call of the function of `$default`.
type Call = service::Boxed<'static, ()>;

/// The side that closed a connection.
enum End {
    Client(Ended),
    Gateway(Ended),
}

impl Session {
    /// Serves the connection until its end.
    pub(super) async fn serve(
        &self,
        io: impl AsyncRead + AsyncWrite + Unpin,
        mut inbox: Inbox,
    ) -> Ended {
        let most = if is_lifted("frames") { MAX_MESSAGE } else { MAX_FRAME };
        let config = WebSocketConfig::default()
            .read_buffer_size(16 * 1024)
            .max_frame_size(Some(most))
            .max_message_size(Some(most));
        let socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
        let (mut sink, mut stream) = socket.split();
        let end = tokio::select! {
            end = self.read(&mut stream) => end,
            end = write(self.dialect, &mut sink, &mut inbox.posted) => match end {},
            Ok(ended) = &mut inbox.ended => End::Gateway(ended),
        };
        self.connection.close();
        let ended = match end {
            End::Client(ended) => {
                // The client's own close is answered.
                let _ = timeout(FAREWELL, sink.flush()).await;
                return ended;
            }
            End::Gateway(ended) => ended,
        };
        let last = async {
            while let Some(first) = inbox.posted.recv().await {
                send(self.dialect, &mut sink, waiting(first, &mut inbox.posted)).await?;
            }
            match stream.reunite(sink) {
                Ok(socket) => farewell(socket, ended.code, ended.reason).await,
                Err(_) => Ok(()),
            }
        };
        let _ = timeout(FAREWELL, last).await;
        ended
    }

    /// Gives messages to the function of `$default`, until the connection is to end.
    async fn read(&self, stream: &mut (impl Stream<Item = Result<Message, Error>> + Unpin)) -> End {
        let slots = Arc::new(Semaphore::new(AT_ONCE));
        let mut held = None;
        loop {
            let Ok(slot) = Arc::clone(&slots).acquire_owned().await else {
                return End::Client(LOST);
            };
            let wait = if held.is_some() { HELD } else { Duration::MAX };
            let Ok(next) = timeout(wait, stream.next()).await else {
                tokio::spawn(in_turn([None, held.take()]));
                continue;
            };
            let text = match next {
                Some(Ok(Message::Text(text))) => text,
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => continue,
                other => {
                    tokio::spawn(in_turn([None, held]));
                    return end(other);
                }
            };
            self.connection.touch();
            let call = self.message_call(text.to_string(), slot);
            if self.live.options.reorders && held.is_none() {
                held = Some(call);
            } else {
                tokio::spawn(in_turn([Some(call), held.take()]));
            }
        }
    }

    fn message_call(&self, text: String, slot: OwnedSemaphorePermit) -> Call {
        // Others have their token in the query.
        if self.dialect == Some(Dialect::Hocuspocus) && self.account.hear(&text) {
            self.connection.belongs_to(&self.account.payer().tenant());
        }
        let call = self.call(text);
        Box::pin(async move {
            call.await;
            drop(slot);
        })
    }

    /// Takes note of a token of the client; returns the user whom it names.
    pub(super) fn take_token(&self, token: &str) -> Option<Payer> {
        if self.account.take(token) {
            self.connection.belongs_to(&self.account.payer().tenant());
        }
        self.account.of_token(token)
    }

    /// Calls the function of `$default`; returns its status.
    pub(super) fn call(&self, text: String) -> impl Future<Output = StatusCode> + use<> {
        let (live, client) = (self.live.clone(), self.client.clone());
        let account = self.account.clone();
        async move {
            let now = live.calls.now();
            let event = move || client.message(text, now);
            let told = live.calls.tell("$default", &account.payer(), event).await;
            if told.has_accepted_user {
                account.is_accepted();
            }
            told.status
        }
    }
}

/// One call after the other.
async fn in_turn(calls: [Option<Call>; 2]) {
    for call in calls.into_iter().flatten() {
        call.await;
    }
}

/// The end that anything but a text means.
fn end(message: Option<Result<Message, Error>>) -> End {
    let ours = |code, reason| End::Gateway(Ended { code, reason });
    match message {
        Some(Ok(Message::Close(None))) => {
            let reason = "Client-side close frame status not set";
            End::Client(Ended { code: 1005, reason })
        }
        Some(Ok(Message::Close(Some(frame)))) => {
            End::Client(Ended { code: frame.code.into(), reason: "" })
        }
        Some(Ok(_)) => ours(1003, "Binary is not supported"),
        Some(Err(Error::Capacity(_))) => ours(1009, "Message too big"),
        Some(Err(Error::Utf8(_))) => ours(1007, "Text is not UTF-8"),
        Some(Err(Error::Protocol(_))) => ours(1002, "Protocol error"),
        None | Some(Err(_)) => End::Client(LOST),
    }
}

/// Sends posted messages until the connection fails. Messages that the client sent before are still
/// to be read: its end is found by the reader.
async fn write(
    dialect: Option<Dialect>,
    sink: &mut (impl Sink<Message, Error = Error> + Unpin),
    posted: &mut mpsc::UnboundedReceiver<Posted>,
) -> Infallible {
    while let Some(first) = posted.recv().await {
        if send(dialect, sink, waiting(first, posted)).await.is_err() {
            break;
        }
    }
    std::future::pending().await
}

/// A posted message with those that wait behind it.
pub(super) fn waiting(first: Posted, posted: &mut mpsc::UnboundedReceiver<Posted>) -> Vec<Posted> {
    let others = std::iter::from_fn(|| posted.try_recv().ok());
    [first].into_iter().chain(others.take(MAX_WAITING - 1)).collect()
}

/// Sends messages in frames as API Gateway does, as few as do the same; their places in the buffer
/// are free afterwards.
async fn send(
    dialect: Option<Dialect>,
    sink: &mut (impl Sink<Message, Error = Error> + Unpin),
    mut posted: Vec<Posted>,
) -> Result<(), Error> {
    let texts = posted.iter_mut().map(|posted| std::mem::take(&mut posted.text));
    let texts = match dialect {
        Some(dialect) => merged_frames(dialect, texts.collect()),
        None => texts.map(|text| text.as_bytes().to_vec()).collect(),
    };
    for text in texts {
        feed(sink, Data::Text, text, MAX_FRAME).await?;
    }
    sink.flush().await
}

/// Gives a message to a connection in frames of at most so many bytes: it keeps room for the largest frame
/// that it has sent.
pub(super) async fn feed(
    sink: &mut (impl Sink<Message, Error = Error> + Unpin),
    mut kind: Data,
    message: Vec<u8>,
    most: usize,
) -> Result<(), Error> {
    let mut rest = Bytes::from(message);
    loop {
        let part = rest.split_to(rest.len().min(most));
        let is_last = rest.is_empty();
        let frame = Frame::message(part, OpCode::Data(kind), is_last);
        sink.feed(Message::Frame(frame)).await?;
        if is_last {
            return Ok(());
        }
        kind = Data::Continue;
    }
}
