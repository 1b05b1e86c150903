//! Changes over REST reach connected clients.

use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::{Dialect, Message};
use embedded::Call;
use serde_json::json;
use yrs::{Map, Transact};

use super::{
    native::Stock,
    peer::{Heard, Peer, ROOM},
};
use crate::{
    app::App,
    end_users::{at, member, with_document},
};

#[tokio::test]
async fn content_replaced_over_rest_reaches_connected_editors() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut ada = Peer::join(&app, 1, &ada).await;
    ada.types(0, "one two").await;
    ada.is_stored().await;
    let data = at(json!({ "editorId": "e", "type": "text", "data": "one three two" }));
    app.call("editors.update", data).await.ok();
    app.settle().await;
    ada.reads("one three two").await;
}

#[tokio::test]
async fn updates_over_rest_reach_connected_editors() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let second = Peer::join(&app, 2, &bob).await;
    let update = STANDARD.encode(second.insert(0, "by hand"));
    let data = at(json!({ "editorId": "e", "updates": [update] }));
    app.caller().end_user(&bob).call("editors.updates_add", data).await.ok();
    app.settle().await;
    first.reads("by hand").await;
}

/// Updates of which one comes twice are not merged, and go on one by one.
#[tokio::test]
async fn five_hundred_small_updates_over_rest_reach_all_kinds_of_connected_editors() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut y = Stock::join(&app, Dialect::Y, 1, &ada).await;
    let mut hocuspocus = Stock::join(&app, Dialect::Hocuspocus, 2, &ada).await;
    let mut adapted = Peer::join(&app, 3, &ada).await;
    let writer = Peer::join(&app, 4, &bob).await;
    // The first ones add the editor, and peers get all of it.
    for (text, twice) in [("x", false), ("y", false), ("z", true)] {
        let mut updates: Vec<Vec<u8>> = (0..499).map(|_| writer.insert(0, text)).collect();
        updates.push(if twice { updates[0].clone() } else { writer.insert(0, text) });
        let updates: Vec<String> = updates.iter().map(|update| STANDARD.encode(update)).collect();
        let data = at(json!({ "editorId": "e", "updates": updates }));
        app.caller().end_user(&bob).call("editors.updates_add", data).await.ok();
        app.settle().await;
        y.reads(&writer.text()).await;
        hocuspocus.reads(&writer.text()).await;
        adapted.reads(&writer.text()).await;
    }
}

/// A page sets a flag when it connects, and inserts its initial text afterwards.
#[tokio::test]
async fn an_editor_with_a_flag_beside_its_text_is_read_and_replaced() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut ada = Peer::join(&app, 1, &ada).await;
    let flag = {
        let config = ada.doc.get_or_insert_map("config");
        let mut txn = ada.doc.transact_mut();
        config.insert(&mut txn, "initialContentLoaded", true);
        txn.encode_update_v1()
    };
    ada.say(&Message::Update(flag)).await;
    ada.types(0, "one two").await;
    ada.is_stored().await;
    let found = app.call("editors.get", at(json!({ "editorId": "e" }))).await.data()[0].take();
    assert_eq!((&found["type"], &found["data"]), (&json!("text"), &json!("one two")));
    let data = at(json!({ "editorId": "e", "type": "text", "data": "one three two" }));
    app.call("editors.update", data).await.ok();
    app.settle().await;
    ada.reads("one three two").await;
}

/// A change that peers have received over the live channel is not sent again, and a document
/// without subscribers wakes no worker.
#[tokio::test]
async fn a_change_without_subscribers_sends_no_task_to_the_worker() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    app.settle().await;
    let told = |app: &App| {
        let is_sent =
            |it: &&Call| it.operation == "SendMessageBatch" && it.target.ends_with("live");
        app.calls().iter().filter(is_sent).count()
    };
    let data = at(json!({ "editorId": "e", "type": "text", "data": "a" }));
    app.call("editors.add", data).await.ok();
    app.settle().await;
    assert_eq!(told(&app), 0);
    let mut ada = Peer::join(&app, 1, &ada).await;
    ada.types(0, "b").await;
    ada.is_stored().await;
    app.settle().await;
    assert_eq!(told(&app), 0);
    let data = at(json!({ "editorId": "e", "type": "text", "data": "c" }));
    app.call("editors.update", data).await.ok();
    app.settle().await;
    assert_eq!(told(&app), 1);
}

/// The service does not read the editor for the connection, because the call over HTTPS reads it.
#[tokio::test]
async fn a_sync_step_of_a_large_editor_is_answered_with_fetch() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let text: String = (0..40_000_u64).map(|n| format!("{:x}", n * n * 2_654_435_761)).collect();
    let data = at(json!({ "editorId": "e", "type": "text", "data": text }));
    app.call("editors.add", data).await.ok();
    app.settle().await;
    let mut peer = Peer::connect(&app, 1, &ada).await;
    app.forget_calls();
    peer.say(&Message::Step1(vec![0])).await;
    let fetch = json!({ "type": "fetch", "document": ROOM, "stateVector": "AA==", "asks": true });
    assert_eq!(peer.hear().await, Heard::Control(fetch));
    let is_read = |call: &Call| call.operation == "BatchGetItem" && call.target.ends_with("Crdt");
    assert!(!app.calls().iter().any(is_read));
}
