//! Connections that end.

use std::time::Duration;

use embedded::{Effect, Fault};
use serde_json::json;

use super::peer::{Peer, relayed};
use crate::{
    app::App,
    end_users::{member, with_document, with_document_in_parts},
};

#[tokio::test]
async fn the_end_of_a_connection_withdraws_its_awareness_state() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    first.say_awareness(r#"{"cursor":1}"#).await;
    let shown = second.hears_of(1).await;
    drop(first);
    let gone = second.hears_of(1).await;
    assert!(gone.is_gone() && gone.clock > shown.clock);
    // A client that comes back counts again, however soon.
    let mut first = Peer::join(&app, 1, &ada).await;
    first.say_awareness(r#"{"cursor":2}"#).await;
    let back = second.hears_of(1).await;
    assert!(!back.is_gone() && back.clock > gone.clock, "{back:?} after {gone:?}");
}

#[tokio::test]
async fn a_cursor_disappears_a_minute_after_its_client_was_last_heard() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    first.say_awareness(r#"{"cursor":1}"#).await;
    second.hears_of(1).await;
    app.advance(Duration::from_secs(59));
    second.pings().await;
    app.advance(Duration::from_secs(1));
    // The call of the first ping goes on after its answer, and may be the one that finds out.
    second.send_ping().await;
    assert!(second.hears_of(1).await.is_gone());
}

#[tokio::test]
async fn joining_a_room_gets_the_stored_awareness_states() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    first.say_awareness(r#"{"user":"ada"}"#).await;
    let shown = second.hears_of(1).await;
    // Nobody answers when somebody joins.
    let mut third = Peer::join(&app, 3, &bob).await;
    third.say_awareness(r#"{"user":"bob"}"#).await;
    assert_eq!(third.before_its_own(3).await, [shown]);
    first.say_awareness("null").await;
    assert!(second.hears_of(1).await.is_gone());
    let mut last = Peer::join(&app, 4, &bob).await;
    last.say_awareness("{}").await;
    let heard = last.before_its_own(4).await;
    assert!(heard.iter().all(|state| state.client != 1 || state.is_gone()), "{heard:?}");
}

#[tokio::test]
async fn a_state_under_the_client_of_another_connection_is_dropped() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    first.say_awareness(r#"{"user":"ada"}"#).await;
    second.say_awareness(r#"{"user":"bob"}"#).await;
    first.before_its_own(2).await;
    let eve = r#"{"user":"eve"}"#;
    let forged = dialects::State { client: 1, clock: 1 << 40, json: eve.to_owned() };
    let forged = dialects::Awareness(vec![forged]).write();
    second.say(&dialects::Message::Awareness(forged)).await;
    second.pings().await;
    second.say_awareness(r#"{"user":"bob","n":1}"#).await;
    let heard = first.before_its_own(2).await;
    assert!(heard.iter().all(|state| state.json != eve), "{heard:?}");
}

/// A tab in the background is silent for longer than its lease.
#[tokio::test]
async fn a_client_whose_lease_expired_is_not_taken_by_another_user() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let eve = member(&app, "eve", "viewer").await;
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    first.say_awareness(r#"{"user":"ada"}"#).await;
    second.hears_of(1).await;
    app.advance(Duration::from_secs(60));
    second.pings().await;
    assert!(second.hears_of(1).await.is_gone());
    let mut impostor = Peer::connect(&app, 1, &eve).await;
    impostor.say_awareness(r#"{"user":"eve"}"#).await;
    // The impostor is answered, but its state is dropped.
    assert_eq!(impostor.hears_of(1).await.json, r#"{"user":"eve"}"#);
    first.say_awareness(r#"{"user":"ada","n":2}"#).await;
    assert_eq!(second.hears_of(1).await.json, r#"{"user":"ada","n":2}"#);
    // A new connection of the same user has it again.
    app.advance(Duration::from_secs(1));
    let mut first = first.reconnect(&app, &ada).await;
    first.say_awareness(r#"{"user":"ada","n":3}"#).await;
    while second.hears_of(1).await.json != r#"{"user":"ada","n":3}"# {}
}

/// The update is stored, and then the rows of the room cannot be read.
#[tokio::test]
async fn a_worker_relays_an_update_when_the_members_cannot_be_read() {
    let app = with_document_in_parts().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    // The first write adds the editor, and the second reads nothing but its head.
    first.types(0, "kept").await;
    second.reads("kept").await;
    fail(&app, "Query");
    first.types(4, " too").await;
    relayed(&app).await;
    app.embedded().clear_faults();
    app.settle().await;
    second.reads("kept too").await;
}

/// The update is stored, and then nobody can be told: who was not told comes back and has it.
#[tokio::test]
async fn a_failed_post_of_an_update_closes_the_connection_which_syncs_on_return() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    fail(&app, "PostToConnection");
    first.types(0, "kept").await;
    second.socket.closed().await;
    app.embedded().clear_faults();
    second = second.reconnect(&app, &bob).await;
    second.sync().await;
    assert_eq!(second.text(), "kept");
}

fn fail(app: &App, operation: &str) {
    app.fault(Fault {
        operation: operation.to_owned(),
        skip: 0,
        times: 1000,
        effect: Effect::InternalError,
    });
}

#[tokio::test]
async fn an_update_of_another_member_closes_a_connection_without_the_right() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    let out = json!({ "organizationId": "acme", "userIds": ["bob"] });
    app.call("users.delete", out).await.ok();
    app.advance(Duration::from_secs(10));
    // A message of somebody else is enough.
    first.types(0, "secret").await;
    assert_eq!(second.is_closed().await, (4404, "There is no document d.".to_owned()));
    assert_eq!(second.text(), "");
    let disabled = json!({ "organizationId": "acme", "documentIds": ["d"], "disabled": true });
    app.call("documents.disable", disabled).await.ok();
    app.advance(Duration::from_secs(10));
    first.types(0, "x").await;
    assert_eq!(first.is_closed().await.0, 4404);
}
