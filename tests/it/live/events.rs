//! Presence, live state and what happens in a document, for those who listen.

use std::time::Duration;

use serde_json::{Value, json};
use tests::socket::Socket;

use crate::{
    app::App,
    end_users::{at, member, token, with_document},
};

/// Subscribes a client to the document; returns the reply, too.
pub(super) async fn listen(app: &App, token: &str) -> (Socket, Value) {
    let mut socket = app.connect(&format!("protocol=events&token={token}")).await;
    socket.send_json(&at(json!({ "type": "subscribe" }))).await;
    let there = socket.json().await;
    assert_eq!(there["type"], "subscribed", "{there}");
    (socket, there)
}

/// Waits for the answer to a ping: the service has then handled all earlier messages.
pub(super) async fn ping(socket: &mut Socket) {
    socket.send_json(&json!({ "type": "ping" })).await;
    assert_eq!(socket.json().await, json!({ "type": "pong" }));
}

async fn be_present(socket: &mut Socket, status: &str) {
    socket.send_json(&at(json!({ "type": "presence", "status": status }))).await;
}

/// Waits until exactly these users are present.
async fn present(app: &App, wanted: &[&str]) {
    let is_so = async || {
        let found = app.call("presence.get", at(json!({}))).await.data();
        let users = found.as_array().unwrap().iter();
        users.map(|user| user["userId"].as_str().unwrap()).eq(wanted.iter().copied())
    };
    let becomes_so = async { while !is_so().await {} };
    tokio::time::timeout(Duration::from_secs(20), becomes_so).await.expect("presence");
}

/// Waits until the presence record of the user has this status.
async fn said(app: &App, status: &str) {
    let is_so =
        async || app.call("presence.get", at(json!({}))).await.data()[0]["status"] == status;
    let becomes_so = async { while !is_so().await {} };
    tokio::time::timeout(Duration::from_secs(20), becomes_so).await.expect("the status");
}

/// Waits until this number of connections is left.
async fn left(app: &App, wanted: usize) {
    let rows = || app.embedded().dump(&roundtable::table_name(service::Table::Realtime)).unwrap();
    let is_one = |row: &Value| row["SK"]["S"] == "connection" && row.get("ended").is_none();
    let becomes_so = async {
        while rows().iter().filter(|row| is_one(row)).count() != wanted {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), becomes_so).await.expect("connections");
}

#[tokio::test]
async fn presence_is_shared_between_rest_and_subscribers() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let users = json!({ "users": [{ "userId": "bot", "status": "online" }] });
    app.call("presence.add", at(users)).await.ok();
    let (mut first, there) = listen(&app, &ada).await;
    assert_eq!(there["presence"][0]["userId"], "bot");
    assert_eq!((&there["isComplete"], &there["liveState"]), (&json!(true), &json!([])));

    be_present(&mut first, "away").await;
    present(&app, &["ada", "bot"]).await;
    app.settle().await;
    // Presence from before it listened may be told once more.
    let told = loop {
        let told = first.json().await;
        let users = told["users"].as_array().unwrap();
        if let Some(ada) = users.iter().find(|user| user["userId"] == "ada") {
            break ada.clone();
        }
    };
    assert_eq!((&told["status"], &told["name"]), (&json!("away"), &json!("ADA")));
    app.call("presence.delete", at(json!({ "userIds": ["bot"] }))).await.ok();
    app.settle().await;
    let left = json!({
        "type": "presence", "organizationId": "acme", "documentId": "d", "users": [],
        "left": ["bot"],
    });
    assert_eq!(first.json().await, left);
}

#[tokio::test]
async fn users_who_arrive_together_are_announced_in_one_message() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let (mut first, _) = listen(&app, &ada).await;
    app.settle().await;
    app.forget_calls();
    let named = |n: usize| json!({ "userId": format!("user-{n:02}"), "status": "online" });
    for some in (0..30).collect::<Vec<_>>().chunks(10) {
        let users: Vec<Value> = some.iter().map(|n| named(*n)).collect();
        app.call("presence.add", at(json!({ "users": users }))).await.ok();
    }
    app.call("presence.delete", at(json!({ "userIds": ["user-07"] }))).await.ok();
    app.settle().await;
    let told = first.json().await;
    let users: Vec<&str> =
        told["users"].as_array().unwrap().iter().map(|it| it["userId"].as_str().unwrap()).collect();
    assert_eq!((users.len(), &told["left"]), (29, &json!(["user-07"])));
    let posts = app.calls().iter().filter(|call| call.operation == "PostToConnection").count();
    assert_eq!(posts, 1);
}

