//! A change that a client shows as saved is saved.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::{Awareness, Dialect, Message, State};
use serde_json::json;
use tests::socket::Socket;

use super::{
    hocuspocus::{hear, say, say_token},
    native::Stock,
    peer::{Peer, ROOM},
};
use crate::{
    app::App,
    end_users::{at, member, with_document},
};

/// The texts of the editors of the document over REST.
pub(super) async fn stored(app: &App) -> Vec<String> {
    let found = app.call("editors.get", at(json!({ "editorId": "e" }))).await.data();
    let editors = found.as_array().expect("editors").iter();
    editors.map(|editor| editor["data"].as_str().unwrap_or_default().to_owned()).collect()
}

/// The next message of a type about the editor.
pub(super) async fn hears_of(socket: &mut Socket, kind: u8) -> Vec<u8> {
    loop {
        let heard = hear(socket, ROOM).await;
        if heard[0] == kind {
            return heard;
        }
    }
}

pub(super) async fn add_text(app: &App, text: &str) {
    let editor = at(json!({ "editorId": "e", "type": "text", "data": text }));
    app.call("editors.add", editor).await.ok();
}

fn announcement(client: u64) -> Message {
    let state = State { client, clock: 1, json: "{}".to_owned() };
    Message::Awareness(Awareness(vec![state]).write())
}

/// Deletes the editor, later than everything before; the worker tells nobody yet.
pub(super) async fn delete_text(app: &App) {
    app.advance(Duration::from_millis(1));
    app.call("editors.delete", at(json!({ "editorIds": ["e"] }))).await.ok();
    app.advance(Duration::from_millis(1));
}

/// A frame and the end of its connection are handled at the same time.
#[tokio::test]
async fn updates_sent_right_before_a_connection_closes_are_stored() {
    let app = with_document().await;
    // Both joined after an editor of this id was deleted, and have read nothing of that.
    add_text(&app, "before").await;
    delete_text(&app).await;
    add_text(&app, "|").await;
    let ada = member(&app, "ada", "editor").await;
    for client in 1..=20 {
        let mut peer = Peer::join(&app, client, &ada).await;
        for _ in 0..3 {
            peer.types(0, "x").await;
        }
        peer.socket.close(1000).await;
    }
    let all = async { while stored(&app).await[0].len() < 61 {} };
    tokio::time::timeout(Duration::from_secs(20), all).await.expect("every change");
    let mut socket = app.connect("protocol=hocuspocus").await;
    say_token(&mut socket, ROOM, &ada).await;
    hear(&mut socket, ROOM).await;
    let offline = Peer::connect(&app, 99, &ada).await;
    say(&mut socket, ROOM, &Message::Update(offline.insert(0, "y"))).await;
    socket.close(1000).await;
    let all = async { while !stored(&app).await[0].contains('y') {} };
    tokio::time::timeout(Duration::from_secs(20), all).await.expect("the last change");
}

#[tokio::test]
async fn an_update_of_a_viewer_whose_connection_closed_is_not_stored() {
    let app = with_document().await;
    add_text(&app, "|").await;
    let eve = member(&app, "eve", "viewer").await;
    let mut peer = Peer::connect(&app, 7, &eve).await;
    peer.say(&Message::Step1(vec![0])).await;
    peer.reads("|").await;
    peer.types(0, "x").await;
    peer.socket.close(1000).await;
    let mut other = Peer::connect(&app, 8, &eve).await;
    other.say(&Message::Step1(vec![0])).await;
    other.reads("|").await;
    other.pings().await;
    assert_eq!(stored(&app).await, ["|"]);
}

#[tokio::test]
async fn peers_of_a_deleted_editor_are_closed_or_denied_with_4410() {
    let app = with_document().await;
    add_text(&app, "hello world").await;
    let ada = member(&app, "ada", "editor").await;
    let mut peer = Peer::join(&app, 1, &ada).await;
    peer.reads("hello world").await;
    let mut stock = Stock::join(&app, Dialect::Y, 2, &ada).await;
    let mut named = app.connect("protocol=hocuspocus").await;
    for room in [ROOM, "acme/d/f"] {
        say_token(&mut named, room, &ada).await;
        hear(&mut named, room).await;
        say(&mut named, room, &Message::Step1(vec![0])).await;
        hear(&mut named, room).await;
        hear(&mut named, room).await;
    }
    delete_text(&app).await;
    app.settle().await;
    let (code, reason) = peer.is_closed().await;
    assert_eq!((code, reason.as_str()), (4410, "The editor e was deleted; load it anew."));
    let closed = loop {
        if let Err(closed) = stock.hear().await {
            break closed;
        }
    };
    assert_eq!(closed, (4410, "The editor e was deleted; load it anew.".to_owned()));
    let denied = hear(&mut named, ROOM).await;
    assert_eq!((&denied[..2], &denied[denied.len() - 2..]), (&[2, 1][..], &[0xba, 0x22][..]));
    // The other editor stays open.
    let update = Peer::connect(&app, 9, &ada).await.insert(0, "x");
    say(&mut named, "acme/d/f", &Message::Update(update)).await;
    assert_eq!(hear(&mut named, "acme/d/f").await, [8, 1]);
}

