//! Stock providers without an adapter: binary messages at paths of their own.

use std::time::Duration;

use dialects::{Awareness, Close, Dialect, Message, Scope, State};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::socket::Socket;
use yrs::{
    Any, Array, ClientID, Doc, GetString, Map, OffsetKind, Options as DocOptions, Out, ReadTxn,
    StateVector, Text, Transact, Update,
    updates::{decoder::Decode, encoder::Encode},
};

use super::peer::{Peer, ROOM};
use crate::{
    app::{App, Options},
    editors::readable::{picture, random},
    end_users::{at, member, with_document},
};

pub(super) const MB: usize = 1024 * 1024;

/// A stock provider.
pub(super) struct Stock {
    socket: Socket,
    dialect: Dialect,
    pub(super) doc: Doc,
    silences: usize,
}

impl Stock {
    pub(super) async fn connect(app: &App, dialect: Dialect, client: u64, token: &str) -> Self {
        let path = match dialect {
            Dialect::Y => format!("/live/y/{ROOM}?token={token}"),
            Dialect::Hocuspocus => "/live/hocuspocus".to_owned(),
        };
        let socket = app.connect_to(&path).await.expect("a connection");
        let id = ClientID::new(client);
        let doc = Doc::with_options(DocOptions {
            client_id: id,
            offset_kind: OffsetKind::Utf16,
            ..DocOptions::default()
        });
        let mut stock = Self { socket, dialect, doc, silences: 0 };
        if dialect == Dialect::Hocuspocus {
            stock.say_token(token).await;
        }
        stock
    }

    /// Connects, and waits until the provider has all that the service has.
    pub(super) async fn join(app: &App, dialect: Dialect, client: u64, token: &str) -> Self {
        let mut stock = Self::connect(app, dialect, client, token).await;
        let vector = stock.doc.transact().state_vector().encode_v1();
        stock.say(&Message::Step1(vector)).await;
        stock.until(|message| matches!(message, Message::Step2(_))).await;
        stock
    }

    pub(super) async fn say_token(&mut self, token: &str) {
        self.socket.send_binary(token_message(ROOM, token)).await;
    }

    pub(super) async fn say(&mut self, message: &Message) {
        self.socket.send_binary(self.dialect.write(ROOM, message).expect("a message")).await;
    }

    pub(super) async fn say_bytes(&mut self, bytes: Vec<u8>) {
        self.socket.send_binary(bytes).await;
    }

    /// The next message, after what a provider does with it; or the close.
    pub(super) async fn hear(&mut self) -> Result<Message, (u16, String)> {
        loop {
            let bytes = self.socket.binary().await?;
            if let Some(message) = self.answer_of(&bytes) {
                return Ok(message);
            }
            let message = self.dialect.read(&bytes).expect("a message").message;
            match &message {
                Message::Step1(vector) => {
                    let vector = StateVector::decode_v1(vector).expect("a state vector");
                    let lacking = self.doc.transact().encode_state_as_update_v1(&vector);
                    self.say(&Message::Step2(lacking)).await;
                }
                Message::Step2(update) | Message::Update(update) => {
                    let update = Update::decode_v1(update).expect("an update");
                    self.doc.transact_mut().apply_update(update).expect("an update that fits");
                }
                Message::QueryAwareness => continue,
                // Of a service that has nothing to say for 15 seconds.
                Message::Awareness(states) if states == &[0] => {
                    self.silences += 1;
                    assert!(self.silences < 4, "nothing comes");
                    continue;
                }
                _ => {}
            }
            return Ok(message);
        }
    }

    /// A message that only services send.
    fn answer_of(&self, bytes: &[u8]) -> Option<Message> {
        // Code and reason may follow.
        let unsaved = self.dialect.write(ROOM, &Message::Saved(false));
        if unsaved.is_some_and(|unsaved| bytes.starts_with(&unsaved)) {
            return Some(Message::Saved(false));
        }
        let own = [
            Message::Saved(true),
            Message::Authenticated(Scope::ReadOnly),
            Message::Authenticated(Scope::ReadWrite),
        ];
        let is = |message: &Message| self.dialect.write(ROOM, message).as_deref() == Some(bytes);
        if let Some(message) = own.into_iter().find(is) {
            return Some(message);
        }
        let head = self.dialect.write(ROOM, &Message::Denied(String::new()))?;
        let reason = bytes.strip_prefix(&head[..head.len() - 1])?.get(1..)?;
        Some(Message::Denied(String::from_utf8_lossy(reason).into_owned()))
    }

