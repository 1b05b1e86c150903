//! The clients of a WebSocket API, behind `@connections` of API Gateway. The server of the
//! connections registers them here.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{Method, Uri};
use serde_json::{Value, json};
use time::OffsetDateTime;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};

use crate::environment::Clock;
use crate::wire::Refusal;

/// The stage, and the path of connections below it.
const PATH: &str = "/live/@connections/";
/// The largest message, in bytes.
const MAX_MESSAGE: usize = 128 * 1024;
/// Metering unit of messages, in bytes.
const METERED: usize = 32 * 1024;
/// Buffer size of a client in bytes. That of API Gateway is not documented.
const BUFFER: usize = 1024 * 1024;
/// The part of it that each client has, and what all have together beyond that, in bytes: clients
/// that read nothing take no more memory than this.
const OWN_BUFFER: usize = 64 * 1024;
const ALL_BUFFERS: usize = 256 * 1024 * 1024;
/// Overhead of a buffered message.
const OVERHEAD: usize = 64;

/// Time limits of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetime {
    /// Maximum time without a message in either direction.
    pub idle: Duration,
    /// Maximum total time.
    pub whole: Duration,
}

/// The reason for closing a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// The close code.
    pub code: u16,
    /// The close reason.
    pub reason: &'static str,
}

/// A buffered message to a client. Dropping it frees its place.
#[derive(Debug)]
pub struct Posted {
    /// The text to send.
    pub text: String,
    _place: OwnedSemaphorePermit,
    _shared: Option<OwnedSemaphorePermit>,
}

/// All clients.
#[derive(Clone)]
pub struct Connections {
    clock: Clock,
    clients: Arc<Mutex<BTreeMap<String, Client>>>,
    /// See [`ALL_BUFFERS`].
    shared: Arc<Semaphore>,
    /// Number of unfinished ones.
    count: watch::Sender<usize>,
}

struct Client {
    /// Whether `$connect` has returned.
    is_open: bool,
    connected_at: u64,
    active_at: u64,
    lifetime: Lifetime,
    posted: mpsc::UnboundedSender<Posted>,
    buffer: Arc<Semaphore>,
    end: oneshot::Sender<Ended>,
}

/// A registered client, until dropped. Posts reach it once it is opened.
pub struct Connection {
    id: String,
    connected_at: u64,
    connections: Connections,
}

/// Messages received by a client.
pub struct Inbox {
    /// Posted messages; ends when the client is removed.
    pub posted: mpsc::UnboundedReceiver<Posted>,
    /// The request to close it, after earlier posts.
    pub ended: oneshot::Receiver<Ended>,
}

impl Connections {
    pub(crate) fn new(clock: Clock) -> Self {
        let shared = Arc::new(Semaphore::new(ALL_BUFFERS));
        Self { clock, clients: Arc::default(), shared, count: watch::Sender::new(0) }
    }

    /// Adds a client that is not open yet, with a unique `id`.
    #[must_use]
    pub fn add(&self, id: String, lifetime: Lifetime) -> (Connection, Inbox) {
        let (posted, to_send) = mpsc::unbounded_channel();
        let (end, ended) = oneshot::channel();
        let now = (self.clock)();
        let client = Client {
            is_open: false,
            connected_at: now,
            active_at: now,
            lifetime,
            posted,
            buffer: Arc::new(Semaphore::new(BUFFER)),
            end,
        };
        self.clients().insert(id.clone(), client);
        self.count.send_modify(|count| *count += 1);
        let connection = Connection { id, connected_at: now, connections: self.clone() };
        (connection, Inbox { posted: to_send, ended })
    }

    /// Closes clients that exceeded a time limit.
    pub fn close_expired(&self) {
        let now = (self.clock)();
        let passed = |since: u64, limit: Duration| {
            u128::from(now.saturating_sub(since)) >= limit.as_millis()
        };
        self.close_where(|client| {
            passed(client.active_at, client.lifetime.idle)
                || passed(client.connected_at, client.lifetime.whole)
        });
    }

    /// Closes all of them.
    pub fn close_all(&self) {
        self.close_where(|_| true);
    }

    /// Number of clients.
    #[must_use]
    pub fn count(&self) -> usize {
        *self.count.borrow()
    }

    /// Waits until all are closed.
    pub async fn ended(&self) {
        let mut count = self.count.subscribe();
        // The sender lives as long as this value.
        let _ = count.wait_for(|count| *count == 0).await;
    }

    fn close_where(&self, is_over: impl Fn(&Client) -> bool) {
        let over = self.clients().extract_if(.., |_, client| is_over(client)).collect::<Vec<_>>();
        for (_, client) in over {
            let _ = client.end.send(Ended { code: 1001, reason: "Going away" });
        }
    }