/// The worker has told nobody yet: a keystroke comes first.
#[tokio::test]
async fn an_append_to_a_deleted_editor_is_refused_and_makes_none() {
    let app = with_document().await;
    add_text(&app, "hello world").await;
    let ada = member(&app, "ada", "editor").await;
    let mut peer = Peer::join(&app, 1, &ada).await;
    peer.reads("hello world").await;
    let mut named = app.connect("protocol=hocuspocus").await;
    say_token(&mut named, ROOM, &ada).await;
    hear(&mut named, ROOM).await;
    let update = peer.insert(11, "!");
    let whole = peer.state();
    delete_text(&app).await;
    for refused in [update.clone(), whole] {
        say(&mut named, ROOM, &Message::Update(refused)).await;
        assert_eq!(hear(&mut named, ROOM).await, [8, 0], "not stored");
        assert_eq!(hear(&mut named, ROOM).await[..2], [2, 1]);
        say_token(&mut named, ROOM, &ada).await;
        assert_eq!(hear(&mut named, ROOM).await, b"\x02\x02\x0aread-write");
    }
    peer.say(&Message::Update(update)).await;
    assert_eq!(peer.is_closed().await.0, 4410);
    assert_eq!(stored(&app).await, Vec::<String>::new());
}

#[tokio::test]
async fn content_of_a_deleted_editor_does_not_come_back() {
    let app = with_document().await;
    add_text(&app, "hello world").await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut away = Peer::join(&app, 1, &ada).await;
    away.reads("hello world").await;
    away.types(11, "!").await;
    away.is_stored().await;
    delete_text(&app).await;
    app.settle().await;
    // Somebody who was away says all there was.
    let mut away = away.reconnect(&app, &ada).await;
    let vector = away.vector();
    away.say(&Message::Step1(vector.clone())).await;
    assert_eq!(away.is_closed().await.0, 4410);
    let all = STANDARD.encode(away.state());
    let updates = at(json!({ "editorId": "e", "updates": [all] }));
    let user = || app.caller().end_user(&ada);
    user().call("editors.updates_add", updates.clone()).await.error("NOT_FOUND");
    assert_eq!(stored(&app).await, Vec::<String>::new());
    // The tenant adds it again; peers who load it anew go on.
    add_text(&app, "anew").await;
    let mut peer = Peer::join(&app, 5, &bob).await;
    peer.reads("anew").await;
    peer.types(4, "!").await;
    peer.is_stored().await;
    let mut away = away.reconnect(&app, &ada).await;
    away.say(&Message::Step1(vector)).await;
    assert_eq!(away.is_closed().await.0, 4410);
    user().call("editors.updates_add", updates.clone()).await.error("NOT_FOUND");
    assert_eq!(stored(&app).await, ["anew!"]);
    // The tenant may delete and restore what it kept.
    delete_text(&app).await;
    let mut restored = updates;
    restored["type"] = json!("text");
    app.call("editors.updates_add", restored).await.ok();
    assert_eq!(stored(&app).await, ["hello world!"]);
    let mut back = Peer::join(&app, 6, &bob).await;
    back.reads("hello world!").await;
}

/// The worker has told nobody yet, and what comes has nothing of the deleted content.
#[tokio::test]
async fn a_peer_of_a_deleted_editor_cannot_write_into_the_next_editor_of_the_same_id() {
    let app = with_document().await;
    add_text(&app, "hello world").await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &ada).await;
    first.reads("hello world").await;
    second.reads("hello world").await;
    let own = Message::Update(Peer::connect(&app, 9, &ada).await.insert(0, "x"));
    delete_text(&app).await;
    first.say(&own).await;
    assert_eq!(first.is_closed().await.0, 4410);
    assert_eq!(stored(&app).await, Vec::<String>::new());
    add_text(&app, "anew").await;
    second.say(&own).await;
    assert_eq!(second.is_closed().await.0, 4410);
    let mut third = Peer::join(&app, 3, &bob).await;
    third.reads("anew").await;
    third.types(4, "!").await;
    third.is_stored().await;
    assert_eq!(stored(&app).await, ["anew!"]);
}

/// The worker tells it while its last updates are on their way, and may have ended the connection.
#[tokio::test]
async fn updates_that_a_peer_of_a_deleted_editor_sent_before_it_was_told_make_no_editor() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let own = Message::Update(Peer::connect(&app, 99, &ada).await.insert(0, "x"));
    for client in 1..=10 {
        add_text(&app, "hello world").await;
        let mut peer = Peer::join(&app, client, &ada).await;
        delete_text(&app).await;
        for _ in 0..3 {
            peer.say(&own).await;
        }
        peer.socket.close(1000).await;
        app.settle().await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(stored(&app).await, Vec::<String>::new());
}