    pub(super) async fn until(&mut self, is_it: impl Fn(&Message) -> bool) -> Message {
        loop {
            let heard = self.hear().await.expect("a message");
            if is_it(&heard) {
                return heard;
            }
        }
    }

    /// The code and reason of the close.
    pub(super) async fn closed(&mut self) -> (u16, String) {
        loop {
            if let Err(closed) = self.hear().await {
                return closed;
            }
        }
    }

    pub(super) fn insert(&self, at: u32, text: &str) -> Vec<u8> {
        let content = self.doc.get_or_insert_text("content");
        let mut txn = self.doc.transact_mut();
        content.insert(&mut txn, at, text);
        txn.encode_update_v1()
    }

    pub(super) async fn types(&mut self, at: u32, text: &str) {
        let update = self.insert(at, text);
        self.say(&Message::Update(update)).await;
    }

    pub(super) fn text(&self) -> String {
        self.doc.get_or_insert_text("content").get_string(&self.doc.transact())
    }

    pub(super) async fn reads(&mut self, text: &str) {
        while self.text() != text {
            self.hear().await.expect("a message");
        }
    }

    pub(super) fn set(&self, key: &str, value: Any) -> Vec<u8> {
        let map = self.doc.get_or_insert_map("map");
        let mut txn = self.doc.transact_mut();
        map.insert(&mut txn, key, value);
        txn.encode_update_v1()
    }

    fn value(&self, key: &str) -> Option<Any> {
        let map = self.doc.get_or_insert_map("map");
        match map.get(&self.doc.transact(), key)? {
            Out::Any(value) => Some(value),
            _ => None,
        }
    }

    /// Waits until what it said is stored; returns the code if it is closed instead.
    async fn ends_or_is_stored(&mut self) -> Option<u16> {
        if self.dialect == Dialect::Y {
            // A later question is answered later. The first one may be of joining.
            self.say(&Message::Step1(vec![0])).await;
            let vector = |message: &Message| match message {
                Message::Step1(vector) => StateVector::decode_v1(vector).ok(),
                _ => None,
            };
            let own = self.doc.transact().state_vector();
            let client = self.doc.client_id();
            loop {
                match self.hear().await {
                    Err((code, _)) => return Some(code),
                    Ok(message) => {
                        let known =
                            vector(&message).is_some_and(|v| v.get(&client) == own.get(&client));
                        if known {
                            return None;
                        }
                    }
                }
            }
        }
        loop {
            match self.hear().await {
                Err((code, _)) => return Some(code),
                Ok(Message::Saved(is_saved)) => return (!is_saved).then_some(0),
                Ok(_) => {}
            }
        }
    }

    /// Waits until what it said is stored.
    async fn is_stored(&mut self) {
        assert_eq!(self.ends_or_is_stored().await, None);
    }

    async fn shows(&mut self, client: u64, clock: u64) {
        let state = State { client, clock, json: format!("{{\"n\":{clock}}}") };
        self.say(&Message::Awareness(Awareness(vec![state]).write())).await;
    }
}

/// The message with which a provider of Hocuspocus begins.
pub(super) fn token_message(room: &str, token: &str) -> Vec<u8> {
    let length = |of: usize| [(of & 0x7f) as u8 | 0x80, (of >> 7) as u8];
    let name = [&[room.len() as u8], room.as_bytes(), &[2, 0]].concat();
    [&name[..], &length(token.len()), token.as_bytes(), b"\x054.8.0"].concat()
}

pub(super) const BOTH: [Dialect; 2] = [Dialect::Y, Dialect::Hocuspocus];

async fn stored(app: &App) -> Value {
    app.call("editors.get", at(json!({ "editorId": "e" }))).await.data()[0]["data"].clone()
}

