//! Stock providers without an adapter: y-websocket and Hocuspocus as their own servers speak. The
//! functions are those of `/live`: what the socket of the TypeScript client does there happens here.

pub(super) mod address;
mod conversation;
mod large;
mod over;
mod room_state;

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::Close;
use embedded::{Ended, Inbox, Posted};
use futures_util::{FutureExt, SinkExt, StreamExt};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::mpsc::UnboundedReceiver,
    task::JoinHandle,
    time::{Instant, sleep_until, timeout},
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Error, Message,
        protocol::{Role, WebSocketConfig, frame::coding::Data},
    },
};

use self::{
    conversation::{FetchRequest, Inbound, Outbound},
    large::{Caller, Judged, State},
    over::{FAILED, Over},
};
use super::{
    bounds::{MAX_CHARS, MAX_MESSAGE, MAX_MESSAGES},
    farewell::{FAREWELL, LOST, farewell},
    memory::Metered,
    merge::merged,
    session::{Session, feed, waiting},
};
use crate::net::SharePermit;

pub(super) use conversation::Conversation;

/// Stock providers give up a server that is silent for 30 seconds.
const SILENCE: Duration = Duration::from_secs(15);
/// Payload of a frame to a client at most, in bytes.
const FRAME: usize = 64 * 1024;
/// Maximum time for sending messages that are ready.
const SLOW_SECONDS: u64 = 60;

/// Result of a message of the client.
enum Done {
    /// Messages for the client, once it is handled.
    Replies(Vec<Vec<u8>>),
    /// A change that is to be stored, with its part of the budget.
    Judged(Box<Judged>, Option<SharePermit>),
}

type Work = JoinHandle<Result<Done, Over>>;

/// A state, and its part of the budget until it is sent.
type Fetched = JoinHandle<Result<(FetchRequest, State, SharePermit), Over>>;

struct Talk<'a, IO> {
    session: &'a Session,
    socket: WebSocketStream<Metered<IO>>,
    conversation: Conversation,
    /// The message that is worked on; the next one waits for it.
    work: Option<Work>,
    /// The next message, if it was read already.
    next: Option<(Inbound, Option<SharePermit>)>,
    /// The end of the client, when all before it is done.
    over: Option<Over>,
    /// The state that is read, and those to read after it.
    fetch: Option<Fetched>,
    orders: VecDeque<FetchRequest>,
    sent_at: Instant,
    /// Whether nothing reaches the client any more. Messages that it sent before are still to be
    /// read.
    is_left: bool,
    /// Whether the connection has ended, for tasks of it.
    is_over: Arc<AtomicBool>,
}

/// Serves a connection until it ends.
pub(super) async fn serve(
    session: &Session,
    conversation: Conversation,
    io: impl AsyncRead + AsyncWrite + Unpin,
    mut inbox: Inbox,
) -> Ended {
    let io = Metered::new(io, session.live.limits.incoming.clone(), session.account.clone());
    let config = WebSocketConfig::default()
        .read_buffer_size(16 * 1024)
        .max_frame_size(Some(MAX_MESSAGE))
        .max_message_size(Some(MAX_MESSAGE));
    let socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
    let mut talk = Talk {
        session,
        socket,
        conversation,
        work: None,
        next: None,
        over: None,
        fetch: None,
        orders: VecDeque::new(),
        sent_at: Instant::now(),
        is_left: false,
        is_over: Arc::default(),
    };
    let over = tokio::select! {
        over = talk.run(&mut inbox.posted) => over,
        Ok(ended) = &mut inbox.ended => {
            let last = talk.send_last(&mut inbox.posted);
            timeout(FAREWELL, last).await.ok().flatten().unwrap_or(ended.into())
        }
    };
    session.connection.close();
    talk.is_over.store(true, Ordering::Relaxed);
    let Talk { mut socket, work, .. } = talk;
    let ended = match over {
        Over::Left(ended) => {
            let _ = timeout(FAREWELL, socket.flush()).await;
            ended
        }
        Over::Closed(code, reason) => {
            socket.get_mut().admit_all();
            let _ = timeout(FAREWELL, farewell(socket, code, &reason)).await;
            Ended { code, reason: "" }
        }
    };
    // Work that was begun is finished, and none is begun, before the connection counts as ended.
    if let Some(work) = work {
        let _ = work.await;
    }
    ended
}