/// The peer's connection stays open for another editor, and it goes on saying who is there.
#[tokio::test]
async fn a_peer_that_was_told_of_a_deleted_editor_writes_into_the_next_one_only_when_it_has_read_it()
 {
    let app = with_document().await;
    add_text(&app, "hello world").await;
    let ada = member(&app, "ada", "editor").await;
    let mut named = app.connect("protocol=hocuspocus").await;
    for room in [ROOM, "acme/d/f"] {
        say_token(&mut named, room, &ada).await;
        hear(&mut named, room).await;
        say(&mut named, room, &Message::Step1(vec![0])).await;
        hear(&mut named, room).await;
        hear(&mut named, room).await;
    }
    delete_text(&app).await;
    app.settle().await;
    assert_eq!(hears_of(&mut named, 2).await[..2], [2, 1]);
    let own = Message::Update(Peer::connect(&app, 99, &ada).await.insert(0, "x"));
    // The empty update is answered when what comes with it was handled.
    let greeting = [announcement(99), Message::Update(vec![0, 0])];
    let written = greeting.map(|message| Dialect::Hocuspocus.write(ROOM, &message).expect("bytes"));
    let greeting = written.map(|bytes| STANDARD.encode(bytes)).join(" ");
    for is_greeting in [false, true] {
        if is_greeting {
            named.send(greeting.clone()).await;
            assert_eq!(hears_of(&mut named, 8).await, [8, 1]);
        }
        say(&mut named, ROOM, &own).await;
        assert_eq!(hears_of(&mut named, 8).await, [8, 0], "not stored");
        assert_eq!(hears_of(&mut named, 2).await[..2], [2, 1]);
    }
    assert_eq!(stored(&app).await, Vec::<String>::new());
    // The peer loads the editor anew, and says first who is there.
    say_token(&mut named, ROOM, &ada).await;
    assert_eq!(hears_of(&mut named, 2).await, b"\x02\x02\x0aread-write");
    named.send(greeting).await;
    assert_eq!(hears_of(&mut named, 8).await, [8, 1]);
    say(&mut named, ROOM, &Message::Step1(vec![0])).await;
    while hears_of(&mut named, 0).await[1] != 0 {}
    say(&mut named, ROOM, &own).await;
    assert_eq!(hears_of(&mut named, 8).await, [8, 1]);
    assert_eq!(stored(&app).await, ["x"]);
}

/// A peer may get what is relayed before the first content, and has nothing else of the deleted editor.
#[tokio::test]
async fn what_another_peer_of_a_user_wrote_before_a_deletion_does_not_come_back() {
    let app = with_document().await;
    add_text(&app, "hello world").await;
    let ada = member(&app, "ada", "editor").await;
    let mut first = Peer::connect(&app, 7, &ada).await;
    let own = Message::Update(first.insert(0, "x"));
    first.sync_and_say(vec![announcement(7)]).await;
    delete_text(&app).await;
    let mut second = Peer::join(&app, 8, &ada).await;
    second.say(&own).await;
    assert_eq!(second.is_closed().await.0, 4410);
    assert_eq!(stored(&app).await, Vec::<String>::new());
}

/// The clean-up removes the editor of the deleted document while the next one has peers.
#[tokio::test]
async fn the_cleanup_of_a_deleted_document_keeps_peers_of_the_next_one_connected() {
    let app = with_document().await;
    add_text(&app, "hello world").await;
    let ada = member(&app, "ada", "editor").await;
    let document = json!({ "organizationId": "acme", "documentIds": ["d"] });
    app.advance(Duration::from_millis(1));
    app.call("documents.delete", document).await.ok();
    app.advance(Duration::from_millis(1));
    let again = json!({ "organizationId": "acme", "documents": [{ "documentId": "d" }] });
    app.call("documents.add", again).await.ok();
    app.advance(Duration::from_millis(1));
    let mut peer = Peer::join(&app, 1, &ada).await;
    app.settle().await;
    peer.types(0, "x").await;
    peer.is_stored().await;
    app.settle().await;
    assert_eq!(stored(&app).await, ["x"]);
    peer.pings().await;
}

#[tokio::test]
async fn an_update_that_lacks_others_makes_no_editor() {
    waits_for_the_first(&with_document().await).await;
}

/// Who joined after the deletion has read nothing of what was deleted.
#[tokio::test]
async fn an_update_that_lacks_others_makes_no_editor_where_one_was_deleted() {
    let app = with_document().await;
    add_text(&app, "before").await;
    delete_text(&app).await;
    waits_for_the_first(&app).await;
}

async fn waits_for_the_first(app: &App) {
    let ada = member(app, "ada", "editor").await;
    let mut peer = Peer::join(app, 1, &ada).await;
    let (first, second) = (peer.insert(0, "a"), peer.insert(1, "b"));
    peer.say(&Message::Update(second.clone())).await;
    assert_eq!(peer.is_closed().await.0, 4503, "the client comes back with all it has");
    assert_eq!(stored(app).await, Vec::<String>::new());
    // In the same moment, the one before comes as well.
    let mut peer = peer.reconnect(app, &ada).await;
    // While others call, a user has one turn on two processors, and the first would wait for it.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    peer.say(&Message::Update(second)).await;
    peer.say(&Message::Update(first)).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let both = async { while stored(app).await != ["ab"] {} };
    tokio::time::timeout(Duration::from_secs(20), both).await.expect("both");
}
