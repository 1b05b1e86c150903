//! Rates of messages.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::Message;
use serde_json::{Value, json};
use service::{Limits, Table};

use super::{events::listen, peer::Peer};
use crate::{
    app::{App, Options, logged},
    end_users::{add_document, at, member},
};

/// A user has a tenth: one token a second, and ten at most.
async fn limited() -> App {
    let limits =
        Limits { reads_per_second: Some(10), writes_per_second: Some(10), ..Limits::default() };
    started(limits).await
}

async fn started(limits: Limits) -> App {
    let app = App::start_with(Options { limits, ..Options::default() }).await;
    add_document(&app).await;
    app
}

async fn add_editor(app: &App, id: &str, bytes: usize) {
    let data = json!({ "editorId": id, "type": "text", "data": "x".repeat(bytes) });
    app.call("editors.add", at(data)).await.ok();
}

/// Reads the editor until the service refuses; returns the number of reads.
async fn reads_until_refused(peer: &mut Peer) -> usize {
    for n in 0..100 {
        peer.say(&Message::Step1(vec![0])).await;
        let text = peer.socket.part().await;
        if text.starts_with('{') {
            assert!(text.contains("4529") && text.contains("The rate limit is 10 reads"), "{text}");
            peer.socket.closed().await;
            return n;
        }
    }
    panic!("nothing is refused");
}

#[tokio::test]
async fn messages_that_read_are_charged_to_the_account_of_the_users_calls() {
    let app = limited().await;
    add_editor(&app, "e", 60_000).await;
    add_editor(&app, "large", 800_000).await;
    let (eve, bob) = (member(&app, "eve", "viewer").await, member(&app, "bob", "viewer").await);
    let mut second = Peer::connect(&app, 2, &eve).await;
    second.say_awareness("{}").await;
    second.is_heard(1).await;
    let mut first = Peer::connect(&app, 1, &eve).await;
    let count = reads_until_refused(&mut first).await;
    assert!((8..90).contains(&count), "{count}");
    // Calls take from the same account, also what they owe for several seconds.
    app.advance(Duration::from_secs(3));
    let body = json!({ "data": at(json!({ "editorId": "large" })) }).to_string();
    let bearer = format!("Bearer {eve}");
    let get = async || app.send("/v2/crdt/get", body.clone(), &[("authorization", &bearer)]).await;
    while get().await.status() == 200 {}
    // The client waits before it connects again, and others need not.
    let query = format!("protocol=events&token={eve}");
    assert_eq!(app.try_connect(&query).await.err(), Some(429));
    let mut other = Peer::connect(&app, 3, &bob).await;
    other.say(&Message::Step1(vec![0])).await;
    other.socket.part().await;
    // Cursors are dropped, and the connection stays: a newer one replaces them.
    let id = connection_of(&app, 2);
    let before = tokens(&id).len();
    let (mut sent, mut dropped) = (0_u64, 0);
    while dropped < 20 {
        // On a busy machine the account has tokens again meanwhile.
        while get().await.status() == 200 {}
        second.say_awareness(&format!("{{\"n\":{sent}}}")).await;
        sent += 1;
        while tokens(&id).len() < before + sent as usize {
            tokio::task::yield_now().await;
        }
        dropped = tokens(&id)[before..].iter().filter(|tokens| **tokens == 0.0).count();
    }
    app.advance(Duration::from_secs(10));
    second.say_awareness("{\"n\":\"last\"}").await;
    // The client answers who asked for its state meanwhile, and of states that wait the newest comes.
    second.is_heard(sent + 2).await;
    app.try_connect(&query).await.expect("a connection");
}

