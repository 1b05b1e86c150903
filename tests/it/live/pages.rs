//! Pages: their token is offered beside the subprotocol, so that no URL has it.

use std::time::Duration;

use serde_json::json;

use super::peer::ROOM;
use crate::{
    app::{App, Options},
    end_users::{at, member, with_document},
};

const EVENTS: &str = "/live?protocol=events";

#[tokio::test]
async fn a_page_connects_without_a_token_in_its_url() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut events = app.connect_as_page(EVENTS, &ada).await.expect("a connection");
    events.send_json(&at(json!({ "type": "subscribe" }))).await;
    assert_eq!(events.json().await["type"], "subscribed");
    let room = ROOM.replace('/', "%2F");
    let editor = format!("/live?protocol=y&room={room}");
    let mut editor = app.connect_as_page(&editor, &ada).await.expect("a connection");
    editor.send("{\"type\":\"ping\"}").await;
    assert_eq!(editor.json().await["type"], "pong");
    let mut stock = app.connect_as_page(&format!("/live/y/{ROOM}"), &ada).await.expect("one");
    stock.send_binary(vec![0, 0, 1, 0]).await;
    while !stock.binary().await.expect("sync step 2").starts_with(&[0, 1]) {}
}

#[tokio::test]
async fn a_token_of_a_page_that_is_none_closes_with_4401_at_the_first_message() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    for token in ["x", &ada[..ada.len() - 2], &format!("{ada}, {ada}")] {
        let mut events = app.connect_as_page(EVENTS, token).await.expect("a connection");
        events.send("{\"type\":\"ping\"}").await;
        let closed = events.json().await;
        assert_eq!((&closed["type"], &closed["code"]), (&json!("close"), &json!(4401)), "{token}");
    }
}

#[tokio::test]
async fn a_page_that_says_nothing_after_a_refused_token_is_closed() {
    let app = App::start_with(Options::default()).await;
    let mut events = app.connect_as_page(EVENTS, "x").await.expect("a connection");
    app.advance(Duration::from_secs(10));
    app.tick().await;
    events.closed().await;
}

#[tokio::test]
async fn a_token_comes_once_and_with_the_handshake() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let offered = format!("roundtable, {ada}");
    let twice = format!("protocol=events&token={ada}");
    let (status, body) = app.refused_with(&twice, Some(&offered)).await;
    assert_eq!((status, &body["error"]["status"]), (400, &json!("INVALID_ARGUMENT")));
    for offered in ["roundtable", &ada, &format!("{ada}, roundtable")] {
        let (status, _) = app.refused_with("protocol=events", Some(offered)).await;
        assert_eq!(status, 403, "{offered}");
    }
}
