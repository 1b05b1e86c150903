//! Clients are told whether they may write.

use dialects::Message;
use serde_json::{Value, json};

use super::{
    hocuspocus::{hear, say, say_token},
    peer::{Heard, Peer, ROOM},
    saved::{add_text, hears_of, stored},
};
use crate::end_users::{member, with_document};

const READS: &[u8] = b"\x02\x02\x08readonly";
const WRITES: &[u8] = b"\x02\x02\x0aread-write";

/// A role of a member of the organization.
fn role(role: &str) -> Value {
    json!({ "organizationId": "acme", "users": [{ "userId": "eve", "accessRole": role }] })
}

#[tokio::test]
async fn a_connection_is_told_of_a_right_to_write_that_its_user_gains_or_loses() {
    let app = with_document().await;
    add_text(&app, "|").await;
    let eve = member(&app, "eve", "viewer").await;
    let mut named = app.connect("protocol=hocuspocus").await;
    say_token(&mut named, ROOM, &eve).await;
    assert_eq!(hear(&mut named, ROOM).await, READS);
    say(&mut named, ROOM, &Message::Step1(vec![0])).await;
    hear(&mut named, ROOM).await;
    hear(&mut named, ROOM).await;
    let mut peer = Peer::connect(&app, 1, &eve).await;
    peer.say(&Message::Step1(vec![0])).await;
    peer.reads("|").await;
    peer.types(0, "mine").await;
    peer.until(|heard| matches!(heard, Heard::Denied(_))).await;
    app.settle().await;
    app.call("users.update", role("editor")).await.ok();
    app.settle().await;
    assert_eq!(hears_of(&mut named, 2).await, WRITES);
    while hears_of(&mut named, 0).await[1] != 0 {}
    // The service asks for changes that were refused before, so that later ones are saved.
    peer.until(|heard| matches!(heard, Heard::Said(Message::Step1(_)))).await;
    peer.types(0, "!").await;
    peer.is_stored().await;
    assert_eq!(stored(&app).await, ["!mine|"]);
    app.call("users.update", role("viewer")).await.ok();
    app.settle().await;
    assert_eq!(hears_of(&mut named, 2).await, READS);
    // A right of its own in the document is a new item.
    let user = json!({
        "organizationId": "acme", "documentId": "d",
        "users": [{ "userId": "eve", "accessRole": "editor" }],
    });
    app.call("users.add", user).await.ok();
    app.settle().await;
    assert_eq!(hears_of(&mut named, 2).await, WRITES);
}

/// Who has sent a token, and not yet asked for the editor, is found by no change of rights.
#[tokio::test]
async fn a_right_that_changes_between_token_and_joining_is_told() {
    for (before, said, after, told) in
        [("viewer", READS, "editor", WRITES), ("editor", WRITES, "viewer", READS)]
    {
        let app = with_document().await;
        add_text(&app, "|").await;
        let eve = member(&app, "eve", before).await;
        let mut named = app.connect("protocol=hocuspocus").await;
        say_token(&mut named, ROOM, &eve).await;
        assert_eq!(hear(&mut named, ROOM).await, said);
        app.call("users.update", role(after)).await.ok();
        app.settle().await;
        say(&mut named, ROOM, &Message::Step1(vec![0])).await;
        assert_eq!(hear(&mut named, ROOM).await, told, "{before} to {after}");
        app.call("users.update", role(before)).await.ok();
        app.settle().await;
        assert_eq!(hears_of(&mut named, 2).await, said, "{after} to {before}");
    }
}

#[tokio::test]
async fn a_scope_that_has_not_changed_is_told_once() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut named = app.connect("protocol=hocuspocus").await;
    say_token(&mut named, ROOM, &ada).await;
    assert_eq!(hear(&mut named, ROOM).await, WRITES);
    say(&mut named, ROOM, &Message::Step1(vec![0])).await;
    assert_eq!(hear(&mut named, ROOM).await[..2], [0, 1]);
    assert_eq!(hear(&mut named, ROOM).await[..2], [0, 0]);
}