#[tokio::test]
async fn both_dialects_and_the_adapter_share_an_editor() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut adapted = Peer::join(&app, 1, &ada).await;
    let mut y = Stock::join(&app, Dialect::Y, 2, &ada).await;
    let mut hocuspocus = Stock::join(&app, Dialect::Hocuspocus, 3, &ada).await;
    y.types(0, "Hello").await;
    hocuspocus.reads("Hello").await;
    adapted.reads("Hello").await;
    hocuspocus.types(5, " world").await;
    assert_eq!(hocuspocus.until(|it| matches!(it, Message::Saved(_))).await, Message::Saved(true));
    y.reads("Hello world").await;
    adapted.reads("Hello world").await;
    adapted.types(11, "!").await;
    y.reads("Hello world!").await;
    assert_eq!(stored(&app).await, "Hello world!");
}

#[tokio::test]
async fn rooms_are_taken_from_the_path_as_they_are_escaped() {
    let app = with_document().await;
    let documents = json!({ "organizationId": "acme", "documents": [{ "documentId": "a/b c", "documentName": "D" }] });
    app.call("documents.add", documents).await.ok();
    let ada = member(&app, "ada", "editor").await;
    let path = format!("/live/y/acme/a%2Fb%20c/e?token={ada}&room=acme%2Fd%2Fe&protocol=events");
    let mut socket = app.connect_to(&path).await.expect("a connection");
    let update = Stock::insert(&Stock::connect(&app, Dialect::Y, 5, &ada).await, 0, "there");
    socket.send_binary(Dialect::Y.write("", &Message::Update(update)).unwrap()).await;
    socket.send_binary(Dialect::Y.write("", &Message::Step1(vec![0])).unwrap()).await;
    while socket.binary().await.expect("a message")[..2] != [0, 1] {}
    let at = json!({ "organizationId": "acme", "documentId": "a/b c", "editorId": "e" });
    assert_eq!(app.call("editors.get", at).await.data()[0]["data"], "there");
    for (path, status) in [
        ("/live/y/acme/d", 400),
        ("/live/y/acme/d/e/f", 400),
        ("/live/y/", 404),
        ("/live/hocuspocus/room", 404),
        ("/live/other", 404),
    ] {
        let refused = app.connect_to(&format!("{path}?token={ada}")).await.err();
        assert_eq!(refused, Some(status), "{path}");
    }
    assert_eq!(app.connect_to(&format!("/live/y/{ROOM}")).await.err(), Some(403));
    assert!(app.connect_to("/live/hocuspocus/").await.is_ok());
}

#[tokio::test]
async fn a_refused_token_closes_y_websocket_and_hocuspocus_may_send_another_one() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut y = Stock::connect(&app, Dialect::Y, 1, "nonsense").await;
    y.say(&Message::Step1(vec![0])).await;
    assert_eq!(y.closed().await.0, 4401);
    let mut hocuspocus = Stock::connect(&app, Dialect::Hocuspocus, 2, "nonsense").await;
    // A provider does not wait for the answer.
    hocuspocus.say(&Message::Step1(vec![0])).await;
    let denied = hocuspocus.hear().await;
    assert!(matches!(denied, Ok(Message::Denied(_))), "{denied:?}");
    // The provider may send another token.
    hocuspocus.say_token(&ada).await;
    let heard = hocuspocus.hear().await;
    assert_eq!(heard, Ok(Message::Authenticated(Scope::ReadWrite)));
    hocuspocus.say(&Message::Step1(vec![0])).await;
    hocuspocus.until(|it| matches!(it, Message::Step2(_))).await;
}

