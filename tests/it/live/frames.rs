//! Costs that the messages of one frame may cause.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::{Dialect, Message};
use serde_json::json;
use tests::socket::Socket;
use yrs::{ReadTxn, Transact};

use super::{
    hocuspocus::{hear, say, say_token},
    peer::{Heard, Peer, ROOM},
};
use crate::{
    app::App,
    end_users::{add_document, member, with_document},
};

/// The reads of whole editors.
fn loads(app: &App) -> usize {
    let is_load = |it: &&embedded::Call| it.operation == "Query" && it.target.ends_with("Crdt");
    app.calls().iter().filter(is_load).count()
}

/// An editor with deletions, and an update with all of them.
async fn with_deletions(app: &App) -> (Peer, Vec<u8>) {
    let ada = member(app, "ada", "editor").await;
    let mut peer = Peer::join(app, 1, &ada).await;
    peer.types(0, "abcdef").await;
    peer.removes(2, 2).await;
    peer.is_stored().await;
    peer.pings().await;
    let txn = peer.doc.transact();
    let deletions = txn.encode_state_as_update_v1(&txn.state_vector());
    assert!(deletions.len() > 2 && deletions[0] == 0);
    drop(txn);
    (peer, deletions)
}

/// Sends messages of Hocuspocus in one frame.
pub(super) async fn say_all(socket: &mut Socket, messages: &[(&str, &Message)]) {
    let write = |(name, message): &(&str, &Message)| Dialect::Hocuspocus.write(name, message);
    let said = messages.iter().map(|it| STANDARD.encode(write(it).expect("a message")));
    socket.send(said.collect::<Vec<_>>().join(" ")).await;
}

pub(super) async fn admitted(app: &App, token: &str) -> Socket {
    let mut socket = app.connect("protocol=hocuspocus").await;
    say_token(&mut socket, ROOM, token).await;
    assert_eq!(hear(&mut socket, ROOM).await[..2], [2, 2]);
    socket
}

#[tokio::test]
async fn an_update_of_a_reader_is_refused_without_a_read_of_the_editor() {
    let app = with_document().await;
    let (_, deletions) = with_deletions(&app).await;
    let eve = member(&app, "eve", "viewer").await;
    let mut peer = Peer::connect(&app, 2, &eve).await;
    peer.pings().await;
    app.forget_calls();
    let unreadable = Message::Update(vec![1, 2, 3]);
    peer.say_together(&[&[unreadable][..], &vec![Message::Step2(deletions); 100][..]].concat())
        .await;
    let reason = "The user may only read the document d.".to_owned();
    assert_eq!(peer.hear().await, Heard::Denied(reason));
    // One answer for all, and nothing else is read than the rights.
    peer.socket.send_json(&json!({ "type": "ping" })).await;
    assert_eq!(peer.hear().await, Heard::Control(json!({ "type": "pong" })));
    assert_eq!(loads(&app), 0);
}

/// The stock provider counts a reader's deletions as unsaved otherwise.
#[tokio::test]
async fn deletions_of_a_reader_are_compared_once_in_ten_seconds() {
    let app = with_document().await;
    let (_, deletions) = with_deletions(&app).await;
    let eve = member(&app, "eve", "viewer").await;
    let mut socket = admitted(&app, &eve).await;
    app.forget_calls();
    let step_2 = Message::Step2(deletions);
    say_all(&mut socket, &[(ROOM, &step_2); 3]).await;
    for is_saved in [1, 0, 0] {
        assert_eq!(hear(&mut socket, ROOM).await, [8, is_saved]);
    }
    say(&mut socket, ROOM, &step_2).await;
    assert_eq!(hear(&mut socket, ROOM).await, [8, 0]);
    assert_eq!(loads(&app), 1);
    app.advance(Duration::from_secs(10));
    say(&mut socket, ROOM, &step_2).await;
    assert_eq!(hear(&mut socket, ROOM).await, [8, 1]);
}

#[tokio::test]
async fn deletions_of_a_writer_are_compared_once_in_a_frame() {
    let app = with_document().await;
    let (peer, deletions) = with_deletions(&app).await;
    let ada = member(&app, "ada", "editor").await;
    let mut socket = admitted(&app, &ada).await;
    let rows = || app.items_of(service::Table::Crdt, &app.key).len();
    let before = rows();
    app.forget_calls();
    let step_2 = Message::Step2(deletions);
    say(&mut socket, ROOM, &step_2).await;
    assert_eq!(hear(&mut socket, ROOM).await, [8, 1]);
    assert_eq!(rows(), before, "nothing new is stored");
    // The peer's answer to the sync step 1 of the server has only deletions as well, and may be
    // compared this late.
    let late = loads(&app) - 1;
    assert!(late <= 1, "{:?}", app.calls());
    say_all(&mut socket, &[(ROOM, &step_2); 50]).await;
    for _ in 0..50 {
        assert_eq!(hear(&mut socket, ROOM).await, [8, 1]);
    }
    // One comparison of the 50.
    assert_eq!(rows(), before + 1);
    assert!((2..=3).contains(&loads(&app)), "{:?}", app.calls());
    drop(peer);
}

