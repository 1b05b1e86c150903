//! Connections that have sent no token.

use std::time::Duration;

use serde_json::{Value, json};
use service::Table;

use super::{
    hocuspocus::{hear, say_token},
    peer::{Peer, ROOM},
};
use crate::{
    app::App,
    end_users::{member, with_document},
};

const AUTHENTICATED: &[u8] = b"\x02\x02\x0aread-write";

fn rows(app: &App) -> Vec<Value> {
    app.embedded().dump(&roundtable::table_name(Table::Realtime)).unwrap()
}

/// These connections cause no event, so only the timer can close them.
#[tokio::test]
async fn silent_connections_without_a_token_are_closed_by_the_timer() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut late = app.connect("protocol=hocuspocus").await;
    let mut forged = app.connect("protocol=y&room=acme%2Fd%2Fe&token=x").await;
    let mut ready = app.connect("protocol=hocuspocus").await;
    let mut peer = Peer::join(&app, 1, &ada).await;
    app.advance(Duration::from_secs(5));
    app.tick().await;
    say_token(&mut ready, ROOM, &ada).await;
    assert_eq!(hear(&mut ready, ROOM).await, AUTHENTICATED);
    app.advance(Duration::from_secs(5));
    app.tick().await;
    assert_eq!((late.closed().await, forged.closed().await), (1000, 1000));
    peer.pings().await;
    ready.send("CQ==").await;
    assert_eq!(ready.part().await, "Cg==");
    // Nothing is left of them, and nothing is checked twice.
    let is_other = |row: &&Value| {
        let key = row["PK"]["S"].as_str().unwrap();
        key.starts_with("unauthenticated#") || row["opened"].is_object() && row["claims"].is_null()
    };
    assert_eq!(rows(&app).iter().filter(is_other).count(), 0, "{:?}", rows(&app));
}

#[tokio::test]
async fn the_next_tick_closes_connections_that_a_lost_tick_left_open() {
    let app = with_document().await;
    let mut late = app.connect("protocol=hocuspocus").await;
    app.advance(Duration::from_secs(200));
    app.tick().await;
    assert_eq!(late.closed().await, 1000);
}

#[tokio::test]
async fn a_token_after_ten_seconds_closes_with_4503() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut socket = app.connect("protocol=hocuspocus").await;
    app.advance(Duration::from_secs(10));
    say_token(&mut socket, ROOM, &ada).await;
    let reason = "No token came within ten seconds.";
    let close = json!({ "type": "close", "code": 4503, "reason": reason });
    assert_eq!(socket.json().await, close);
    socket.closed().await;
}

#[tokio::test]
async fn a_ping_before_the_token_gets_no_pong() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut socket = app.connect("protocol=hocuspocus").await;
    for ping in ["CQ==", "{\"type\":\"ping\"}"] {
        socket.send(ping).await;
        socket.send(ping).await;
    }
    say_token(&mut socket, ROOM, &ada).await;
    assert_eq!(hear(&mut socket, ROOM).await, AUTHENTICATED);
    socket.send_json(&json!({ "type": "ping" })).await;
    assert_eq!(socket.json().await["type"], "pong");
    let posts = app.calls().iter().filter(|it| it.operation == "PostToConnection").count();
    assert_eq!(posts, 2);
}

#[tokio::test]
async fn a_hundred_messages_before_the_token_close_the_connection() {
    let app = with_document().await;
    let mut socket = app.connect("protocol=hocuspocus").await;
    for _ in 0..200 {
        socket.send("{\"type\":\"ping\"}").await;
    }
    let reason = "Send the token of an end user first.";
    let close = json!({ "type": "close", "code": 4401, "reason": reason });
    assert_eq!(socket.json().await, close);
}