#[tokio::test]
async fn presence_is_charged_as_a_write() {
    let app = limited().await;
    add_editor(&app, "e", 1).await;
    let ada = member(&app, "ada", "editor").await;
    let (mut socket, _) = listen(&app, &ada).await;
    let mut peer = Peer::connect(&app, 1, &ada).await;
    // Each is four tokens, which are owed for some seconds.
    let update = STANDARD.encode(peer.insert(0, &"x".repeat(200_000)));
    let body = json!({ "data": at(json!({ "editorId": "e", "updates": [update] })) }).to_string();
    let bearer = format!("Bearer {ada}");
    let path = "/v2/crdt/updates/add";
    while app.send(path, body.clone(), &[("authorization", &bearer)]).await.status() == 200 {}
    socket.send_json(&at(json!({ "type": "presence", "status": "online" }))).await;
    let close = socket.json().await;
    assert_eq!(close["code"], 4529, "{close}");
    assert!(close["reason"].as_str().unwrap().contains("10 writes"), "{close}");
    // An update cannot be dropped either; a cursor is a read.
    peer.say_awareness("{}").await;
    peer.is_heard(1).await;
    peer.types(0, "x").await;
    assert_eq!(peer.is_closed().await.0, 4529);
}

/// The rate of messages holds whatever they cost.
#[tokio::test]
async fn a_connection_that_sends_too_many_messages_is_closed() {
    let app = started(Limits::default()).await;
    let ada = member(&app, "ada", "editor").await;
    let mut peer = Peer::connect(&app, 1, &ada).await;
    for _ in 0..1_500 {
        peer.say(&Message::Update(vec![0, 0])).await;
    }
    let reason = "A connection may send a hundred messages in a second.".to_owned();
    assert_eq!(peer.is_closed().await, (4529, reason));
}

/// The connection that speaks for a client.
fn connection_of(app: &App, client: u64) -> String {
    let rows = app.embedded().dump(&roundtable::table_name(Table::Realtime)).unwrap();
    let client = client.to_string();
    let row = rows.iter().find(|row| row["client"]["N"] == client.as_str()).expect("a row");
    row["connectionId"]["S"].as_str().expect("an id").to_owned()
}

/// The tokens of the messages of a connection, from the log.
fn tokens(connection: &str) -> Vec<f64> {
    let lines = logged();
    let of_connection = lines.lines().filter(|line| line.contains(connection));
    let lines = of_connection.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter_map(|line| find(&line, "tokens")?.as_f64()).collect()
}

fn find<'a>(line: &'a Value, name: &str) -> Option<&'a Value> {
    line.get(name).or_else(|| line.get("fields")?.get(name))
}

/// Ten changes and ten cursors a second take less than a user has by the defaults of a deployment:
/// ten writes and twenty reads.
#[tokio::test]
async fn a_fast_typist_in_a_room_of_fifty_is_not_limited() {
    let limits =
        Limits { reads_per_second: Some(200), writes_per_second: Some(100), ..Limits::default() };
    let app = started(limits).await;
    let mut peers = vec![];
    for users in (1..=50).collect::<Vec<_>>().chunks(17) {
        let user = member(&app, &format!("user-{}", users[0]), "editor").await;
        for client in users {
            let mut peer = Peer::connect(&app, *client, &user).await;
            peer.say_awareness(&format!("{{\"name\":\"{}\"}}", "x".repeat(200))).await;
            peer.hears_of(*client).await;
            peers.push(peer);
        }
    }
    let id = connection_of(&app, 1);
    let typist = &mut peers[0];
    typist.types(0, "a").await;
    typist.sync().await;
    let mut costs = vec![];
    for n in 0..10 {
        let before = tokens(&id).len();
        typist.types(1 + n, "b").await;
        typist.pings().await;
        typist.say_awareness(&format!("{{\"cursor\":{n}}}")).await;
        typist.pings().await;
        while tokens(&id).len() < before + 4 {
            tokio::task::yield_now().await;
        }
        costs.extend(tokens(&id).split_off(before));
    }
    // Without the pings.
    costs.sort_by(f64::total_cmp);
    let (most, median) = (costs[39], costs[29]);
    assert!(median > 0.2 && median < 0.6 && most < 0.8, "{costs:?}");
}
