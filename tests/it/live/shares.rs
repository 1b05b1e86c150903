//! Shares of a place that one user takes.

use std::{collections::HashMap, time::Duration};

use aws::{Dynamo, Item};
use dialects::Message;
use serde_json::{Value, json};
use service::Table;

use super::{
    events::{listen, ping},
    hocuspocus::{hear, say, say_token},
    peer::{Peer, ROOM},
};
use crate::{
    app::App,
    end_users::{at, member, token, with_document},
};

/// Of connections of one millisecond none is the last.
pub(super) const LATER: Duration = Duration::from_millis(1);

#[tokio::test]
async fn the_twenty_first_connection_of_a_user_to_a_room_is_closed() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut peers = vec![];
    for client in 1..=20 {
        peers.push(Peer::join(&app, client, &ada).await);
    }
    app.advance(LATER);
    let mut one_more = Peer::connect(&app, 21, &ada).await;
    one_more.say(&Message::Step1(vec![0])).await;
    let reason = "The user has 20 connections here.".to_owned();
    assert_eq!(one_more.is_closed().await, (4529, reason));
    // The user's share is free again with one of them, and another user has one as well.
    peers.push(Peer::join(&app, 22, &bob).await);
    let gone = peers.remove(0);
    gone.socket.close(1000).await;
    is_left(&app, 20).await;
    Peer::join(&app, 23, &ada).await;
}

/// Waits until this number of connections is in the room.
async fn is_left(app: &App, count: usize) {
    let rows = || app.embedded().dump(&roundtable::table_name(Table::Realtime)).unwrap();
    let is_member = |row: &Value| row["SK"]["S"].as_str().unwrap().starts_with("live#d#editor#e#");
    let becomes_so = async {
        while rows().iter().filter(|row| is_member(row)).count() != count {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), becomes_so).await.expect("members");
}

/// Joining and leaving takes several writes, so a user has a rate for it.
#[tokio::test]
async fn a_user_who_joins_too_often_is_refused() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut socket = app.connect("protocol=hocuspocus").await;
    say_token(&mut socket, ROOM, &ada).await;
    hear(&mut socket, ROOM).await;
    for n in 0..200 {
        say(&mut socket, ROOM, &Message::Step1(vec![0])).await;
        let said = socket.text().await;
        if said.starts_with('{') {
            assert!(n >= 40 && said.contains("4529") && said.contains("joins too often"), "{said}");
            return;
        }
        say(&mut socket, ROOM, &Message::Close(String::new())).await;
        is_left(&app, 0).await;
    }
    panic!("nothing is refused");
}

/// A joining connection does not read the members of a large room.
#[tokio::test]
async fn the_twenty_first_connection_of_a_user_to_a_large_room_is_closed() {
    let app = with_document().await;
    let mut peers = vec![];
    for (n, user) in ["ada", "bob", "cyd"].into_iter().enumerate() {
        let token = member(&app, user, "editor").await;
        for client in 0..20 {
            peers.push(Peer::join(&app, (n * 20 + client + 1) as u64, &token).await);
        }
    }
    let ada = member(&app, "ada", "editor").await;
    app.advance(LATER);
    let mut one_more = Peer::connect(&app, 99, &ada).await;
    one_more.say(&Message::Step1(vec![0])).await;
    assert_eq!(one_more.is_closed().await.0, 4529);
}

#[tokio::test]
async fn the_twenty_first_subscription_of_a_user_to_a_place_gets_an_error() {
    let app = with_document().await;
    let ada = member(&app, "ada", "viewer").await;
    let me = json!({ "type": "subscribe", "organizationId": "acme", "me": true });
    let mut sockets = vec![];
    for _ in 0..20 {
        let (mut socket, _) = listen(&app, &ada).await;
        socket.send_json(&me).await;
        assert_eq!(socket.json().await["type"], "subscribed");
        sockets.push(socket);
    }
    app.advance(LATER);
    let mut one_more = app.connect(&format!("protocol=events&token={ada}")).await;
    for subscribe in [at(json!({ "type": "subscribe" })), me] {
        one_more.send_json(&subscribe).await;
        let error = one_more.json().await;
        assert_eq!(error["code"], "RESOURCE_EXHAUSTED", "{error}");
    }
    // The connection stays open for others, and is subscribed to nothing.
    ping(&mut one_more).await;
    one_more.send_json(&at(json!({ "type": "presence", "status": "online" }))).await;
    assert_eq!(one_more.json().await["message"], "Subscribe to the document first.");
}

