//! A receiver of webhooks: it listens on this machine, answers as configured, and remembers.

use std::{collections::VecDeque, sync::Arc};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use parking_lot::Mutex;
use serde_json::Value;
use service::Clock;
use tokio::{net::TcpListener, sync::Notify};

use crate::App;

/// One request as it came.
#[derive(Clone, Debug)]
pub struct Received {
    /// Path of the request.
    pub path: String,
    /// Headers of the request.
    pub headers: HeaderMap,
    /// Body of the request.
    pub body: Vec<u8>,
    /// When it came, in epoch milliseconds of the deployment.
    pub at: u64,
}

impl Received {
    /// A header as text; empty when there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The id of the message.
    pub fn id(&self) -> String {
        self.header("webhook-id").to_owned()
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }
}

/// The reply to a request.
#[derive(Clone, Debug)]
pub struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    gate: Option<Arc<Gate>>,
}

/// Holds a reply back.
#[derive(Debug, Default)]
pub struct Gate {
    arrived: Notify,
    opened: Notify,
}

impl Gate {
    /// Waits for the request.
    pub async fn arrived(&self) {
        self.arrived.notified().await;
    }

    /// Lets the reply go.
    pub fn open(&self) {
        self.opened.notify_one();
    }
}

impl Answer {
    /// A reply with a status only.
    pub fn status(status: u16) -> Self {
        Self { status, headers: vec![], body: vec![], gate: None }
    }

    /// Holds the reply back until the gate is open.
    #[must_use]
    pub fn behind(mut self, gate: &Arc<Gate>) -> Self {
        self.gate = Some(Arc::clone(gate));
        self
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// Adds a body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }
}

struct Shared {
    clock: Clock,
    received: Mutex<Vec<Received>>,
    answers: Mutex<VecDeque<Answer>>,
    usual: Mutex<Answer>,
}

/// A receiver of webhooks.
#[derive(Clone)]
pub struct Receiver {
    /// URL of the receiver.
    pub url: String,
    shared: Arc<Shared>,
}

impl Receiver {
    /// Listens; answers 200 until configured otherwise.
    pub async fn start(app: &App) -> Self {
        let shared = Arc::new(Shared {
            clock: app.clock.clone(),
            received: Mutex::default(),
            answers: Mutex::default(),
            usual: Mutex::new(Answer::status(200)),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(take).with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, shared }
    }

    /// Answers like this from now on.
    pub fn answer(&self, answer: Answer) {
        *self.shared.usual.lock() = answer;
    }

    /// Returns the next requests like this, one each, before the usual answer.
    pub fn script(&self, answers: impl IntoIterator<Item = Answer>) {
        self.shared.answers.lock().extend(answers);
    }

    /// Takes the requests received so far.
    pub fn take(&self) -> Vec<Received> {
        std::mem::take(&mut *self.shared.received.lock())
    }

    /// Amount since the last call.
    pub fn count(&self) -> usize {
        self.shared.received.lock().len()
    }
}

async fn take(
    State(shared): State<Arc<Shared>>,
    uri: axum::http::Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let (path, at) = (uri.path().to_owned(), shared.clock.now());
    let received = Received { path, headers, body: body.to_vec(), at };
    shared.received.lock().push(received);
    let scripted = shared.answers.lock().pop_front();
    let answer = scripted.unwrap_or_else(|| shared.usual.lock().clone());
    if let Some(gate) = &answer.gate {
        gate.arrived.notify_one();
        gate.opened.notified().await;
    }
    let mut response = Response::new(answer.body.into());
    *response.status_mut() = StatusCode::from_u16(answer.status).expect("a status");
    for (name, value) in answer.headers {
        response.headers_mut().append(name, value.parse().expect("a header"));
    }
    response
}
