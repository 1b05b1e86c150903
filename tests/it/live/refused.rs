//! A refusal names its change: what comes with it and after it is stored, and the connection stays.

use std::time::Duration;

use dialects::{Awareness, Dialect, Message, State};
use embedded::{Effect, Fault, Hold};
use serde_json::{Value, json};
use yrs::Any;

use super::{
    frames::{admitted, say_all},
    hocuspocus::{hear, say, say_token},
    native::{BOTH, Stock},
    peer::{Heard, Peer, ROOM},
    saved::{add_text, delete_text},
};
use crate::{
    app::App,
    end_users::{at, member, with_document},
};

/// Another editor of the document.
const OTHER: &str = "acme/d/f";
const UNREADABLE: [u8; 3] = [1, 2, 3];

/// The text of an editor over REST.
async fn stored(app: &App, editor: &str) -> String {
    let sent = at(json!({ "editorId": editor, "contentKey": "content" }));
    let found = app.call("editors.get", sent).await.data();
    found[0]["data"].as_str().unwrap_or_default().to_owned()
}

/// A text of an editor that has no connection, as one update.
async fn text_of(app: &App, client: u64, token: &str, text: &str) -> Vec<u8> {
    Peer::connect(app, client, token).await.insert(0, text)
}

#[tokio::test]
async fn an_unreadable_update_gets_sync_status_0_and_the_others_of_its_frame_are_stored() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut socket = admitted(&app, &ada).await;
    say_token(&mut socket, OTHER, &ada).await;
    hear(&mut socket, OTHER).await;
    let writer = Peer::connect(&app, 7, &ada).await;
    let [first, second, third] =
        [(0, "a"), (1, "b"), (2, "c")].map(|(at, text)| Message::Update(writer.insert(at, text)));
    let (bad, bad_step_2) =
        (Message::Update(UNREADABLE.to_vec()), Message::Step2(vec![0, 9, 9, 9]));
    say_all(&mut socket, &[(ROOM, &first), (ROOM, &bad), (ROOM, &bad_step_2), (ROOM, &second)])
        .await;
    for is_saved in [1, 0, 0, 1] {
        assert_eq!(hear(&mut socket, ROOM).await[..2], [8, is_saved]);
    }
    say(&mut socket, ROOM, &third).await;
    assert_eq!(hear(&mut socket, ROOM).await[..2], [8, 1]);
    assert_eq!(stored(&app, "e").await, "abc");
    let other = text_of(&app, 8, &ada, "of another editor").await;
    say(&mut socket, OTHER, &Message::Update(other)).await;
    assert_eq!(hear(&mut socket, OTHER).await[..2], [8, 1]);
    assert_eq!(stored(&app, "f").await, "of another editor");
}

#[tokio::test]
async fn an_unreadable_step_2_of_a_viewer_gets_sync_status_0() {
    let app = with_document().await;
    let eve = member(&app, "eve", "viewer").await;
    let mut socket = admitted(&app, &eve).await;
    say(&mut socket, ROOM, &Message::Step2(vec![0, 9, 9, 9])).await;
    assert_eq!(hear(&mut socket, ROOM).await[..2], [8, 0]);
    say(&mut socket, ROOM, &Message::Step1(vec![0])).await;
    assert_eq!(hear(&mut socket, ROOM).await[..2], [0, 1]);
}

#[tokio::test]
async fn an_update_with_too_many_new_clients_gets_sync_status_0_and_the_next_one_is_stored() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    add_text(&app, "|").await;
    let all = Peer::connect(&app, 7, &ada).await;
    for client in 100..133 {
        let update = text_of(&app, client, &ada, "x").await;
        all.apply(&update);
    }
    let mut socket = admitted(&app, &ada).await;
    let good = Message::Update(text_of(&app, 8, &ada, "good").await);
    // In one frame, each is answered for itself.
    let many = Message::Update(all.state());
    say_all(&mut socket, &[(ROOM, &many), (ROOM, &good)]).await;
    for is_saved in [0, 1] {
        assert_eq!(hear(&mut socket, ROOM).await[..2], [8, is_saved]);
    }
    let later = Message::Update(text_of(&app, 9, &ada, "later").await);
    say(&mut socket, ROOM, &later).await;
    assert_eq!(hear(&mut socket, ROOM).await[..2], [8, 1]);
    let text = stored(&app, "e").await;
    assert!(text.contains("good") && text.contains("later") && !text.contains('x'), "{text}");
}

