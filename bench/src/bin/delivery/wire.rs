//! Clients of the live channel that do not wait.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::{Dialect, Message};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Error, Message as Frame},
};

/// How long a client waits before it connects again: an honest one waits longer.
const AGAIN: Duration = Duration::from_millis(100);
/// How long a frame may wait for a service that does not read.
const STUCK: Duration = Duration::from_secs(1);

/// What clients of an attack have in common.
#[derive(Default)]
pub(crate) struct Shared {
    pub(crate) is_over: AtomicBool,
    pub(crate) sent: AtomicU64,
    pub(crate) heard: AtomicU64,
    /// How connections ended: by the code of the service, or the status of a refused handshake.
    pub(crate) ends: Mutex<BTreeMap<String, u64>>,
}

impl Shared {
    fn ended(&self, why: String) {
        *self.ends.lock().expect("no panic").entry(why).or_default() += 1;
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// A message of a dialect as a frame.
pub(crate) fn frame(dialect: Dialect, name: &str, message: &Message) -> String {
    STANDARD.encode(dialect.write(name, message).expect("a message of the dialect"))
}

/// Where a client connects.
#[derive(Clone)]
pub(crate) struct Place {
    /// The path with its query.
    pub(crate) path: String,
    /// Whether stock providers connect there, with binary messages.
    pub(crate) is_stock: bool,
}

impl Place {
    /// The frames of a text: of one, or of a binary message for each of its words.
    fn frames(&self, text: String) -> Vec<Frame> {
        if !self.is_stock {
            return vec![Frame::text(text)];
        }
        let messages = text.split(' ').filter_map(|part| STANDARD.decode(part).ok());
        messages.map(Frame::binary).collect()
    }
}

/// Connects; the status of a refused handshake.
pub(crate) async fn open(base: &str, path: &str) -> Result<WebSocketStream<TcpStream>, String> {
    let host = base.strip_prefix("http://").expect("a URL of HTTP");
    let stream = TcpStream::connect(host).await.map_err(|error| error.kind().to_string())?;
    let opened = timeout(STUCK * 20, client_async(format!("ws://{host}{path}"), stream));
    match opened.await {
        Ok(Ok((socket, _))) => Ok(socket),
        Ok(Err(Error::Http(response))) => Err(response.status().as_u16().to_string()),
        Ok(Err(_)) | Err(_) => Err("no handshake".to_owned()),
    }
}

/// A client that says `hello`, then frame after frame, one each `pace`, and connects again when it
/// was closed.
pub(crate) async fn rush(
    shared: Arc<Shared>,
    base: String,
    place: Place,
    hello: Vec<String>,
    pace: Duration,
    next: impl Fn(u64) -> Option<String>,
) {
    while !shared.is_over() {
        let socket = match open(&base, &place.path).await {
            Ok(socket) => socket,
            Err(why) => {
                shared.ended(why);
                tokio::time::sleep(AGAIN).await;
                continue;
            }
        };
        let (mut sink, mut stream) = socket.split();
        let mut hello = hello.clone().into_iter();
        let (mut why, mut n) = ("lost".to_owned(), 0);
        while !shared.is_over() {
            let heard = timeout(pace, stream.next()).await;
            match heard {
                Ok(Some(Ok(Frame::Text(text)))) => {
                    shared.heard.fetch_add(1, Ordering::Relaxed);
                    if let Ok(said) = serde_json::from_str::<Value>(&text)
                        && said["type"] == "close"
                    {
                        why = said["code"].to_string();
                    }
                    continue;
                }
                Ok(Some(Ok(Frame::Binary(_)))) => {
                    shared.heard.fetch_add(1, Ordering::Relaxed);
                    continue;
                }
                Ok(Some(Ok(Frame::Close(close)))) => {
                    if let Some(close) = close.filter(|_| place.is_stock) {
                        why = u16::from(close.code).to_string();
                    }
                    break;
                }
                Ok(Some(Err(_)) | None) => break,
                Ok(Some(Ok(_))) => continue,
                Err(_) => {}
            }
            let first = hello.next();
            if first.is_none() && n == 0 {
                // What it has said first is answered by now.
                tokio::time::sleep(AGAIN).await;
            }
            n += u64::from(first.is_none());
            let Some(text) = first.or_else(|| next(n)) else { continue };
            let mut is_stuck = false;
            for frame in place.frames(text) {
                match timeout(STUCK, sink.send(frame)).await {
                    Ok(Ok(())) => drop(shared.sent.fetch_add(1, Ordering::Relaxed)),
                    Ok(Err(_)) => {}
                    Err(_) => is_stuck = true,
                }
            }
            if is_stuck {
                break;
            }
        }
        if !shared.is_over() {
            shared.ended(why);
            tokio::time::sleep(AGAIN).await;
        }
    }
}