#[tokio::test]
async fn changes_of_a_viewer_are_refused_in_the_words_of_the_dialect() {
    let app = with_document().await;
    let (ada, eve) = (member(&app, "ada", "editor").await, member(&app, "eve", "viewer").await);
    let mut ada = Peer::join(&app, 1, &ada).await;
    ada.types(0, "read me").await;
    ada.is_stored().await;
    for dialect in BOTH {
        let mut eve = Stock::join(&app, dialect, 2, &eve).await;
        // One for the function, and one that is too large for it.
        for text in ["x".to_owned(), "x".repeat(40_000)] {
            eve.types(0, &text).await;
            match dialect {
                Dialect::Y => {
                    let denied = eve.until(|it| matches!(it, Message::Denied(_))).await;
                    let reason = "The user may only read the document d.";
                    assert_eq!(denied, Message::Denied(reason.to_owned()));
                }
                Dialect::Hocuspocus => {
                    let refused = |it: &Message| *it == Message::Saved(false);
                    eve.until(refused).await;
                }
            }
        }
    }
    assert_eq!(stored(&app).await, "read me");
}

#[tokio::test]
async fn large_changes_are_stored_in_their_order_and_read_by_others() {
    for dialect in BOTH {
        let app = with_document().await;
        let ada = member(&app, "ada", "editor").await;
        let mut writer = Stock::join(&app, dialect, 1, &ada).await;
        let mut reader = Stock::join(&app, dialect, 2, &ada).await;
        // One item of a megabyte, which is more than an update may have.
        let (first, large) = ("first ".to_owned(), "0123456789".repeat(MB / 10));
        writer.types(0, &first).await;
        writer.types(6, &large).await;
        writer.types(6 + large.len() as u32, " last").await;
        if dialect == Dialect::Hocuspocus {
            for _ in 0..3 {
                let saved = writer.until(|it| matches!(it, Message::Saved(_))).await;
                assert_eq!(saved, Message::Saved(true));
            }
        } else {
            // A later question is answered later. The first one is of joining.
            writer.say(&Message::Step1(vec![0])).await;
            for _ in 0..2 {
                writer.until(|it| matches!(it, Message::Step1(_))).await;
            }
        }
        let whole = format!("{first}{large} last");
        assert!(stored(&app).await == whole);
        app.settle().await;
        reader.reads(&whole).await;
        let late = Stock::join(&app, dialect, 3, &ada).await;
        assert!(late.text() == whole);
    }
}

#[tokio::test]
async fn a_picture_of_4_mb_is_one_value_of_a_map() {
    for dialect in BOTH {
        let app = with_document().await;
        let ada = member(&app, "ada", "editor").await;
        let mut writer = Stock::join(&app, dialect, 1, &ada).await;
        let mut reader = Stock::join(&app, dialect, 2, &ada).await;
        let picture = picture(1);
        assert_eq!(picture.len(), 4_000_000);
        let update = writer.set("image", Any::from(picture.clone()));
        writer.say(&Message::Update(update)).await;
        writer.is_stored().await;
        app.settle().await;
        while reader.value("image") != Some(Any::from(picture.clone())) {
            reader.hear().await.expect("a message");
        }
        let late = Stock::join(&app, dialect, 3, &ada).await;
        assert!(late.value("image") == Some(Any::from(picture)));
    }
}

/// Each writes 2.4 MB that cannot be compressed; the editor has room for one of them.
#[tokio::test]
async fn two_large_changes_at_once_leave_an_editor_that_can_be_read() {
    for dialect in BOTH {
        let app = with_document().await;
        let ada = member(&app, "ada", "editor").await;
        let mut writers = vec![];
        for client in [1, 2] {
            writers.push(Stock::join(&app, dialect, client, &ada).await);
        }
        for writer in &mut writers {
            let client = writer.doc.client_id().get();
            let values = (0..8).map(|n| Any::from(random(client * 8 + n, 300_000)));
            let list = writer.doc.get_or_insert_array("list");
            let mut txn = writer.doc.transact_mut();
            list.insert_range(&mut txn, 0, values);
            let update = txn.encode_update_v1();
            drop(txn);
            writer.say(&Message::Update(update)).await;
        }
        let ends =
            join_all(writers.iter_mut().map(|writer| async { writer.ends_or_is_stored().await }))
                .await;
        let refused = if dialect == Dialect::Y { 4413 } else { 0 };
        assert!(ends.contains(&Some(refused)), "{ends:?}");
        // A provider that is told 4503 before the merge comes back.
        app.settle().await;
        let late = Stock::join(&app, dialect, 11, &ada).await;
        let list = late.doc.get_or_insert_array("list");
        let count = list.len(&late.doc.transact());
        assert!((8..16).contains(&count), "{count}");
        let mut late = Stock::join(&app, dialect, 13, &ada).await;
        late.types(0, "it goes on").await;
        late.is_stored().await;
        assert_eq!(stored(&app).await, "it goes on");
    }
}