impl<IO: AsyncRead + AsyncWrite + Unpin> Talk<'_, IO> {
    async fn run(&mut self, posted: &mut UnboundedReceiver<Posted>) -> Over {
        loop {
            if self.work.is_none() {
                if let Err(over) = self.begin_next() {
                    return over;
                }
                if self.work.is_none()
                    && self.next.is_none()
                    && let Some(over) = self.over.take()
                {
                    return over;
                }
            }
            self.begin_fetch();
            let is_free = self.work.is_none() && self.next.is_none();
            let done = tokio::select! {
                biased;
                Some(first) = posted.recv() => self.send(waiting(first, posted)).await,
                done = finished(&mut self.work) => match done {
                    Ok(Done::Replies(replies)) => self.send_all(replies).await,
                    Ok(Done::Judged(judged, share)) => {
                        self.store(*judged, share);
                        Ok(())
                    }
                    Err(over) => Err(over),
                },
                fetched = finished(&mut self.fetch) => match fetched {
                    Ok(fetched) => self.send_state(fetched).await,
                    Err(over) => Err(over),
                },
                message = self.socket.next(), if is_free => {
                    self.hear(message);
                    Ok(())
                }
                () = sleep_until(self.sent_at + SILENCE) => {
                    let idle = self.conversation.reassurance();
                    self.send_all(idle.into_iter().collect()).await
                }
            };
            if let Err(over) = done {
                return over;
            }
        }
    }

    /// Takes a message of the client.
    fn hear(&mut self, message: Option<Result<Message, Error>>) {
        match message {
            Some(Ok(Message::Binary(bytes))) => {
                self.session.connection.touch();
                let share = self.socket.get_mut().next_message();
                let said = self.conversation.receive(bytes.into());
                if let Some(token) = self.conversation.take_token() {
                    let user = self.session.take_token(&token);
                    self.conversation.is_paid_by(self.session.account.payer());
                    if let Some(user) = user {
                        self.conversation.keep_token(user, token);
                    }
                }
                self.next = Some((said, share));
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
            other => self.over = Some(end(other, self.socket.get_ref().refusal())),
        }
    }

    /// Begins with the message that was read, and with what else has arrived and fits into the same
    /// event.
    fn begin_next(&mut self) -> Result<(), Over> {
        let (mut event, mut count) = (String::new(), 0);
        while let Some((said, share)) = self.next.take() {
            match said {
                Inbound::Nothing => {}
                Inbound::Small { bytes, is_alone } => {
                    let length = event.len() + 1 + bytes.len().div_ceil(3) * 4;
                    let fits = !is_alone && length <= MAX_CHARS && count < MAX_MESSAGES;
                    if count > 0 && !fits {
                        self.next = Some((Inbound::Small { bytes, is_alone }, share));
                        break;
                    }
                    if count > 0 {
                        event.push(' ');
                    }
                    STANDARD.encode_string(&bytes, &mut event);
                    count += 1;
                    if is_alone {
                        break;
                    }
                }
                Inbound::Update(update) if count == 0 => {
                    let caller = self.caller(&update.name)?;
                    self.work = Some(tokio::spawn(async move {
                        let judged = caller.judge(update).await?;
                        Ok(Done::Judged(Box::new(judged), share))
                    }));
                    return Ok(());
                }
                Inbound::Update(update) => {
                    self.next = Some((Inbound::Update(update), share));
                    break;
                }
                Inbound::Refused(close, reason) if count == 0 => {
                    return Err(Over::refused(close, reason));
                }
                Inbound::Refused(close, reason) => {
                    self.next = Some((Inbound::Refused(close, reason), share));
                    break;
                }
            }
            if self.over.is_none()
                && let Some(message) = self.socket.next().now_or_never()
            {
                self.hear(message);
            }
        }
        if count > 0 {
            let call = self.session.call(event);
            self.work = Some(tokio::spawn(async move {
                // A client that got no reply would not repeat an update.
                let failed = || Over::refused(Close::Unavailable, FAILED);
                if call.await.is_success() { Ok(Done::Replies(vec![])) } else { Err(failed()) }
            }));
        }
        Ok(())
    }

    /// Begins to store a change.
    fn store(&mut self, mut judged: Judged, share: Option<SharePermit>) {
        if let Some(seen) = judged.seen.take() {
            self.conversation.sees(&judged.name, seen);
        }
        self.work = Some(tokio::spawn(async move {
            let replies = judged.store().await;
            drop(share);
            replies.map(Done::Replies)
        }));
    }

    fn begin_fetch(&mut self) {
        if self.fetch.is_some() {
            return;
        }
        let Some(order) = self.orders.pop_front() else { return };
        let (caller, vector) = (self.caller(&order.name), self.conversation.vector(&order));
        let budget = self.session.live.limits.outgoing.clone();
        self.fetch = Some(tokio::spawn(async move {
            let (state, share) = caller?.read(budget, vector).await?;
            Ok((order, state, share))
        }));
    }

    fn caller(&self, name: &str) -> Result<Caller, Over> {
        let conversation = &self.conversation;
        let (address, token) = (conversation.address(name), conversation.token());
        let is_over = Arc::clone(&self.is_over);
        Caller::new(self.session, conversation.dialect(), address, token, is_over)
    }

    /// Sends what is posted, as few messages as do the same.
    async fn send(&mut self, mut posted: Vec<Posted>) -> Result<(), Over> {
        let mut messages = vec![];
        let mut over = None;
        for text in posted.iter_mut().map(|posted| std::mem::take(&mut posted.text)) {
            for heard in self.conversation.deliver(&text) {
                match heard {
                    Outbound::Message(message) => messages.push(message),
                    Outbound::Fetch(order) => order.queue(&mut self.orders),
                    Outbound::Close(code, reason) => over = Some(Over::Closed(code, reason.into())),
                }
            }
        }
        self.send_all(merged(self.conversation.dialect(), messages)).await?;
        // The frame's places in the buffer were taken until now.
        drop(posted);
        over.map_or(Ok(()), Err)
    }

    async fn send_all(&mut self, messages: Vec<Vec<u8>>) -> Result<(), Over> {
        self.sent_at = Instant::now();
        if !self.is_left {
            let time = Duration::from_secs(SLOW_SECONDS);
            // The end of the client is found where it is read, behind what it sent.
            self.is_left = write_within(time, &mut self.socket, messages).await?.is_err();
        }
        Ok(())
    }

    async fn send_state(
        &mut self,
        (order, state, share): (FetchRequest, State, SharePermit),
    ) -> Result<(), Over> {
        let messages = self.conversation.fetched(&order, state);
        let sent = self.send_all(messages).await;
        drop(share);
        sent
    }

    /// Sends what was posted before the end; returns the reason if that is among it.
    async fn send_last(&mut self, posted: &mut UnboundedReceiver<Posted>) -> Option<Over> {
        while let Some(first) = posted.recv().await {
            if let Err(over) = self.send(waiting(first, posted)).await {
                return Some(over);
            }
        }
        None
    }
}

