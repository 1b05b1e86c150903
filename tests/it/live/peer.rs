//! An editor in a browser, as a stock provider connects it.

use std::{collections::BTreeSet, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::{Awareness, Dialect, Message, State};
use embedded::Call;
use serde_json::{Value, json};
use tests::socket::Socket;
use yrs::{
    ClientID, Doc, GetString, OffsetKind, Options, ReadTxn, StateVector, Text, Transact, Update,
    updates::{decoder::Decode, encoder::Encode},
};

use crate::app::App;

/// The editor of the tests.
pub(super) const ROOM: &str = "acme/d/e";

/// A frame of the server.
#[derive(Debug, PartialEq)]
pub(super) enum Heard {
    /// A message of the dialect.
    Said(Message),
    /// The user may not do it.
    Denied(String),
    /// A control message.
    Control(Value),
}

/// A document, and its connection.
pub(super) struct Peer {
    pub(super) socket: Socket,
    pub(super) doc: Doc,
    client: u64,
    clock: u64,
    /// Received states of clients.
    pub(super) heard: Vec<State>,
}

impl Peer {
    /// A document that is connected.
    pub(super) async fn connect(app: &App, client: u64, token: &str) -> Self {
        Self::over(doc(client), app, token).await
    }

    /// The document in a new connection.
    pub(super) async fn reconnect(self, app: &App, token: &str) -> Self {
        let Self { doc, clock, socket, .. } = self;
        drop(socket);
        Self { clock, ..Self::over(doc, app, token).await }
    }

    async fn over(doc: Doc, app: &App, token: &str) -> Self {
        let query = format!("protocol=y&room={}&token={token}", ROOM.replace('/', "%2F"));
        let client = doc.client_id().get();
        Self { socket: app.connect(&query).await, doc, client, clock: 0, heard: vec![] }
    }

    /// A document that is connected, with all that the server has.
    pub(super) async fn join(app: &App, client: u64, token: &str) -> Self {
        let mut peer = Self::connect(app, client, token).await;
        peer.sync().await;
        peer
    }

    /// Asks for what it lacks, and says what the server lacks.
    pub(super) async fn sync(&mut self) {
        self.sync_and_say(vec![]).await;
    }

    /// Syncs, and sends messages in the same frame.
    pub(super) async fn sync_and_say(&mut self, mut said: Vec<Message>) {
        let vector = self.doc.transact().state_vector().encode_v1();
        said.push(Message::Step1(vector));
        self.say_together(&said).await;
        self.until(|heard| matches!(heard, Heard::Said(Message::Step1(_)))).await;
    }

    pub(super) async fn say(&mut self, message: &Message) {
        self.say_together(std::slice::from_ref(message)).await;
    }

    /// Sends messages in one frame.
    pub(super) async fn say_together(&mut self, messages: &[Message]) {
        let written = |message| Dialect::Y.write("", message).expect("a message of y-websocket");
        let said: Vec<String> =
            messages.iter().map(|message| STANDARD.encode(written(message))).collect();
        self.socket.send(said.join(" ")).await;
    }

    /// The next frame, after doing what it asks for.
    pub(super) async fn hear(&mut self) -> Heard {
        let text = self.socket.part().await;
        if text.starts_with('{') {
            return Heard::Control(serde_json::from_str(&text).expect("JSON"));
        }
        let bytes = STANDARD.decode(text).expect("base64");
        if let [2, 0, _, reason @ ..] = bytes.as_slice() {
            return Heard::Denied(String::from_utf8_lossy(reason).into_owned());
        }
        let message = Dialect::Y.read(&bytes).expect("a message").message;
        match &message {
            Message::Step1(vector) => {
                let vector = StateVector::decode_v1(vector).expect("a state vector");
                let lacking = self.doc.transact().encode_state_as_update_v1(&vector);
                self.say(&Message::Step2(lacking)).await;
            }
            Message::Step2(update) | Message::Update(update) => self.apply(update),
            Message::QueryAwareness => self.say_awareness("{}").await,
            Message::Awareness(said) => {
                self.heard.extend(Awareness::read(said).expect("states").0);
            }
            _ => {}
        }
        Heard::Said(message)
    }

    /// Receives frames until one satisfies the condition; returns it.
    pub(super) async fn until(&mut self, is_it: impl Fn(&Heard) -> bool) -> Heard {
        loop {
            let heard = self.hear().await;
            if is_it(&heard) {
                return heard;
            }
            assert!(!matches!(heard, Heard::Control(_)), "{heard:?}");
        }
    }

    /// Receives frames until its text is this.
    pub(super) async fn reads(&mut self, text: &str) {
        while self.text() != text {
            let heard = self.hear().await;
            assert!(matches!(heard, Heard::Said(_)), "{heard:?} while it has {:?}", self.text());
        }
    }

    /// Receives frames until its text has these parts.
    pub(super) async fn reads_in_any_order(&mut self, parts: &[&str]) {
        while !parts.iter().all(|part| self.text().contains(part)) {
            self.hear().await;
        }
    }

    /// Sends a ping, and does not wait for its answer.
    pub(super) async fn send_ping(&mut self) {
        self.socket.send_json(&json!({ "type": "ping" })).await;
    }

    /// Sends a ping, and waits for its answer. Earlier messages may still be under way.
    pub(super) async fn pings(&mut self) {
        self.send_ping().await;
        self.until(|heard| *heard == Heard::Control(json!({ "type": "pong" }))).await;
    }

    /// Asks the server until that has all it wrote.
    pub(super) async fn is_stored(&mut self) {
        loop {
            let vector = self.doc.transact().state_vector();
            self.say(&Message::Step1(vector.encode_v1())).await;
            let heard = self.until(|heard| matches!(heard, Heard::Said(Message::Step1(_)))).await;
            let Heard::Said(Message::Step1(stored)) = heard else { continue };
            let stored = StateVector::decode_v1(&stored).expect("a state vector");
            let client = self.doc.client_id();
            if stored.get(&client) == vector.get(&client) {
                return;
            }
        }
    }

    /// Waits for the close; returns its code and reason.
    pub(super) async fn is_closed(&mut self) -> (u64, String) {
        let heard = loop {
            if let Heard::Control(heard) = self.hear().await {
                break heard;
            }
        };
        assert_eq!(heard["type"], "close", "{heard}");
        let reason = heard["reason"].as_str().expect("a reason").to_owned();
        self.socket.closed().await;
        (heard["code"].as_u64().expect("a code"), reason)
    }

    /// Inserts a text and says so.
    pub(super) async fn types(&mut self, at: u32, text: &str) {
        let update = self.insert(at, text);
        self.say(&Message::Update(update)).await;
    }

    /// Inserts a text; returns the update of it.
    pub(super) fn insert(&self, at: u32, text: &str) -> Vec<u8> {
        let content = self.doc.get_or_insert_text("content");
        let mut txn = self.doc.transact_mut();
        content.insert(&mut txn, at, text);
        txn.encode_update_v1()
    }

    /// Removes a part of the text and says so.
    pub(super) async fn removes(&mut self, at: u32, length: u32) {
        let content = self.doc.get_or_insert_text("content");
        let update = {
            let mut txn = self.doc.transact_mut();
            content.remove_range(&mut txn, at, length);
            txn.encode_update_v1()
        };
        self.say(&Message::Update(update)).await;
    }

    pub(super) fn text(&self) -> String {
        let content = self.doc.get_or_insert_text("content");
        content.get_string(&self.doc.transact())
    }

    /// All that it has, as one update.
    pub(super) fn state(&self) -> Vec<u8> {
        self.doc.transact().encode_state_as_update_v1(&StateVector::default())
    }

    /// State vector of the document.
    pub(super) fn vector(&self) -> Vec<u8> {
        self.doc.transact().state_vector().encode_v1()
    }

    pub(super) fn apply(&self, update: &[u8]) {
        let update = Update::decode_v1(update).expect("an update");
        self.doc.transact_mut().apply_update(update).expect("an update that fits");
    }

    /// Sends an awareness state of its client.
    pub(super) async fn say_awareness(&mut self, json: &str) {
        let said = self.awareness(json);
        self.say(&said).await;
    }

    /// Next awareness message of the client.
    pub(super) fn awareness(&mut self, json: &str) -> Message {
        self.clock += 1;
        let state = State { client: self.client, clock: self.clock, json: json.to_owned() };
        Message::Awareness(Awareness(vec![state]).write())
    }

    /// The states of others that it received before its own state came back.
    pub(super) async fn before_its_own(&mut self, client: u64) -> Vec<State> {
        let mut states = std::mem::take(&mut self.heard);
        while !states.iter().any(|state: &State| state.client == client) {
            self.hear().await;
            states.append(&mut self.heard);
        }
        states.retain(|state| state.client != client);
        states
    }

    /// Waits until it has sent so many states and the last came back, or one that waited with it.
    pub(super) async fn is_heard(&mut self, said: u64) {
        let last = |heard: &[State], client| {
            let own = heard.iter().filter(|state| state.client == client);
            own.map(|state| state.clock).max().unwrap_or_default()
        };
        while self.clock < said || last(&self.heard, self.client) < said {
            self.hear().await;
        }
    }

    /// The received states, once so many clients are among them.
    pub(super) async fn hears_of_all(&mut self, others: usize) -> Vec<State> {
        let known = |states: &[State]| {
            states.iter().map(|state| state.client).collect::<BTreeSet<u64>>().len()
        };
        while known(&self.heard) < others {
            self.hear().await;
        }
        std::mem::take(&mut self.heard)
    }

    /// The next state of any client.
    pub(super) async fn hears_of_any(&mut self) -> State {
        while self.heard.is_empty() {
            self.hear().await;
        }
        self.heard.remove(0)
    }

    /// The next message from a client.
    pub(super) async fn hears_of(&mut self, client: u64) -> State {
        loop {
            if let Heard::Said(Message::Awareness(said)) = self.hear().await {
                let said = Awareness::read(&said).expect("states").0;
                if let Some(state) = said.into_iter().find(|state| state.client == client) {
                    return state;
                }
            }
        }
    }
}

/// Waits until a message for the worker is sent.
pub(super) async fn relayed(app: &App) {
    let is_sent = |it: &Call| it.operation == "SendMessageBatch" && it.target.ends_with("live");
    let sent = async {
        while !app.calls().iter().any(is_sent) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), sent).await.expect("a message");
}

fn doc(client: u64) -> Doc {
    Doc::with_options(Options {
        client_id: ClientID::new(client),
        offset_kind: OffsetKind::Utf16,
        ..Options::default()
    })
}