#[tokio::test]
async fn messages_have_17_mb_at_most_and_64_kb_before_the_token() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let too_large = (4413, "A message may have 17 MB.".to_owned());
    let mut y = Stock::join(&app, Dialect::Y, 1, &ada).await;
    y.say_bytes(vec![0; 18 * MB]).await;
    assert_eq!(y.closed().await, too_large);
    let mut anonymous = app.connect_to("/live/hocuspocus").await.unwrap();
    anonymous.send_binary(vec![0; MB]).await;
    let closed = anonymous.binary().await.expect_err("a close");
    assert_eq!(closed.0, Close::TooLarge.code(), "{closed:?}");
    let mut text = app.connect_to(&format!("/live/y/{ROOM}?token={ada}")).await.unwrap();
    text.send("{\"type\":\"ping\"}").await;
    assert_eq!(text.closed().await, 1003);
}

#[tokio::test]
async fn an_unreadable_message_closes_the_connection_with_4400() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    for dialect in BOTH {
        for bytes in [vec![], vec![99], vec![0, 2, 200, 1], vec![99; 40_000]] {
            let mut stock = Stock::join(&app, dialect, 1, &ada).await;
            stock.say_bytes(bytes).await;
            assert_eq!(stock.closed().await.0, 4400);
        }
    }
}

#[tokio::test]
async fn awareness_states_that_a_client_echoes_are_not_sent_to_others_again() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut ada = Stock::join(&app, Dialect::Y, 1, &ada).await;
    let mut bob = Stock::join(&app, Dialect::Y, 2, &bob).await;
    ada.shows(1, 1).await;
    let heard = bob.until(|it| matches!(it, Message::Awareness(_))).await;
    app.forget_calls();
    // As y-websocket does.
    bob.say(&heard).await;
    bob.shows(2, 1).await;
    ada.until(|it| matches!(it, Message::Awareness(bytes) if bytes[1] == 2)).await;
    let posts = app.calls().into_iter().filter(|call| call.operation == "PostToConnection");
    assert_eq!(posts.count(), 2, "to Ada, and to Bob himself");
}

#[tokio::test]
async fn the_twenty_first_connection_of_a_user_to_a_room_is_closed_with_4529() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut all = vec![];
    for client in 0..20 {
        all.push(Stock::join(&app, Dialect::Y, client + 1, &ada).await);
    }
    app.advance(super::shares::LATER);
    let mut further = Stock::connect(&app, Dialect::Y, 99, &ada).await;
    further.say(&Message::Step1(vec![0])).await;
    assert_eq!(further.closed().await.0, 4529);
}

#[tokio::test]
async fn a_flood_closes_with_4529() {
    let limits = service::Limits {
        reads_per_second: Some(10),
        writes_per_second: Some(10),
        ..service::Limits::default()
    };
    let app = App::start_with(Options { limits, ..Options::default() }).await;
    crate::end_users::add_document(&app).await;
    let ada = member(&app, "ada", "editor").await;
    let mut flood = Stock::join(&app, Dialect::Y, 1, &ada).await;
    let (code, reason) = loop {
        flood.say(&Message::Step1(vec![0])).await;
        if let Err(closed) = flood.hear().await {
            break closed;
        }
    };
    assert!(code == 4529 && reason.contains("The rate limit is"), "{code} {reason}");
}

#[tokio::test]
async fn an_update_sent_before_the_gateway_stops_is_stored() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut y = Stock::join(&app, Dialect::Y, 1, &ada).await;
    y.types(0, "before").await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    app.embedded().connections().close_all();
    assert_eq!(y.closed().await.0, 1001);
    app.embedded().connections().ended().await;
    assert_eq!(stored(&app).await, "before");
}
