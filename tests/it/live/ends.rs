//! Connections that end.

use std::time::Duration;

use emulator::{Effect, Fault};
use serde_json::json;

use super::peer::Peer;
use crate::end_users::{member, with_document};

#[tokio::test]
async fn a_cursor_goes_with_its_connection() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    first.say_awareness(r#"{"cursor":1}"#).await;
    let shown = second.hears_of(1).await;
    drop(first);
    let gone = second.hears_of(1).await;
    assert!(gone.is_gone() && gone.clock > shown.clock);
    // Who comes back counts again.
    let mut first = Peer::join(&app, 1, &ada).await;
    first.say_awareness(r#"{"cursor":2}"#).await;
    let back = second.hears_of(1).await;
    assert!(!back.is_gone() && back.clock > gone.clock, "{back:?} after {gone:?}");
}

#[tokio::test]
async fn a_cursor_goes_a_minute_after_its_client_was_last_heard() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    first.say_awareness(r#"{"cursor":1}"#).await;
    second.hears_of(1).await;
    app.advance(Duration::from_secs(59));
    second.pings().await;
    app.advance(Duration::from_secs(1));
    second.pings().await;
    assert!(second.hears_of(1).await.is_gone());
}

#[tokio::test]
async fn who_was_silent_for_a_minute_counts_again_when_it_speaks() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    first.say_awareness(r#"{"cursor":1}"#).await;
    second.hears_of(1).await;
    app.advance(Duration::from_secs(60));
    second.pings().await;
    let gone = second.hears_of(1).await;
    assert!(gone.is_gone());
    first.say_awareness(r#"{"cursor":2}"#).await;
    let back = second.hears_of(1).await;
    assert!(!back.is_gone() && back.clock > gone.clock, "{back:?} after {gone:?}");
}

#[tokio::test]
async fn what_others_say_of_a_client_is_not_relayed() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    first.say_awareness(r#"{"user":"ada"}"#).await;
    second.say_awareness(r#"{"user":"bob"}"#).await;
    first.hears_of(2).await;
    let forged =
        dialects::State { client: 1, clock: 1 << 40, json: r#"{"user":"eve"}"#.to_owned() };
    let forged = dialects::Awareness(vec![forged]).write();
    second.say(&dialects::Message::Awareness(forged)).await;
    second.say_awareness(r#"{"user":"bob","n":1}"#).await;
    // The first that it hears is what the other says of itself.
    let heard = first.hears_of(2).await;
    assert_eq!(heard.json, r#"{"user":"bob","n":1}"#);
    second.pings().await;
    first.pings().await;
}

/// The update is stored, and then the function fails: nothing is lost.
#[tokio::test]
async fn what_is_stored_before_a_failure_is_there_after_it() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    // Neither the rows of the room nor anybody in it can be reached.
    for operation in ["Query", "PostToConnection"] {
        app.fault(Fault {
            operation: operation.to_owned(),
            skip: 0,
            times: 40,
            effect: Effect::InternalError,
        });
    }
    first.types(0, "kept").await;
    first.socket.closed().await;
    app.emulator().clear_faults();
    let mut first = first.reconnect(&app, &ada).await;
    first.sync().await;
    assert_eq!(first.text(), "kept");
    app.settle().await;
    second = second.reconnect(&app, &bob).await;
    second.sync().await;
    assert_eq!(second.text(), "kept");
}

#[tokio::test]
async fn who_is_locked_out_is_thrown_out_with_the_next_message() {
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
    let disabled = json!({ "organizationId": "acme", "documentIds": ["d"], "isDisabled": true });
    app.call("documents.disable", disabled).await.ok();
    app.advance(Duration::from_secs(10));
    first.types(0, "x").await;
    assert_eq!(first.is_closed().await.0, 4404);
}
