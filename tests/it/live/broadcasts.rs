//! Messages of pages for whoever is there now (contract `live.broadcast`), and their data of presence
//! (contract `live.presence`).

use std::time::Duration;

use serde_json::{Value, json};

use super::events::{listen, ping};
use crate::end_users::{at, member, token, with_document};

fn broadcast(data: Value) -> Value {
    at(json!({ "type": "broadcast", "data": data }))
}

#[tokio::test]
async fn a_broadcast_reaches_the_others_in_the_document() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "viewer").await, member(&app, "bob", "editor").await);
    let (mut one, _) = listen(&app, &ada).await;
    let (mut second, _) = listen(&app, &ada).await;
    let (mut other, _) = listen(&app, &bob).await;
    one.send_json(&broadcast(json!({ "typing": true }))).await;
    let expected = json!({
        "type": "broadcast", "organizationId": "acme", "documentId": "d", "userId": "ada",
        "data": { "typing": true },
    });
    for socket in [&mut second, &mut other] {
        assert_eq!(socket.json().await, expected);
        ping(socket).await;
    }
    // The sender is told nothing, and who comes later neither.
    ping(&mut one).await;
    let (mut late, _) = listen(&app, &bob).await;
    ping(&mut late).await;
}

#[tokio::test]
async fn a_broadcast_has_a_kilobyte_and_needs_a_subscription_and_a_right() {
    let app = with_document().await;
    let (ada, eve) = (member(&app, "ada", "editor").await, token(&app, "eve", json!([])).await);
    let (mut one, _) = listen(&app, &ada).await;
    let refused = async |socket: &mut tests::socket::Socket, data: Value| {
        socket.send_json(&broadcast(data)).await;
        let error = socket.json().await;
        assert_eq!((&error["type"], &error["documentId"]), (&json!("error"), &json!("d")));
        error["code"].as_str().expect("a code").to_owned()
    };
    one.send_json(&broadcast(json!("x".repeat(1022)))).await;
    ping(&mut one).await;
    assert_eq!(refused(&mut one, json!("x".repeat(1023))).await, "INVALID_ARGUMENT");
    let mut apart = app.connect(&format!("protocol=events&token={ada}")).await;
    assert_eq!(refused(&mut apart, json!(1)).await, "INVALID_ARGUMENT");
    let mut stranger = app.connect(&format!("protocol=events&token={eve}")).await;
    assert_eq!(refused(&mut stranger, json!(1)).await, "NOT_FOUND");
    let without = at(json!({ "type": "broadcast" }));
    one.send_json(&without).await;
    assert_eq!(one.json().await["code"], "INVALID_ARGUMENT");
    ping(&mut one).await;
}

#[tokio::test]
async fn a_broadcast_ends_with_the_right_to_read() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "viewer").await);
    let (mut one, _) = listen(&app, &ada).await;
    let (mut lost, _) = listen(&app, &bob).await;
    let leaves = json!({ "organizationId": "acme", "userIds": ["bob"] });
    app.call("users.delete", leaves).await.ok();
    app.advance(Duration::from_secs(11));
    one.send_json(&broadcast(json!(1))).await;
    ping(&mut one).await;
    assert_eq!(lost.json().await["type"], "unsubscribed", "and is told nothing before");
    lost.send_json(&broadcast(json!(2))).await;
    assert_eq!(lost.json().await["type"], "error");
    ping(&mut one).await;
}

#[tokio::test]
async fn a_broadcast_reaches_fifty_others_and_is_refused_beyond() {
    let app = with_document().await;
    let mut sockets = vec![];
    for user in ["u", "v", "w"] {
        let user = member(&app, user, "viewer").await;
        for _ in 0..17 {
            sockets.push(listen(&app, &user).await.0);
        }
    }
    sockets[0].send_json(&broadcast(json!(1))).await;
    for socket in &mut sockets[1..] {
        assert_eq!(socket.json().await["data"], 1);
    }
    let last = member(&app, "x", "viewer").await;
    let (mut late, _) = listen(&app, &last).await;
    late.send_json(&broadcast(json!(2))).await;
    assert_eq!(late.json().await["code"], "RESOURCE_EXHAUSTED");
    ping(&mut sockets[0]).await;
}

#[tokio::test]
async fn what_pages_say_of_a_user_is_kept_and_told_beside_the_status() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "viewer").await, member(&app, "bob", "editor").await);
    let (mut other, _) = listen(&app, &bob).await;
    let (mut one, _) = listen(&app, &ada).await;
    let said = |members: Value| {
        let mut message = at(members);
        message["type"] = json!("presence");
        message
    };
    let shown = |user: &Value| (user["status"].clone(), user["data"].clone());
    let slide = json!({ "slide": 3 });
    let long = json!({ "x": "y".repeat(1016) });
    for (members, kept) in [
        (json!({ "data": slide }), ("online", slide.clone())),
        (json!({ "status": "away" }), ("away", slide.clone())),
        (json!({ "data": long }), ("away", long.clone())),
        (json!({ "status": "busy", "data": {} }), ("busy", json!(null))),
        (json!({ "data": slide }), ("busy", slide.clone())),
    ] {
        one.send_json(&said(members.clone())).await;
        ping(&mut one).await;
        let read = app.call("presence.get", at(json!({}))).await.data();
        assert_eq!(shown(&read[0]), (json!(kept.0), kept.1), "{members}");
    }
    for data in [json!({ "x": "y".repeat(1017) }), json!([1]), json!("x")] {
        one.send_json(&said(json!({ "data": data }))).await;
        let refused = one.json().await;
        assert_eq!((&refused["type"], &refused["documentId"]), (&json!("error"), &json!("d")));
        assert_eq!(refused["code"], "INVALID_ARGUMENT");
    }
    app.settle().await;
    let last = (json!("busy"), slide);
    loop {
        let told = other.json().await;
        let users = told["users"].as_array().unwrap().iter();
        if users.filter(|user| user["userId"] == "ada").any(|user| shown(user) == last) {
            break;
        }
    }
    // Who comes later sees it, too.
    let (_late, there) = listen(&app, &bob).await;
    assert_eq!(shown(&there["presence"][0]), last);
}