#[tokio::test]
async fn subscribing_to_notifications_requires_a_right_in_the_organization() {
    let app = with_document().await;
    let right = |organization: &str| json!([{ "type": "document", "id": "d", "organizationId": organization }]);
    let me = json!({ "type": "subscribe", "organizationId": "acme", "me": true });
    for (resources, kind) in
        [(json!([]), "error"), (right("other"), "error"), (right("acme"), "subscribed")]
    {
        let eve = token(&app, "eve", resources).await;
        let mut socket = app.connect(&format!("protocol=events&token={eve}")).await;
        socket.send_json(&me).await;
        let said = socket.json().await;
        assert_eq!(said["type"], kind, "{said}");
        if kind == "error" {
            assert_eq!(said["message"], "The user has no right in the organization acme.");
        }
    }
}

fn value(json: &Value) -> aws::Value {
    let (kind, json) = json.as_object().and_then(|it| it.iter().next()).expect("a value");
    let text = || json.as_str().expect("a text").to_owned();
    match kind.as_str() {
        "S" => aws::Value::S(text()),
        "N" => aws::Value::N(text()),
        "BOOL" => aws::Value::Bool(json == true),
        "M" => aws::Value::M(item(json)),
        "NULL" => aws::Value::Null(true),
        other => panic!("{other}"),
    }
}

fn item(json: &Value) -> Item {
    let members = json.as_object().expect("an object").iter();
    members.map(|(name, json)| (name.clone(), value(json))).collect::<HashMap<_, _>>()
}

/// The connections of the others precede that of the user in the order of rows.
#[tokio::test]
async fn a_notification_reaches_its_user_among_a_thousand_other_subscribers() {
    let app = with_document().await;
    let bob = member(&app, "bob", "editor").await;
    let mut socket = app.connect(&format!("protocol=events&token={bob}")).await;
    let me = json!({ "type": "subscribe", "me": true, "organizationId": "acme" });
    socket.send_json(&me).await;
    assert_eq!(socket.json().await["me"], true);
    let table = roundtable::table_name(Table::Realtime);
    let is_member = |row: &&Value| row["SK"]["S"].as_str().unwrap().starts_with("live-user#bob#");
    let rows = app.embedded().dump(&table).unwrap();
    let row = rows.iter().find(is_member).expect("a row").to_string();
    let mut settings = roundtable::config(app.stack().aws_endpoint().expect("a port"), None).aws;
    settings.access_key_id = "live-message".to_owned();
    let dynamo = Dynamo::new(&settings, &table[..table.len() - Table::Realtime.name().len()]);
    let id = row.split("connection#").nth(1).unwrap().split('"').next().unwrap();
    for n in 0..1_000 {
        let other = row.replace("bob", &format!("a{n}")).replace(id, &format!("{n}="));
        let other = item(&serde_json::from_str(&other).unwrap());
        dynamo.put(Table::Realtime.name(), other, None).await.unwrap();
    }
    let config = json!({ "useNotificationService": true });
    app.call("configuration.notifications_update", config).await.ok();
    let notification = at(json!({
        "actionUser": { "userId": "ada" }, "displayHeadlineMessageTemplate": "Hello",
        "displayBodyMessage": "There", "notifyAll": false, "notifyUsers": [{ "userId": "bob" }],
    }));
    app.call("notifications.add", notification).await.ok();
    app.settle().await;
    assert_eq!(socket.json().await["type"], "notification");
}