#[tokio::test]
async fn a_frame_with_two_sync_steps_1_or_21_editors_closes_the_connection() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut peer = Peer::connect(&app, 1, &ada).await;
    peer.say_together(&[Message::Step1(vec![0]), Message::Step1(vec![0])]).await;
    let reason = "A frame may have one sync step 1 and one token, and name 20 editors.".to_owned();
    assert_eq!(peer.is_closed().await, (4400, reason));
    let names: Vec<String> = (0..21).map(|n| format!("acme/d/{n}")).collect();
    let said = Message::Update(vec![0, 0]);
    let all: Vec<(&str, &Message)> = names.iter().map(|name| (name.as_str(), &said)).collect();
    let mut socket = admitted(&app, &ada).await;
    say_all(&mut socket, &all[..20]).await;
    for name in &names[..20] {
        assert_eq!(hear(&mut socket, name).await, [8, 1]);
    }
    say_all(&mut socket, &all).await;
    assert_eq!(socket.json().await["code"], 4400);
}

#[tokio::test]
async fn alternating_updates_of_two_editors_are_one_write_for_each() {
    let app = with_document().await;
    add_document(&app).await;
    let ada = member(&app, "ada", "editor").await;
    let mut socket = admitted(&app, &ada).await;
    let writer = Peer::connect(&app, 7, &ada).await;
    let update = Message::Update(writer.insert(0, "a"));
    say_all(&mut socket, &[(ROOM, &update), ("acme/d/f", &update)]).await;
    for name in [ROOM, "acme/d/f"] {
        assert_eq!(hear(&mut socket, name).await, [8, 1]);
    }
    let rows = || app.items_of(service::Table::Crdt, &app.key).len();
    let before = rows();
    let more: Vec<Message> = (1..9).map(|at| Message::Update(writer.insert(at, "b"))).collect();
    let names = [ROOM, "acme/d/f"].into_iter().cycle();
    let said: Vec<(&str, &Message)> = names.zip(&more).collect();
    say_all(&mut socket, &said).await;
    for name in [ROOM, "acme/d/f"] {
        for _ in 0..4 {
            assert_eq!(hear(&mut socket, name).await, [8, 1]);
        }
    }
    assert_eq!(rows(), before + 2);
}

#[tokio::test]
async fn pings_in_one_frame_get_one_pong() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut socket = admitted(&app, &ada).await;
    let nothing = Dialect::Hocuspocus.write(ROOM, &Message::Update(vec![0, 0])).unwrap();
    let named = STANDARD.encode([&[8][..], b"acme/d/e", &[9]].concat());
    for ping in ["CQ==", named.as_str()] {
        socket.send(format!("{} {}", [ping; 100].join(" "), STANDARD.encode(&nothing))).await;
        let mut pongs = 0;
        let mut is_saved = false;
        while !is_saved || pongs == 0 {
            match socket.part().await.as_str() {
                "Cg==" => pongs += 1,
                said => is_saved = STANDARD.decode(said).unwrap().ends_with(&[8, 1]),
            }
        }
        assert_eq!(pongs, 1, "{ping}");
    }
}

/// The answer of each member would go to all others, so few members are asked.
#[tokio::test]
async fn a_query_of_awareness_gets_stored_states_and_is_not_sent_to_many() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut peers = vec![];
    for client in 1..=12 {
        let mut peer = Peer::join(&app, client, &ada).await;
        peer.say_awareness("{}").await;
        peers.push(peer);
    }
    let mut last = peers.pop().expect("a peer");
    last.is_heard(1).await;
    last.pings().await;
    last.hears_of_all(12).await;
    app.forget_calls();
    last.sync_and_say(vec![Message::QueryAwareness; 100]).await;
    assert_eq!(last.hears_of_all(11).await.len(), 11, "what is stored");
    let posts = app.calls().iter().filter(|it| it.operation == "PostToConnection").count();
    assert_eq!(posts, 1);
}
