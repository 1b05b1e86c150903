//! The clients of a WebSocket API, behind `@connections` of API Gateway. The server of the
//! connections registers them here.

mod buffers;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{Method, Uri};
use parking_lot::Mutex;
use serde_json::{Value, json};
use time::OffsetDateTime;
use tokio::sync::{mpsc, oneshot, watch};

use self::buffers::{BufferSlot, Buffers};
use crate::base::{Clock, Refusal};

/// The stage, and the path of connections below it.
const PATH: &str = "/live/@connections/";
/// The largest message, in bytes.
const MAX_MESSAGE: usize = 128 * 1024;
/// Metering unit of messages, in bytes.
const METERED: usize = 32 * 1024;
/// The end of a client that reads too slowly: it may connect again, and syncs.
const SLOW: Ended = Ended { code: 4503, reason: "The client reads too slowly." };

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
    /// The text to send, which clients may share.
    pub text: Arc<str>,
    _place: BufferSlot,
}

/// All clients.
#[derive(Clone)]
pub struct Connections {
    clock: Clock,
    clients: Arc<Mutex<BTreeMap<Arc<str>, Client>>>,
    buffers: Buffers,
    /// Number of unfinished ones.
    count: watch::Sender<usize>,
}

struct Client {
    id: Arc<str>,
    /// Whether `$connect` has returned.
    is_open: bool,
    connected_at: u64,
    active_at: u64,
    lifetime: Lifetime,
    /// Tenant whose buffers include that of the client.
    tenant: Arc<str>,
    posted: mpsc::UnboundedSender<Posted>,
    end: oneshot::Sender<Ended>,
}

/// A registered client, until dropped. Posts reach it once it is opened.
pub struct Connection {
    id: Arc<str>,
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
        let (clients, buffers) = (Arc::default(), Buffers::default());
        Self { clock, clients, buffers, count: watch::Sender::new(0) }
    }

    /// Adds a client that is not open yet, with a unique `id`.
    #[must_use]
    pub fn add(&self, id: String, lifetime: Lifetime) -> (Connection, Inbox) {
        let (posted, to_send) = mpsc::unbounded_channel();
        let (end, ended) = oneshot::channel();
        let id: Arc<str> = id.into();
        let now = (self.clock)();
        let client = Client {
            id: Arc::clone(&id),
            is_open: false,
            connected_at: now,
            active_at: now,
            lifetime,
            tenant: Arc::default(),
            posted,
            end,
        };
        self.clients.lock().insert(Arc::clone(&id), client);
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

    /// The ids of open clients, with the time of the last message from or to each, in milliseconds
    /// since the epoch.
    #[must_use]
    pub fn active(&self) -> BTreeMap<String, u64> {
        let clients = self.clients.lock();
        let open = clients.values().filter(|client| client.is_open);
        open.map(|client| (client.id.to_string(), client.active_at)).collect()
    }

    /// Waits until all are closed.
    pub async fn ended(&self) {
        let mut count = self.count.subscribe();
        // The sender lives as long as this value.
        let _ = count.wait_for(|count| *count == 0).await;
    }

    fn close_where(&self, is_over: impl Fn(&Client) -> bool) {
        let over =
            self.clients.lock().extract_if(.., |_, client| is_over(client)).collect::<Vec<_>>();
        for (_, client) in over {
            let _ = client.end.send(Ended { code: 1001, reason: "Going away" });
        }
    }

    /// Answers a client of the API.
    pub(crate) fn call(&self, operation: &str, request: &Value) -> Result<Value, Refusal> {
        let id = request["ConnectionId"].as_str().unwrap_or_default();
        let mut clients = self.clients.lock();
        if operation == "PostToConnection" {
            let text = request["Data"].as_str().unwrap_or_default().into();
            return self.post(&mut clients, id, &text, (self.clock)()).map(|()| json!({}));
        }
        let client = open(&mut clients, id)?;
        match operation {
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

    /// Posts texts to clients, in order.
    pub(crate) fn post_all(&self, posts: &[(String, Arc<str>)]) -> Vec<Result<(), Refusal>> {
        let (mut clients, now) = (self.clients.lock(), (self.clock)());
        posts.iter().map(|(id, text)| self.post(&mut clients, id, text, now)).collect()
    }

    /// Posts a text to a client; clients that have to make room for it are closed.
    fn post(
        &self,
        clients: &mut BTreeMap<Arc<str>, Client>,
        id: &str,
        text: &Arc<str>,
        now: u64,
    ) -> Result<(), Refusal> {
        let client = open(clients, id)?;
        let slowest = client.post(text, &self.buffers)?;
        client.active_at = now;
        for slow in slowest.iter().filter_map(|slow| clients.remove(slow)) {
            let _ = slow.end.send(SLOW);
        }
        Ok(())
    }
}

/// An open client.
fn open<'a>(
    clients: &'a mut BTreeMap<Arc<str>, Client>,
    id: &str,
) -> Result<&'a mut Client, Refusal> {
    let client = clients.get_mut(id).filter(|client| client.is_open);
    client.ok_or_else(|| refusal(410, "GoneException", "Gone"))
}