#[tokio::test]
async fn a_value_that_is_too_large_gets_sync_status_0_in_hocuspocus_and_closes_y_with_4413() {
    for dialect in BOTH {
        let app = with_document().await;
        let ada = member(&app, "ada", "editor").await;
        add_text(&app, "|").await;
        let mut writer = Stock::join(&app, dialect, 1, &ada).await;
        let image = "x".repeat(5_000_000);
        let update = writer.set("image", Any::from(image.as_str()));
        writer.say(&Message::Update(update)).await;
        match dialect {
            Dialect::Y => assert_eq!(writer.closed().await.0, 4413),
            Dialect::Hocuspocus => {
                writer.until(|it| *it == Message::Saved(false)).await;
                // Of the same client: it is stored, and waits for what was refused.
                writer.types(0, "waits").await;
                writer.until(|it| *it == Message::Saved(true)).await;
                let other = text_of(&app, 9, &ada, "seen").await;
                writer.say(&Message::Update(other)).await;
                writer.until(|it| *it == Message::Saved(true)).await;
                let text = stored(&app, "e").await;
                assert!(text.contains("seen") && !text.contains("waits"), "{text}");
            }
        }
    }
}

#[tokio::test]
async fn y_is_closed_for_an_unreadable_update_after_the_others_of_its_frame_are_stored() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut peer = Peer::join(&app, 7, &ada).await;
    let good = peer.insert(0, "good");
    peer.say_together(&[Message::Update(UNREADABLE.to_vec()), Message::Update(good)]).await;
    assert_eq!(peer.is_closed().await.0, 4400);
    assert_eq!(stored(&app, "e").await, "good");
}

/// A peer with words of its own and of others that the service lacks, as after a loss of data.
struct Restored {
    /// The others, who are connected and have announced their clients.
    ada: Peer,
    /// The texts that they have written.
    of_ada: Vec<u8>,
    /// All that the peer has.
    all: Vec<u8>,
}

async fn restored(app: &App, ada: &str, bob: &str) -> Restored {
    let mut ada = Peer::connect(app, 7, ada).await;
    ada.say_awareness("{}").await;
    ada.is_heard(1).await;
    let of_ada = ada.insert(0, "of Ada ");
    let peer = Peer::connect(app, 8, bob).await;
    peer.insert(0, "of Bob ");
    peer.apply(&of_ada);
    Restored { ada, of_ada, all: peer.state() }
}

#[tokio::test]
async fn new_structs_of_others_get_sync_status_0_and_the_rest_is_stored() {
    for is_there in [true, false] {
        let app = with_document().await;
        let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
        if is_there {
            add_text(&app, "|").await;
        }
        let Restored { mut ada, of_ada, all } = restored(&app, &ada, &bob).await;
        let mut socket = admitted(&app, &bob).await;
        for _ in 0..2 {
            say(&mut socket, ROOM, &Message::Step2(all.clone())).await;
            assert_eq!(hear(&mut socket, ROOM).await[..4], [8, 0, 0xb3, 0x22]);
            let text = stored(&app, "e").await;
            assert!(text.contains("of Bob ") && !text.contains("of Ada "), "{text}");
        }
        // Whose words they are brings them.
        ada.say(&Message::Update(of_ada)).await;
        ada.is_stored().await;
        let text = stored(&app, "e").await;
        assert!(text.contains("of Bob ") && text.contains("of Ada "), "{text}");
        say(&mut socket, ROOM, &Message::Step2(all)).await;
        assert_eq!(hear(&mut socket, ROOM).await[..2], [8, 1]);
    }
}

#[tokio::test]
async fn new_structs_of_others_leave_y_connected_and_the_rest_is_stored() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let Restored { ada: _ada, all, .. } = restored(&app, &ada, &bob).await;
    for message in [Message::Step2(all.clone()), Message::Update(all)] {
        let mut peer = Peer::connect(&app, 20, &bob).await;
        peer.say(&message).await;
        let denied = peer.until(|heard| matches!(heard, Heard::Denied(_))).await;
        let reason = "The Yjs client 7 belongs to another user; use a client id of your own.";
        assert_eq!(denied, Heard::Denied(reason.to_owned()));
        peer.pings().await;
        assert_eq!(stored(&app, "e").await, "of Bob ");
    }
}

