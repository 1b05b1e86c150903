//! y-websocket.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use dialects::Message;
use serde_json::json;
use yrs::{ReadTxn, StateVector, Transact};

use super::peer::{Heard, Peer, ROOM};
use crate::{
    app::App,
    end_users::{at, member, token, with_document},
};

/// The editor's state in the service.
async fn stored(app: &App) -> serde_json::Value {
    let found = app.call("editors.get", at(json!({ "editorId": "e" }))).await;
    found.data()[0]["data"].clone()
}

#[tokio::test]
async fn two_editors_converge_and_the_stored_state_equals_theirs() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut ada = Peer::join(&app, 1, &ada).await;
    let mut bob = Peer::join(&app, 2, &bob).await;
    ada.types(0, "Hello").await;
    bob.reads("Hello").await;
    bob.types(5, " world").await;
    ada.reads("Hello world").await;
    // Both at once.
    ada.types(0, "A").await;
    bob.types(11, "B").await;
    ada.reads("AHello worldB").await;
    bob.reads("AHello worldB").await;
    assert_eq!(stored(&app).await, "AHello worldB");
    let editor = app.call("editors.get", at(json!({ "editorId": "e" }))).await.data()[0].clone();
    assert_eq!(editor["type"], "text");
}

#[tokio::test]
async fn updates_written_offline_are_sent_after_reconnecting() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    first.insert(0, "offline ");
    first.sync().await;
    second.reads("offline ").await;
    first.removes(0, 3).await;
    second.reads("line ").await;
    // A peer that comes later has it, too, and nobody writes what is there already.
    let log = app.items_of(service::Table::Crdt, &app.key).len();
    let mut third = Peer::join(&app, 3, &ada).await;
    assert_eq!(third.text(), "line ");
    // Every sync repeats the deletions.
    third.sync().await;
    third.types(0, "x").await;
    second.reads("xline ").await;
    // With the owner of its client.
    assert_eq!(app.items_of(service::Table::Crdt, &app.key).len(), log + 2);
}

#[tokio::test]
async fn an_update_under_the_client_of_another_user_closes_with_4403_and_is_not_relayed() {
    let app = with_document().await;
    let (ada, eve) = (member(&app, "ada", "editor").await, member(&app, "eve", "editor").await);
    let mut victim = Peer::join(&app, 7, &ada).await;
    victim.types(0, "hello ").await;
    let mut other = Peer::join(&app, 8, &eve).await;
    assert_eq!(other.text(), "hello ");
    let mut forger = Peer::connect(&app, 7, &eve).await;
    forger.insert(0, "hello ");
    forger.types(6, "FORGED words").await;
    let reason = "The Yjs client 7 belongs to another user; use a client id of your own.";
    assert_eq!(forger.is_closed().await, (4403, reason.to_owned()));
    // Structs that all have already may be sent again, as y-indexeddb lets providers do.
    let everything = other.doc.transact().encode_state_as_update_v1(&StateVector::default());
    other.say(&Message::Update(everything)).await;
    victim.types(6, "honest words").await;
    other.reads("hello honest words").await;
    assert_eq!(stored(&app).await, "hello honest words");
}

#[tokio::test]
async fn a_viewer_cannot_keep_the_client_of_a_user_with_write_access_who_was_away() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let eve = member(&app, "eve", "viewer").await;
    let mut bob = Peer::join(&app, 8, &bob).await;
    let mut away = Peer::join(&app, 7, &ada).await;
    away.say_awareness("{\"name\":\"Ada\"}").await;
    bob.hears_of(7).await;
    drop(away);
    let has_left = |heard: &dialects::State| heard.client == 7 && heard.json == "null";
    while !bob.heard.iter().any(has_left) {
        bob.hear().await;
    }
    // A reader speaks for the client while its owner is away.
    let mut eve = Peer::connect(&app, 7, &eve).await;
    eve.say_awareness("{\"name\":\"Eve\"}").await;
    eve.pings().await;
    let mut back = Peer::join(&app, 7, &ada).await;
    back.say_awareness("{\"name\":\"Ada again\"}").await;
    let is_ada = |heard: &dialects::State| heard.json.contains("Ada again");
    while !bob.heard.iter().any(is_ada) {
        bob.hear().await;
    }
    back.types(0, "still mine").await;
    bob.reads("still mine").await;
    // From now on nothing of the reader is told under that client.
    bob.heard.clear();
    eve.say_awareness("{\"name\":\"Eve again\"}").await;
    eve.pings().await;
    back.say_awareness("{\"name\":\"Ada again\"}").await;
    while !bob.heard.iter().any(is_ada) {
        bob.hear().await;
    }
    assert!(bob.heard.iter().all(|heard| !heard.json.contains("Eve")), "{:?}", bob.heard);
}