/// The list of more users than a frame has room for comes in several, before the answer.
#[tokio::test]
async fn a_new_subscriber_gets_all_900_present_users_in_several_frames() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let all = 900;
    for some in (0..all).collect::<Vec<_>>().chunks(100) {
        let user = |n: &usize| {
            let name = format!("user-{n:03}");
            json!({ "userId": name, "name": name, "email": format!("{name}@example.com") })
        };
        let users: Vec<Value> = some.iter().map(user).collect();
        app.call("presence.add", at(json!({ "users": users }))).await.ok();
    }
    let mut socket = app.connect(&format!("protocol=events&token={ada}")).await;
    socket.send_json(&at(json!({ "type": "subscribe" }))).await;
    let (mut listed, mut frames) = (std::collections::BTreeSet::new(), 0);
    let answer = loop {
        let frame = socket.json().await;
        if frame["type"] == "subscribed" {
            break frame;
        }
        assert_eq!((&frame["type"], &frame["isSnapshot"]), (&json!("presence"), &json!(true)));
        assert!(frame.to_string().len() <= 90 * 1024);
        frames += 1;
        let users = frame["users"].as_array().unwrap().iter();
        listed.extend(users.map(|it| it["userId"].as_str().unwrap().to_owned()));
    };
    assert_eq!((listed.len(), &answer["isComplete"]), (all, &json!(true)));
    assert!(frames > 1 && answer["presence"] == json!([]));
}

#[tokio::test]
async fn presence_of_a_user_ends_with_its_last_connection() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let (mut one, _) = listen(&app, &ada).await;
    let (mut two, _) = listen(&app, &ada).await;
    let (mut other, _) = listen(&app, &bob).await;
    be_present(&mut one, "online").await;
    present(&app, &["ada"]).await;
    be_present(&mut two, "away").await;
    said(&app, "away").await;
    one.close(1000).await;
    left(&app, 2).await;
    present(&app, &["ada"]).await;
    // The other one dies without a word, and nobody notices but its lease.
    app.advance(Duration::from_secs(60));
    ping(&mut other).await;
    present(&app, &[]).await;
    drop(two);
}

#[tokio::test]
async fn subscribers_get_live_state_that_is_broadcast() {
    let app = with_document().await;
    let eve = member(&app, "eve", "viewer").await;
    let state = |n: u64| at(json!({ "liveStateDataId": "cursor", "data": { "n": n } }));
    app.call("live-state.broadcast", state(1)).await.ok();
    app.settle().await;
    let (mut eve, there) = listen(&app, &eve).await;
    let shown = json!([{ "liveStateDataId": "cursor", "data": { "n": 1 }, "revision": 1 }]);
    assert_eq!(there["liveState"], shown);
    app.call("live-state.broadcast", state(2)).await.ok();
    app.settle().await;
    let told = json!({
        "type": "liveState", "organizationId": "acme", "documentId": "d",
        "liveStateDataId": "cursor", "data": { "n": 2 }, "revision": 2,
    });
    assert_eq!(eve.json().await, told);
}

#[tokio::test]
async fn events_of_private_threads_reach_only_users_who_may_see_them() {
    let app = with_document().await;
    let (bob, eve) = (member(&app, "bob", "editor").await, member(&app, "eve", "editor").await);
    let (mut bob, there) = listen(&app, &bob).await;
    let (mut eve, _) = listen(&app, &eve).await;
    let before = there["position"].as_u64().unwrap();
    let thread = |id: &str, visibility: Value| {
        at(json!({ "commentAnnotations": [{
            "annotationId": id, "visibility": visibility,
            "commentData": [{ "from": { "userId": "bob" }, "commentText": "x" }],
        }] }))
    };
    let private = json!({ "type": "restricted", "userIds": ["bob"] });
    app.call("comments.annotations_add", thread("p", private)).await.ok();
    app.settle().await;
    let told = bob.json().await;
    assert_eq!((&told["type"], &told["ids"]["annotationId"]), (&json!("event"), &json!("p")));
    assert_eq!((&told["position"], &told["actorUserId"]), (&json!(before + 1), &json!("bob")));
    assert!(told.to_string().find("commentText").is_none(), "a notice has no content: {told}");
    app.call("comments.annotations_add", thread("t", json!({ "type": "public" }))).await.ok();
    app.settle().await;
    // The first that the other one hears of is the public thread.
    let heard = eve.json().await;
    assert_eq!((&heard["name"], &heard["ids"]["annotationId"]), (&told["name"], &json!("t")));
    // A private one that goes is told to nobody else, either.
    let gone = at(json!({ "annotationIds": ["p"] }));
    app.call("comments.annotations_delete", gone).await.ok();
    app.settle().await;
    ping(&mut eve).await;
}