    /// Answers a client of the API.
    pub(crate) fn call(&self, operation: &str, request: &Value) -> Result<Value, Refusal> {
        let id = request["ConnectionId"].as_str().unwrap_or_default();
        let mut clients = self.clients();
        let client = clients.get_mut(id).filter(|client| client.is_open);
        let client = client.ok_or_else(|| refusal(410, "GoneException", "Gone"))?;
        match operation {
            "PostToConnection" => {
                let text = request["Data"].as_str().unwrap_or_default();
                client.post(text, &self.shared)?;
                client.active_at = (self.clock)();
            }
            "DeleteConnection" => {
                if let Some(client) = clients.remove(id) {
                    let _ =
                        client.end.send(Ended { code: 1000, reason: "Connection Closed Normally" });
                }
            }
            _ => {
                return Ok(json!({
                    "connectedAt": timestamp(client.connected_at),
                    "lastActiveAt": timestamp(client.active_at),
                }));
            }
        }
        Ok(json!({}))
    }

    fn clients(&self) -> MutexGuard<'_, BTreeMap<String, Client>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Client {
    fn post(&self, text: &str, shared: &Arc<Semaphore>) -> Result<(), Refusal> {
        if text.len() > MAX_MESSAGE {
            return Err(refusal(413, "PayloadTooLargeException", "The message is too large."));
        }
        let bytes = u32::try_from(text.len() + OVERHEAD).unwrap_or(u32::MAX);
        let place = Arc::clone(&self.buffer).try_acquire_many_owned(bytes);
        let place = place.map_err(|_| throttled())?;
        let is_beyond = self.buffer.available_permits() < BUFFER - OWN_BUFFER;
        let more = is_beyond.then(|| Arc::clone(shared).try_acquire_many_owned(bytes));
        let more = more.transpose().map_err(|_| throttled())?;
        let sent = self.posted.send(Posted { text: text.to_owned(), _place: place, _shared: more });
        sent.map_err(|_| refusal(410, "GoneException", "Gone"))
    }
}

impl Connection {
    /// Its id at API Gateway.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Time of registration, in milliseconds since the epoch.
    #[must_use]
    pub fn connected_at(&self) -> u64 {
        self.connected_at
    }

    /// Opens it: `$connect` has returned.
    pub fn open(&self) {
        self.change(|client| client.is_open = true);
    }

    /// Records a message from it.
    pub fn touch(&self) {
        let now = (self.connections.clock)();
        self.change(|client| client.active_at = now);
    }

    /// Ends it from the side of its server, after earlier posts.
    pub fn end(&self, ended: Ended) {
        if let Some(client) = self.connections.clients().remove(&self.id) {
            let _ = client.end.send(ended);
        }
    }

    /// Removes it: it has ended.
    pub fn close(&self) {
        self.connections.clients().remove(&self.id);
    }

    fn change(&self, change: impl FnOnce(&mut Client)) {
        if let Some(client) = self.connections.clients().get_mut(&self.id) {
            change(client);
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.close();
        self.connections.count.send_modify(|count| *count = count.saturating_sub(1));
    }
}

/// The operation and the request of a call of the API, none for another API.
pub(crate) fn addressed(method: &Method, uri: &Uri) -> Option<(&'static str, String)> {
    let id = uri.path().strip_prefix(PATH)?;
    let operation = match *method {
        Method::POST => "PostToConnection",
        Method::DELETE => "DeleteConnection",
        Method::GET => "GetConnection",
        _ => return None,
    };
    Some((operation, id.replace("%3D", "=")))
}

/// A call in the form of other services.
pub(crate) fn request(id: &str, body: &[u8]) -> Result<Value, Refusal> {
    let refuse = |_| refusal(400, "BadRequestException", "The message is no text.");
    let text = std::str::from_utf8(body).map_err(refuse)?;
    Ok(json!({ "ConnectionId": id, "Data": text }))
}

/// Number of billed messages.
pub(crate) fn metered(request: &Value) -> usize {
    request["Data"].as_str().unwrap_or_default().len().div_ceil(METERED).max(1)
}

/// The error for too many posts.
pub(crate) fn throttled() -> Refusal {
    refusal(429, "LimitExceededException", "Too many messages are on their way.")
}

/// A failure of the service.
pub(crate) fn internal_failure() -> Refusal {
    refusal(500, "InternalServerErrorException", "An internal failure was injected.")
}

/// As in `2026-11-20T08:00:00Z`.
fn timestamp(millis: u64) -> String {
    let seconds = i64::try_from(millis / 1000).unwrap_or_default();
    let time = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (hour, minute, second) = time.to_hms();
    format!("{}T{hour:02}:{minute:02}:{second:02}Z", time.date())
}

fn refusal(status: u16, code: &str, message: &str) -> Refusal {
    Refusal::new(status, "com.amazonaws.apigatewaymanagementapi", code, message)
}
