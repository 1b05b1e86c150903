//! Hocuspocus.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::{Awareness, Dialect, Message, State};
use serde_json::json;
use tests::socket::Socket;

use super::peer::{Peer, ROOM};
use crate::{
    app::{App, Options},
    end_users::{add_document, at, member, token, with_document},
};

pub(super) async fn say(socket: &mut Socket, name: &str, message: &Message) {
    let said = Dialect::Hocuspocus.write(name, message).expect("a message");
    socket.send(STANDARD.encode(said)).await;
}

pub(super) async fn say_token(socket: &mut Socket, name: &str, token: &str) {
    let mut said = vec![name.len() as u8];
    said.extend_from_slice(name.as_bytes());
    said.extend_from_slice(&[2, 0]);
    let (low, high) = (token.len() & 0x7f, token.len() >> 7);
    said.extend_from_slice(&[low as u8 | 0x80, high as u8]);
    said.extend_from_slice(token.as_bytes());
    // The version of the provider.
    said.extend_from_slice(b"\x054.8.0");
    socket.send(STANDARD.encode(said)).await;
}

/// The next message without the name of its editor.
pub(super) async fn hear(socket: &mut Socket, name: &str) -> Vec<u8> {
    let head = [&[name.len() as u8], name.as_bytes()].concat();
    loop {
        let text = socket.part().await;
        let bytes = STANDARD.decode(&text).unwrap_or_else(|_| panic!("{text} is no message"));
        let said = bytes.strip_prefix(head.as_slice()).expect("the name");
        // A client that joins asks the others who they are.
        if said != [3] {
            return said.to_vec();
        }
    }
}

#[tokio::test]
async fn a_connection_has_several_editors_and_each_update_is_acknowledged() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut socket = app.connect("protocol=hocuspocus").await;
    for name in [ROOM, "acme/d/f"] {
        say_token(&mut socket, name, &ada).await;
        assert_eq!(hear(&mut socket, name).await, b"\x02\x02\x0aread-write");
        say(&mut socket, name, &Message::Step1(vec![0])).await;
        assert_eq!(hear(&mut socket, name).await, [0, 1, 2, 0, 0], "step 2");
        assert_eq!(hear(&mut socket, name).await, [0, 0, 1, 0], "step 1");
        say(&mut socket, name, &Message::Step2(vec![0, 0])).await;
        assert_eq!(hear(&mut socket, name).await, [8, 1]);
    }
    let mut peer = Peer::join(&app, 2, &ada).await;
    peer.types(0, "from y").await;
    let update = hear(&mut socket, ROOM).await;
    assert_eq!(update[..2], [0, 2]);
    let mine = Peer::connect(&app, 7, &ada).await.insert(0, "from H ");
    say(&mut socket, ROOM, &Message::Update(mine)).await;
    assert_eq!(hear(&mut socket, ROOM).await, [8, 1]);
    peer.reads_in_any_order(&["from H ", "from y"]).await;
    socket.send("CQ==").await;
    assert_eq!(socket.part().await, "Cg==", "a pong");
}

#[tokio::test]
async fn updates_of_a_viewer_or_commenter_get_sync_status_0() {
    let app = with_document().await;
    for role in ["viewer", "commenter"] {
        let eve = member(&app, role, role).await;
        let mut socket = app.connect("protocol=hocuspocus").await;
        say_token(&mut socket, ROOM, &eve).await;
        assert_eq!(hear(&mut socket, ROOM).await, b"\x02\x02\x08readonly", "{role}");
        let update = Peer::connect(&app, 7, &eve).await.insert(0, "x");
        say(&mut socket, ROOM, &Message::Update(update)).await;
        assert_eq!(hear(&mut socket, ROOM).await, [8, 0], "{role}");
    }
}

#[tokio::test]
async fn a_refused_document_leaves_the_others_open() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut socket = app.connect("protocol=hocuspocus").await;
    say_token(&mut socket, ROOM, &ada).await;
    hear(&mut socket, ROOM).await;
    say_token(&mut socket, "acme/x/e", &ada).await;
    let denied = hear(&mut socket, "acme/x/e").await;
    // The close code follows the reason.
    assert_eq!(&denied[3..], b"There is no document x.\xb4\x22");
    say_token(&mut socket, ROOM, "forged").await;
    let denied = hear(&mut socket, ROOM).await;
    assert_eq!(denied[..2], [2, 1]);
    say(&mut socket, ROOM, &Message::Step1(vec![0])).await;
    assert_eq!(hear(&mut socket, ROOM).await[..2], [0, 1]);
}