/// Writes messages to a client; the error of its connection if it has left. Whoever does not take them
/// in time keeps neither them nor what waits behind them.
async fn write_within<IO: AsyncRead + AsyncWrite + Unpin>(
    time: Duration,
    socket: &mut WebSocketStream<IO>,
    messages: Vec<Vec<u8>>,
) -> Result<Result<(), Error>, Over> {
    let written = async {
        for message in messages {
            feed(socket, Data::Binary, message, FRAME).await?;
        }
        socket.flush().await
    };
    timeout(time, written).await.map_err(|_| Over::Left(LOST))
}

/// The result of a task, once there is a task and it has one.
async fn finished<T>(task: &mut Option<JoinHandle<Result<T, Over>>>) -> Result<T, Over> {
    let Some(running) = task else { return std::future::pending().await };
    let result = running.await;
    *task = None;
    result.unwrap_or_else(|_| Err(Over::refused(Close::Unavailable, FAILED)))
}

/// The end that anything but a binary message means.
fn end(message: Option<Result<Message, Error>>, refusal: Option<(Close, &'static str)>) -> Over {
    match message {
        Some(Ok(Message::Close(frame))) => {
            let code = frame.map_or(1005, |frame| frame.code.into());
            Over::Left(Ended { code, reason: "" })
        }
        Some(Ok(_)) => Over::Closed(1003, "Text is not supported".into()),
        // Repeated, it is as large as before: stock providers would repeat it for ever after 1009.
        Some(Err(Error::Capacity(_))) => {
            Over::refused(Close::TooLarge, "A message may have 17 MB.")
        }
        Some(Err(Error::Protocol(_) | Error::Utf8(_))) => {
            Over::Closed(1002, "Protocol error".into())
        }
        None | Some(Err(_)) => match refusal {
            Some((close, reason)) => Over::refused(close, reason),
            None => Over::Left(LOST),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{DuplexStream, copy, duplex, sink};
    use tokio_tungstenite::{WebSocketStream, tungstenite::protocol::Role};

    use super::{LOST, Over, SLOW_SECONDS, write_within};

    async fn connected() -> (WebSocketStream<DuplexStream>, DuplexStream) {
        let (server, client) = duplex(64 * 1024);
        (WebSocketStream::from_raw_socket(server, Role::Server, None).await, client)
    }

    #[tokio::test]
    async fn who_does_not_read_a_large_state_in_time_loses_it_and_the_connection() {
        let state = || vec![vec![0; 1024 * 1024]; 2];
        let minute = Duration::from_secs(SLOW_SECONDS);
        let (mut socket, deaf) = connected().await;
        let written = write_within(Duration::ZERO, &mut socket, state()).await;
        assert!(matches!(written, Err(Over::Left(ended)) if ended == LOST));
        drop(deaf);
        let (mut socket, mut client) = connected().await;
        let reading = tokio::spawn(async move { copy(&mut client, &mut sink()).await });
        assert!(matches!(write_within(minute, &mut socket, state()).await, Ok(Ok(()))));
        drop(socket);
        assert!(reading.await.unwrap().unwrap() > 2 * 1024 * 1024);
        // The end of a client that has left is found where it is read.
        let (mut socket, gone) = connected().await;
        drop(gone);
        assert!(matches!(write_within(minute, &mut socket, state()).await, Ok(Err(_))));
    }
}