#[tokio::test]
async fn events_of_threads_for_an_organization_reach_its_members() {
    let app = with_document().await;
    let public = at(json!({ "documentIds": ["d"], "accessType": "public" }));
    app.call("documents.access_update", public).await.ok();
    let other = json!({
        "organizationId": "other", "createOrganization": true, "users": [{ "userId": "bob" }],
    });
    app.call("users.add", other).await.ok();
    let in_other = json!([{ "type": "organization", "id": "other", "organizationId": "other" }]);
    let ada = member(&app, "ada", "editor").await;
    let (bob, cy) = (token(&app, "bob", json!([])).await, token(&app, "cy", in_other).await);
    let eve = token(&app, "eve", json!([])).await;
    let mut sockets = vec![];
    let mut since = 0;
    for token in [&ada, &bob, &cy, &eve] {
        let (socket, there) = listen(&app, token).await;
        since = there["position"].as_u64().unwrap();
        sockets.push(socket);
    }
    for (id, organization) in [("a", "acme"), ("o", "other")] {
        let thread = at(json!({ "commentAnnotations": [{
            "annotationId": id,
            "visibility": { "type": "organizationPrivate", "organizationId": organization },
            "commentData": [{ "from": { "userId": "dan" }, "commentText": "x" }],
        }] }));
        app.call("comments.annotations_add", thread).await.ok();
        app.settle().await;
    }
    let deleted = at(json!({ "annotationIds": ["o"] }));
    app.call("comments.annotations_delete", deleted).await.ok();
    app.settle().await;
    let expected: [&[&str]; 4] = [&["a"], &["o", "o"], &["o", "o"], &[]];
    for (socket, expected) in sockets.iter_mut().zip(expected) {
        for id in expected {
            assert_eq!(socket.json().await["ids"]["annotationId"], *id);
        }
        ping(socket).await;
    }
    // A subscriber that returns is told of the same.
    for (token, expected) in [&ada, &bob, &cy, &eve].into_iter().zip(expected) {
        let mut socket = app.connect(&format!("protocol=events&token={token}")).await;
        socket.send_json(&at(json!({ "type": "subscribe", "since": since }))).await;
        for id in expected {
            assert_eq!(socket.json().await["ids"]["annotationId"], *id);
        }
        assert_eq!(socket.json().await["type"], "subscribed");
    }
}

#[tokio::test]
async fn a_notification_reaches_the_connections_of_its_user_alone() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut sockets = vec![];
    for token in [&ada, &bob] {
        let mut socket = app.connect(&format!("protocol=events&token={token}")).await;
        let me = json!({ "type": "subscribe", "me": true, "organizationId": "acme" });
        socket.send_json(&me).await;
        assert_eq!(socket.json().await["me"], true);
        sockets.push(socket);
    }
    let config = json!({ "useNotificationService": true });
    app.call("configuration.notifications_update", config).await.ok();
    let notification = at(json!({
        "actionUser": { "userId": "ada" }, "displayHeadlineMessageTemplate": "Hello",
        "displayBodyMessage": "There", "notifyAll": false,
        "notifyUsers": [{ "userId": "bob" }],
    }));
    app.call("notifications.add", notification).await.ok();
    app.settle().await;
    let told = sockets[1].json().await;
    assert_eq!((&told["type"], &told["organizationId"]), (&json!("notification"), &json!("acme")));
    assert!(told["notificationId"].is_string(), "{told}");
    ping(&mut sockets[0]).await;
}

#[tokio::test]
async fn a_refused_message_of_a_subscriber_gets_an_error_and_keeps_the_connection() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let eve = token(&app, "eve", json!([])).await;
    let (mut socket, _) = listen(&app, &ada).await;
    for (said, code) in [
        (json!({ "type": "subscribe", "organizationId": "acme", "documentId": "x" }), "NOT_FOUND"),
        (json!({ "type": "subscribe", "organizationId": "acme" }), "INVALID_ARGUMENT"),
        (json!({ "type": "presence", "organizationId": "acme", "documentId": "x" }), "NOT_FOUND"),
        (json!({ "type": "shout" }), "INVALID_ARGUMENT"),
    ] {
        socket.send_json(&said).await;
        let error = socket.json().await;
        assert_eq!((&error["type"], &error["code"]), (&json!("error"), &json!(code)), "{said}");
    }
    ping(&mut socket).await;
    let mut eve = app.connect(&format!("protocol=events&token={eve}")).await;
    eve.send_json(&at(json!({ "type": "subscribe" }))).await;
    let error = eve.json().await;
    assert_eq!(error["message"], "There is no document d.");
}

/// A connection has at most twenty subscriptions.
#[tokio::test]
async fn the_twenty_first_subscription_of_a_connection_gets_an_error() {
    let app = with_document().await;
    let resources: Vec<Value> = (0..21)
        .map(|n| json!({ "type": "document", "id": format!("n{n}"), "organizationId": "acme" }))
        .collect();
    let ada = token(&app, "ada", json!(resources)).await;
    let mut socket = app.connect(&format!("protocol=events&token={ada}")).await;
    for n in 0..21 {
        let said = json!({
            "type": "subscribe", "organizationId": "acme", "documentId": format!("n{n}"),
        });
        socket.send_json(&said).await;
        let heard = socket.json().await;
        let wanted = if n < 20 { "subscribed" } else { "error" };
        assert_eq!(heard["type"], wanted, "{n}: {heard}");
    }
}