impl Client {
    /// Posts a message; returns the clients that have to make room for it.
    fn post(&self, text: &Arc<str>, buffers: &Buffers) -> Result<Vec<Arc<str>>, Refusal> {
        if text.len() > MAX_MESSAGE {
            return Err(refusal(413, "PayloadTooLargeException", "The message is too large."));
        }
        let taken = buffers.take(&self.id, &self.tenant, text.len());
        let (place, slowest) = taken.ok_or_else(throttled)?;
        let sent = self.posted.send(Posted { text: Arc::clone(text), _place: place });
        sent.map_err(|_| refusal(410, "GoneException", "Gone")).map(|()| slowest)
    }
}

impl Connection {
    /// Id of the connection at API Gateway.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Time of registration, in milliseconds since the epoch.
    #[must_use]
    pub fn connected_at(&self) -> u64 {
        self.connected_at
    }

    /// Opens it as one of a tenant: `$connect` has returned.
    pub fn open(&self, tenant: &str) {
        self.belongs_to(tenant);
        self.change(|client| client.is_open = true);
    }

    /// Records whose buffers its own is one of.
    pub fn belongs_to(&self, tenant: &str) {
        let tenant: Arc<str> = tenant.into();
        self.connections.buffers.move_to(&self.id, &tenant);
        self.change(|client| client.tenant = tenant);
    }

    /// Records a message from it.
    pub fn touch(&self) {
        let now = (self.connections.clock)();
        self.change(|client| client.active_at = now);
    }

    /// Ends it from the side of its server, after earlier posts.
    pub fn end(&self, ended: Ended) {
        if let Some(client) = self.connections.clients.lock().remove(&self.id) {
            let _ = client.end.send(ended);
        }
    }

    /// Removes it: it has ended.
    pub fn close(&self) {
        self.connections.clients.lock().remove(&self.id);
    }

    fn change(&self, change: impl FnOnce(&mut Client)) {
        if let Some(client) = self.connections.clients.lock().get_mut(&self.id) {
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
pub(crate) fn metered(text: &str) -> usize {
    text.len().div_ceil(METERED).max(1)
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use serde_json::json;

    use super::{Connection, Connections, Inbox, Lifetime, MAX_MESSAGE};

    fn connect(connections: &Connections, id: String, tenant: &str) -> (Connection, Inbox) {
        let whole = Duration::from_secs(7200);
        let (connection, inbox) = connections.add(id, Lifetime { idle: whole, whole });
        connection.open(tenant);
        (connection, inbox)
    }

    #[test]
    fn texts_posted_together_are_shared_and_each_client_has_its_own_outcome() {
        let connections = Connections::new(Arc::new(|| 1_700_000_000_000));
        let (_one, mut of_one) = connect(&connections, "a=".to_owned(), "t");
        let (_two, mut of_two) = connect(&connections, "b=".to_owned(), "t");
        let text: Arc<str> = "x".into();
        let large: Arc<str> = "x".repeat(MAX_MESSAGE + 1).into();
        let posts = [("a=", &text), ("c=", &text), ("b=", &large), ("b=", &text)];
        let posts = posts.map(|(id, text)| (id.to_owned(), Arc::clone(text)));
        let posted = connections.post_all(&posts).into_iter();
        let status = |posted: Result<(), super::Refusal>| posted.map_err(|refused| refused.status);
        let posted: Vec<Result<(), u16>> = posted.map(status).collect();
        assert_eq!(posted, [Ok(()), Err(410), Err(413), Ok(())]);
        for inbox in [&mut of_one, &mut of_two] {
            let posted = inbox.posted.try_recv().unwrap();
            assert!(Arc::ptr_eq(&posted.text, &text) && inbox.posted.try_recv().is_err());
        }
    }

    /// Ten thousand that read nothing could hold ten gigabytes.
    #[test]
    fn clients_that_read_nothing_make_room_for_others_of_their_tenant() {
        let connections = Connections::new(Arc::new(|| 1_700_000_000_000));
        let (_other, mut of_another) = connect(&connections, "other".to_owned(), "u");
        let mut clients: Vec<(Connection, Inbox)> =
            (0..200).map(|n| connect(&connections, format!("c{n}"), "t")).collect();
        let text = "x".repeat(MAX_MESSAGE);
        let post = |id: &str| {
            let request = json!({ "ConnectionId": id, "Data": text });
            connections.call("PostToConnection", &request).map_err(|refusal| refusal.status)
        };
        post("other").unwrap();
        for _ in 0..8 {
            for (connection, _) in &clients {
                assert!(matches!(post(connection.id()), Ok(_) | Err(410 | 429)));
            }
        }
        let ends = clients.iter_mut().filter_map(|(_, inbox)| inbox.ended.try_recv().ok());
        let codes: Vec<u16> = ends.map(|ended| ended.code).collect();
        assert!((100..200).contains(&codes.len()), "{}", codes.len());
        assert!(codes.iter().all(|code| *code == 4503));
        assert!(of_another.ended.try_recv().is_err() && post("other").is_ok());
        let held = |inbox: &mut Inbox| {
            let texts = std::iter::from_fn(|| inbox.posted.try_recv().ok());
            texts.map(|posted| posted.text.len()).sum::<usize>()
        };
        let held: usize = clients
            .iter_mut()
            .filter(|(connection, _)| connections.clients.lock().contains_key(connection.id()))
            .map(|(_, inbox)| held(inbox))
            .sum();
        assert!(held <= 64 * 1024 * 1024, "{held}");
        assert!(held >= 32 * 1024 * 1024, "{held}");
    }
}
