//! A client of the live channel.

use std::{collections::VecDeque, time::Duration};

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{
        Error, Message,
        client::IntoClientRequest,
        http::{HeaderValue, Response, header},
        protocol::{
            CloseFrame,
            frame::{
                Frame,
                coding::{Data, OpCode},
            },
        },
    },
};

use crate::App;

/// Time limit for an expected message.
const PATIENCE: Duration = Duration::from_secs(20);

/// A connected client. Dropping it ends the connection without a close frame.
pub struct Socket {
    stream: WebSocketStream<TcpStream>,
    /// Remaining messages of the last frame.
    parts: VecDeque<String>,
}

impl App {
    /// Connects; the query is escaped, and without its question mark.
    pub async fn connect(&self, query: &str) -> Socket {
        self.try_connect(query).await.expect("a connection")
    }

    /// Connects, or tells the HTTP status that the upgrade was refused with.
    ///
    /// # Errors
    /// The status.
    pub async fn try_connect(&self, query: &str) -> Result<Socket, u16> {
        self.answers.has_peers();
        Socket::open(&self.base, query).await
    }

    /// Connects to a path, with its query.
    ///
    /// # Errors
    /// The status.
    pub async fn connect_to(&self, path: &str) -> Result<Socket, u16> {
        self.answers.has_peers();
        Socket::upgrade(&self.base, path).await.map_err(|response| response.status().as_u16())
    }

    /// Connects as a page does, which offers its token beside the subprotocol.
    ///
    /// # Errors
    /// The status.
    pub async fn connect_as_page(&self, path: &str, token: &str) -> Result<Socket, u16> {
        self.answers.has_peers();
        let offered = format!("roundtable, {token}");
        let opened = Socket::upgrade_with(&self.base, path, Some(&offered)).await;
        opened.map_err(|response| response.status().as_u16())
    }

    /// Status and error of a refused upgrade.
    pub async fn refused(&self, query: &str) -> (u16, Value) {
        self.refused_with(query, None).await
    }

    /// The same of one that offers subprotocols.
    pub async fn refused_with(&self, query: &str, offered: Option<&str>) -> (u16, Value) {
        let path = format!("/live?{query}");
        let response = Socket::upgrade_with(&self.base, &path, offered).await;
        let response = response.err().expect("a refusal");
        let body = response.body().as_deref().unwrap_or_default();
        (response.status().as_u16(), serde_json::from_slice(body).expect("JSON"))
    }
}

impl Socket {
    /// Connects to the gateway at `base`, such as `http://127.0.0.1:3000`.
    ///
    /// # Errors
    /// The HTTP status that the upgrade was refused with.
    pub async fn open(base: &str, query: &str) -> Result<Self, u16> {
        let path = format!("/live?{query}");
        Self::upgrade(base, &path).await.map_err(|response| response.status().as_u16())
    }

    async fn upgrade(base: &str, path: &str) -> Result<Self, Box<Response<Option<Vec<u8>>>>> {
        Self::upgrade_with(base, path, None).await
    }

    async fn upgrade_with(
        base: &str,
        path: &str,
        offered: Option<&str>,
    ) -> Result<Self, Box<Response<Option<Vec<u8>>>>> {
        let host = base.strip_prefix("http://").expect("a URL of HTTP");
        let stream = TcpStream::connect(host).await.expect("the gateway");
        stream.set_nodelay(true).expect("a socket");
        let mut request = format!("ws://{host}{path}").into_client_request().expect("a URL");
        let offered = offered.map(|names| HeaderValue::try_from(names).expect("names"));
        request.headers_mut().extend(offered.map(|names| (header::SEC_WEBSOCKET_PROTOCOL, names)));
        match client_async(request, stream).await {
            Ok((stream, _)) => Ok(Self { stream, parts: VecDeque::new() }),
            Err(Error::Http(response)) => Err(response),
            Err(error) => panic!("{error}"),
        }
    }

    /// Sends a text.
    pub async fn send(&mut self, text: impl Into<String>) {
        self.message(Message::text(text.into())).await;
    }

    /// Sends an object as text.
    pub async fn send_json(&mut self, object: &Value) {
        self.send(object.to_string()).await;
    }

    /// Sends bytes.
    pub async fn send_binary(&mut self, bytes: Vec<u8>) {
        self.message(Message::binary(bytes)).await;
    }

    /// Sends one text in several frames.
    pub async fn send_frames(&mut self, parts: &[&str]) {
        for (n, part) in parts.iter().enumerate() {
            let kind = if n == 0 { Data::Text } else { Data::Continue };
            let is_last = n + 1 == parts.len();
            let frame = Frame::message(part.as_bytes().to_vec(), OpCode::Data(kind), is_last);
            self.message(Message::Frame(frame)).await;
        }
    }

    /// Closes with a code.
    pub async fn close(mut self, code: u16) {
        let frame = CloseFrame { code: code.into(), reason: "".into() };
        self.message(Message::Close(Some(frame))).await;
        while let Some(Ok(_)) = self.next().await {}
    }

    /// The next text.
    pub async fn text(&mut self) -> String {
        match self.next().await {
            Some(Ok(Message::Text(text))) => text.to_string(),
            other => panic!("{other:?} is no text"),
        }
    }

    /// The next binary message; the code and reason when it is closed instead.
    pub async fn binary(&mut self) -> Result<Vec<u8>, (u16, String)> {
        match self.next().await {
            Some(Ok(Message::Binary(bytes))) => Ok(bytes.into()),
            Some(Ok(Message::Close(Some(frame)))) => {
                while let Some(Ok(_)) = self.next().await {}
                Err((frame.code.into(), frame.reason.to_string()))
            }
            other => panic!("{other:?} is no binary message"),
        }
    }

    /// The next control message or message of a dialect; the latter share frames.
    pub async fn part(&mut self) -> String {
        while self.parts.is_empty() {
            let text = self.text().await;
            match text.starts_with('{') {
                true => self.parts.push_back(text),
                false => self.parts.extend(text.split(' ').map(str::to_owned)),
            }
        }
        self.parts.pop_front().unwrap_or_default()
    }

    /// The next text as JSON.
    pub async fn json(&mut self) -> Value {
        serde_json::from_str(&self.text().await).expect("JSON")
    }

    /// The code that the gateway closes with; what comes before it is passed over.
    pub async fn closed(&mut self) -> u16 {
        loop {
            match self.next().await {
                Some(Ok(Message::Close(frame))) => {
                    // The close is answered while nothing more is waited for.
                    while let Some(Ok(_)) = self.next().await {}
                    return frame.map_or(1005, |frame| frame.code.into());
                }
                Some(Ok(_)) => {}
                other => panic!("{other:?} is no close"),
            }
        }
    }

    async fn message(&mut self, message: Message) {
        // A socket that the gateway has closed meanwhile takes nothing more.
        let _ = timeout(PATIENCE, self.stream.send(message)).await.expect("the gateway reads");
    }

    async fn next(&mut self) -> Option<Result<Message, Error>> {
        loop {
            let next = timeout(PATIENCE, self.stream.next()).await.expect("something comes");
            if !matches!(next, Some(Ok(Message::Ping(_) | Message::Pong(_)))) {
                return next;
            }
        }
    }
}