#[tokio::test]
async fn each_update_of_a_frame_is_acknowledged_and_all_are_one_write() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut peer = Peer::join(&app, 2, &ada).await;
    peer.types(0, "-").await;
    peer.is_stored().await;
    let mut socket = app.connect("protocol=hocuspocus").await;
    say_token(&mut socket, ROOM, &ada).await;
    hear(&mut socket, ROOM).await;
    say(&mut socket, ROOM, &Message::Step1(vec![0])).await;
    assert_eq!(hear(&mut socket, ROOM).await[..2], [0, 1]);
    assert_eq!(hear(&mut socket, ROOM).await[..2], [0, 0]);
    let rows = || app.items_of(service::Table::Crdt, &app.key).len();
    let writer = Peer::connect(&app, 7, &ada).await;
    let (before, mut said) = (rows(), vec![]);
    for (at, letter) in [(0, "a"), (1, "b"), (2, "c")] {
        let update = Message::Update(writer.insert(at, letter));
        said.push(STANDARD.encode(Dialect::Hocuspocus.write(ROOM, &update).unwrap()));
    }
    socket.send(said.join(" ")).await;
    for _ in 0..3 {
        assert_eq!(hear(&mut socket, ROOM).await, [8, 1]);
    }
    peer.reads_in_any_order(&["abc", "-"]).await;
    // With the owner of its client.
    assert_eq!(rows(), before + 2);
}

/// A worker that has cached the first token does not disconnect the user when that expires.
#[tokio::test]
async fn a_newer_token_counts_for_all_documents_of_a_connection() {
    let app = App::start_with(Options { is_separate: true, ..Options::default() }).await;
    add_document(&app).await;
    let first = member(&app, "ada", "editor").await;
    app.advance(Duration::from_secs(48 * 60 * 60 - 5));
    let mut socket = app.connect("protocol=hocuspocus").await;
    say_token(&mut socket, ROOM, &first).await;
    hear(&mut socket, ROOM).await;
    say(&mut socket, ROOM, &Message::Step1(vec![0])).await;
    assert_eq!(hear(&mut socket, ROOM).await[..2], [0, 1]);
    assert_eq!(hear(&mut socket, ROOM).await[..2], [0, 0]);
    let writes = async |text: &str| {
        let data = at(json!({ "editorId": "e", "type": "text", "data": text }));
        app.call("editors.update", data).await.ok();
        app.settle().await;
    };
    let data = at(json!({ "editorId": "e", "type": "text", "data": "" }));
    app.call("editors.add", data).await.ok();
    writes("first").await;
    assert_eq!(hear(&mut socket, ROOM).await[..2], [0, 2]);
    let second = token(&app, "ada", json!([])).await;
    say_token(&mut socket, ROOM, &second).await;
    while hear(&mut socket, ROOM).await != b"\x02\x02\x0aread-write" {}
    app.advance(Duration::from_secs(6));
    writes("second").await;
    assert_eq!(hear(&mut socket, ROOM).await[..2], [0, 2]);
}

#[tokio::test]
async fn a_token_is_renewed_after_it_has_expired() {
    let app = with_document().await;
    let first = member(&app, "ada", "editor").await;
    app.advance(Duration::from_secs(48 * 60 * 60 - 5));
    let mut socket = app.connect("protocol=hocuspocus").await;
    say_token(&mut socket, ROOM, &first).await;
    assert_eq!(hear(&mut socket, ROOM).await[..2], [2, 2]);
    app.advance(Duration::from_secs(6));
    let second = token(&app, "ada", json!([])).await;
    say_token(&mut socket, ROOM, &second).await;
    assert_eq!(hear(&mut socket, ROOM).await[..2], [2, 2]);
}

#[tokio::test]
async fn a_connection_whose_tokens_are_refused_is_closed() {
    let app = with_document().await;
    let mut socket = app.connect("protocol=hocuspocus").await;
    for _ in 0..50 {
        say_token(&mut socket, ROOM, "forged").await;
        assert_eq!(hear(&mut socket, ROOM).await[..2], [2, 1]);
    }
    say_token(&mut socket, ROOM, "forged").await;
    let closed: serde_json::Value = serde_json::from_str(&socket.part().await).unwrap();
    assert_eq!((&closed["type"], &closed["code"]), (&"close".into(), &4401.into()));
}

#[tokio::test]
async fn a_close_message_leaves_the_room_of_its_document() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut peer = Peer::join(&app, 2, &ada).await;
    let mut socket = app.connect("protocol=hocuspocus").await;
    say_token(&mut socket, ROOM, &ada).await;
    hear(&mut socket, ROOM).await;
    let state = State { client: 9, clock: 1, json: "{}".to_owned() };
    say(&mut socket, ROOM, &Message::Awareness(Awareness(vec![state]).write())).await;
    assert!(!peer.hears_of(9).await.is_gone());
    say(&mut socket, ROOM, &Message::Close(String::new())).await;
    assert!(peer.hears_of(9).await.is_gone());
}