#[tokio::test]
async fn a_client_of_a_user_who_is_away_is_not_taken_by_another_user() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let eve = member(&app, "eve", "editor").await;
    let mut bob = Peer::join(&app, 8, &bob).await;
    // The first one begins the editor when she is back.
    for (client, said) in [(7, "one "), (9, "two ")] {
        let mut away = Peer::join(&app, client, &ada).await;
        away.say_awareness("{\"name\":\"Ada\"}").await;
        bob.hears_of(client).await;
        drop(away);
        let has_left = |heard: &dialects::State| heard.client == client && heard.json == "null";
        while !bob.heard.iter().any(has_left) {
            bob.hear().await;
        }
        // Another user who may write speaks for the client meanwhile, but writes nothing under it.
        let mut thief = Peer::connect(&app, client, &eve).await;
        thief.say_awareness("{\"name\":\"Eve\"}").await;
        thief.pings().await;
        let mut writer = Peer::connect(&app, client, &eve).await;
        let stolen = writer.insert(0, "mine");
        writer.say(&Message::Update(stolen)).await;
        assert_eq!(writer.is_closed().await.0, 4403);
        let mut back = Peer::join(&app, client, &ada).await;
        back.types(0, said).await;
        bob.reads_in_any_order(&[said]).await;
        back.say_awareness("{\"name\":\"Ada again\"}").await;
        let is_ada =
            |heard: &dialects::State| heard.client == client && heard.json.contains("Ada again");
        while !bob.heard.iter().any(is_ada) {
            bob.hear().await;
        }
        // From now on nothing of the thief is told under that client.
        bob.heard.clear();
        thief.say_awareness("{\"name\":\"Eve again\"}").await;
        thief.pings().await;
        back.say_awareness("{\"name\":\"Ada again\"}").await;
        while !bob.heard.iter().any(is_ada) {
            bob.hear().await;
        }
        assert!(bob.heard.iter().all(|heard| !heard.json.contains("Eve")), "{:?}", bob.heard);
    }
}

#[tokio::test]
async fn a_client_is_free_for_other_users_an_hour_after_its_user_left() {
    let app = with_document().await;
    let (ada, eve) = (member(&app, "ada", "editor").await, member(&app, "eve", "editor").await);
    let mut other = Peer::join(&app, 8, &eve).await;
    let mut away = Peer::join(&app, 7, &ada).await;
    away.say_awareness("{}").await;
    other.hears_of(7).await;
    drop(away);
    while !other.heard.iter().any(|heard| heard.client == 7 && heard.json == "null") {
        other.hear().await;
    }
    app.advance(Duration::from_secs(3_601));
    let eve = member(&app, "eve", "editor").await;
    let mut next = Peer::join(&app, 7, &eve).await;
    next.types(0, "nobody's any more").await;
    next.is_stored().await;
    assert_eq!(stored(&app).await, "nobody's any more");
}

#[tokio::test]
async fn a_client_announced_by_awareness_belongs_to_its_user_before_the_first_update() {
    let app = with_document().await;
    let (ada, eve) = (member(&app, "ada", "editor").await, member(&app, "eve", "editor").await);
    let mut other = Peer::join(&app, 8, &eve).await;
    let mut written = String::new();
    // The first one would begin the editor.
    for (client, text) in [(7, "first "), (9, "second ")] {
        let mut victim = Peer::join(&app, client, &ada).await;
        victim.say_awareness("{}").await;
        other.hears_of(client).await;
        let mut thief = Peer::connect(&app, client, &eve).await;
        let update = thief.insert(0, "mine");
        thief.say(&Message::Update(update.clone())).await;
        let update = STANDARD.encode(update);
        let reason = format!(
            "The Yjs client {client} belongs to another user; use a client id of your own."
        );
        assert_eq!(thief.is_closed().await, (4403, reason.clone()));
        let sent = at(json!({ "editorId": "e", "updates": [update], "type": "text" }));
        let call = app.caller().end_user(&eve).call("editors.updates_add", sent).await;
        assert_eq!(call.error("PERMISSION_DENIED")["message"], reason);
        victim.types(0, text).await;
        written = format!("{text}{written}");
        other.reads(&written).await;
    }
}

#[tokio::test]
async fn a_viewer_reads_and_its_update_gets_permission_denied() {
    let app = with_document().await;
    let (ada, eve) = (member(&app, "ada", "editor").await, member(&app, "eve", "viewer").await);
    let mut ada = Peer::join(&app, 1, &ada).await;
    let mut eve = Peer::connect(&app, 2, &eve).await;
    eve.say(&Message::Step1(vec![0])).await;
    eve.until(|heard| matches!(heard, Heard::Said(Message::Step2(_)))).await;
    ada.types(0, "read me").await;
    eve.reads("read me").await;
    eve.types(0, "x").await;
    let denied = eve.until(|heard| matches!(heard, Heard::Denied(_))).await;
    assert_eq!(denied, Heard::Denied("The user may only read the document d.".to_owned()));
    ada.pings().await;
    assert_eq!((ada.text().as_str(), stored(&app).await), ("read me", json!("read me")));
}

#[tokio::test]
async fn a_document_that_the_user_may_not_see_closes_with_4404() {
    let app = with_document().await;
    member(&app, "ada", "editor").await;
    let stranger = token(&app, "eve", json!([])).await;
    let other = app.second_key().await;
    let users = json!({
        "organizationId": "acme", "createOrganization": true, "users": [{ "userId": "eve" }],
    });
    app.call_as(&other, "users.add", users).await.ok();
    let data = json!({
        "userId": "eve", "permissions": { "resources": [] },
        "userProperties": { "name": "Eve", "email": "eve@example.com" },
    });
    let foreign = app.call_as(&other, "users.generate_token", data).await.data();
    let foreign = foreign["token"].as_str().unwrap().to_owned();
    let mut said = vec![];
    for token in [&stranger, &foreign] {
        let mut peer = Peer::connect(&app, 1, token).await;
        peer.say(&Message::Step1(vec![0])).await;
        said.push(peer.is_closed().await);
    }
    let absent = format!(
        "protocol=y&room={}&token={stranger}",
        ROOM.replace("/d/", "%2Fx%2F").replace('/', "%2F")
    );
    let mut absent = app.connect(&absent).await;
    absent.send("AAABAA==").await;
    let absent = absent.json().await;
    assert_eq!(said[0], (4404, "There is no document d.".to_owned()));
    assert_eq!(said[1], said[0]);
    assert_eq!(
        (&absent["code"], &absent["reason"]),
        (&json!(4404), &json!("There is no document x."))
    );
}
