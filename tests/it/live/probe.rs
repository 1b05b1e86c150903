//! Functions of the WebSocket API that a test answers itself.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use aws::LiveConnections;
use parking_lot::Mutex;
use service::{Access, Family, Listed, Result, Socket, SocketCx, SocketEvent, SocketSpec};
use tests::socket::Socket as Client;
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

use crate::app::{App, Options};

/// An event that waits for its answer.
pub(super) struct Seen {
    pub(super) route: &'static str,
    pub(super) connection: String,
    pub(super) body: String,
    answer: oneshot::Sender<Result<()>>,
}

type Watcher = mpsc::UnboundedSender<Seen>;

/// The receivers of events, by the name of their probe and by its connections.
static WATCHERS: Mutex<BTreeMap<String, Watcher>> = Mutex::new(BTreeMap::new());

/// A deployment whose functions of the WebSocket API do what the test says.
pub(super) struct Probe {
    pub(super) app: App,
    /// Arguments of the functions, in order.
    pub(super) seen: mpsc::UnboundedReceiver<Seen>,
    name: String,
}

impl Probe {
    pub(super) async fn start(options: Options) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("probe {}", COUNT.fetch_add(1, Ordering::Relaxed));
        let (watcher, seen) = mpsc::unbounded_channel();
        WATCHERS.lock().insert(name.clone(), watcher);
        let app = App::start_with(Options { families: vec![family()], ..options }).await;
        Self { app, seen, name }
    }

    /// The query of a connection that is heard of here.
    pub(super) fn query(&self) -> String {
        format!("probe={}", self.name.replace(' ', "%20"))
    }

    /// Connects; returns the id of the connection as well.
    pub(super) async fn connect(&mut self) -> (Client, String) {
        let query = self.query();
        let (connected, id) = tokio::join!(Client::open(&self.app.base, &query), async {
            let seen = next(&mut self.seen).await;
            assert_eq!(seen.route, "$connect");
            seen.answer(Ok(()))
        });
        (connected.expect("a connection"), id)
    }

    pub(super) async fn next(&mut self) -> Seen {
        next(&mut self.seen).await
    }

    /// The clients, as a function of a name reaches them.
    pub(super) fn connections_of(&self, function: &str) -> LiveConnections {
        let mut settings =
            roundtable::config(self.app.stack().aws_endpoint().expect("a port"), None).aws;
        settings.access_key_id = function.to_owned();
        LiveConnections::new(&settings)
    }

    pub(super) fn connections(&self) -> LiveConnections {
        self.connections_of("probe-message")
    }
}

impl Seen {
    /// Lets the function return; returns the connection.
    pub(super) fn answer(self, result: Result<()>) -> String {
        self.answer.send(result).expect("the function waits");
        self.connection
    }
}

async fn next(seen: &mut mpsc::UnboundedReceiver<Seen>) -> Seen {
    let seen = timeout(Duration::from_secs(20), seen.recv()).await;
    seen.expect("an event comes").expect("the probe is there")
}

fn family() -> Family {
    Family {
        name: "probe",
        operations: vec![],
        workers: vec![],
        pages: vec![],
        sockets: vec![
            SocketSpec::of::<Connect>(),
            SocketSpec::of::<Message>(),
            SocketSpec::of::<Disconnect>(),
        ],
        access: &[Access::Post],
    }
}

async fn tell(watcher: Option<Watcher>, route: &'static str, event: &SocketEvent) -> Result<()> {
    let (answer, answered) = oneshot::channel();
    let connection = event.connection_id().to_owned();
    let seen = Seen { route, connection, body: event.body().to_owned(), answer };
    watcher.expect("a probe").send(seen).expect("a test that hears it");
    // A test that has enough drops what it does not answer.
    answered.await.unwrap_or(Ok(()))
}

fn watcher(name: &str) -> Option<Watcher> {
    WATCHERS.lock().get(name).cloned()
}

enum Connect {}
enum Message {}
enum Disconnect {}

impl Listed for Connect {
    const NAME: &'static str = "probe.connect";
    const SUMMARY: &'static str = "";
}
impl Listed for Message {
    const NAME: &'static str = "probe.message";
    const SUMMARY: &'static str = "";
}
impl Listed for Disconnect {
    const NAME: &'static str = "probe.disconnect";
    const SUMMARY: &'static str = "";
}

impl Socket for Connect {
    const ROUTE: &'static str = "$connect";

    async fn handle(_cx: SocketCx, event: SocketEvent) -> Result<()> {
        let watcher = watcher(event.query("probe").expect("the name of a probe"));
        let id = event.connection_id().to_owned();
        WATCHERS.lock().insert(id, watcher.clone().expect("a probe"));
        tell(watcher, Self::ROUTE, &event).await
    }
}

impl Socket for Message {
    const ROUTE: &'static str = "$default";

    async fn handle(_cx: SocketCx, event: SocketEvent) -> Result<()> {
        tell(watcher(event.connection_id()), Self::ROUTE, &event).await
    }
}

impl Socket for Disconnect {
    const ROUTE: &'static str = "$disconnect";

    async fn handle(_cx: SocketCx, event: SocketEvent) -> Result<()> {
        tell(watcher(event.connection_id()), Self::ROUTE, &event).await
    }
}