/// Somebody typed before he had the content, and the editor was deleted meanwhile: his words came to
/// peers that joined after that.
#[tokio::test]
async fn structs_that_another_user_wrote_into_a_deleted_editor_close_with_4410() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    add_text(&app, "hello world").await;
    let mut bob = Peer::connect(&app, 8, &bob).await;
    bob.say_awareness("{}").await;
    bob.is_heard(1).await;
    let early = bob.insert(0, "early ");
    delete_text(&app).await;
    // While he is in the room, and when the worker has closed his connection.
    for is_announced in [true, false] {
        let mut peer = Peer::join(&app, 20, &ada).await;
        peer.insert(0, "mine ");
        peer.apply(&early);
        peer.say(&Message::Step2(peer.state())).await;
        let reason = "The editor e was deleted; load it anew.";
        assert_eq!(peer.is_closed().await, (4410, reason.to_owned()));
        assert_eq!(stored(&app, "e").await, "");
        if is_announced {
            app.settle().await;
            assert_eq!(bob.is_closed().await.0, 4410);
        }
    }
    // Also in the next editor of this id.
    add_text(&app, "anew").await;
    let mut peer = Peer::join(&app, 21, &ada).await;
    peer.apply(&early);
    peer.say(&Message::Step2(peer.state())).await;
    assert_eq!(peer.is_closed().await.0, 4410);
    assert_eq!(stored(&app, "e").await, "anew");
}

/// A client that is asked tells all states that it knows.
#[tokio::test]
async fn a_first_state_under_a_client_that_is_kept_for_another_user_leaves_the_cursor_of_its_sender()
 {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut watcher = Peer::join(&app, 9, &ada).await;
    let mut away = Peer::join(&app, 7, &ada).await;
    away.say_awareness("{}").await;
    watcher.hears_of(7).await;
    drop(away);
    while !watcher.hears_of(7).await.is_gone() {}
    let mut bob = Peer::join(&app, 8, &bob).await;
    watcher.heard.clear();
    let state = |client| State { client, clock: 1, json: "{\"name\":\"Bob\"}".to_owned() };
    bob.say(&Message::Awareness(Awareness(vec![state(7), state(8)]).write())).await;
    watcher.hears_of(8).await;
    assert!(watcher.heard.iter().all(|state| state.client != 7), "{:?}", watcher.heard);
}

/// The rows of connections in the room.
fn members(app: &App) -> Vec<Value> {
    let rows = app.items_of(service::Table::Realtime, &app.key).into_iter();
    let is_member = |row: &Value| {
        row["SK"]["S"].as_str().is_some_and(|key| key.starts_with("live#d#editor#e#connection#"))
    };
    rows.filter(is_member).collect()
}

/// The first frame has joined, and its row is not written yet.
#[tokio::test]
async fn an_awareness_frame_that_overtakes_the_row_of_its_connection_is_relayed() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut watcher = Peer::join(&app, 9, &bob).await;
    let mut peer = Peer::connect(&app, 7, &ada).await;
    // While others call, a user has one turn on two processors.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let hold = Hold::default();
    let effect = Effect::Hold(hold.clone());
    // After that of the connection in the organization.
    app.fault(Fault { operation: "PutItem".to_owned(), skip: 1, times: 1, effect });
    peer.say(&Message::Step1(vec![0])).await;
    hold.reached().await;
    peer.say_awareness("{\"name\":\"Ada\"}").await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    hold.release();
    watcher.hears_of(7).await;
}

#[tokio::test]
async fn two_first_frames_of_a_connection_keep_the_client_of_its_awareness() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut peer = Peer::connect(&app, 7, &ada).await;
    // While others call, a user has one turn on two processors.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let hold = Hold::default();
    let effect = Effect::Hold(hold.clone());
    app.fault(Fault { operation: "UpdateItem".to_owned(), skip: 0, times: 1, effect });
    peer.say(&Message::Step1(vec![0])).await;
    hold.reached().await;
    // The second frame joins and speaks while the first one is about to join.
    peer.say_awareness("{\"name\":\"Ada\"}").await;
    peer.hears_of(7).await;
    hold.release();
    peer.until(|heard| matches!(heard, Heard::Said(Message::Step1(_)))).await;
    let rows = members(&app);
    assert_eq!((rows.len(), &rows[0]["client"]["N"]), (1, &json!("7")), "{rows:?}");
    // So that its end is told.
    let mut bob = Peer::join(&app, 8, &bob).await;
    drop(peer);
    while !bob.hears_of(7).await.is_gone() {}
}
