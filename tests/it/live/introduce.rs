//! Who tells a newcomer who is there.

use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::{Awareness, Dialect, Message, State};
use serde_json::{Value, json};

use super::peer::{Heard, Peer};
use crate::end_users::{member, with_document};

/// Others of a room that is large.
const CROWD: u64 = 26;

async fn is_asked(peer: &mut Peer) -> Value {
    let asked = |heard: &Heard| matches!(heard, Heard::Control(it) if it["type"] == "query");
    match peer.until(asked).await {
        Heard::Control(query) => query,
        Heard::Said(_) | Heard::Denied(_) => unreachable!("a control message was heard"),
    }
}

#[tokio::test]
async fn in_a_large_room_two_members_introduce_a_newcomer_to_others() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut crowd = vec![];
    for client in 1..=CROWD {
        crowd.push(Peer::join(&app, client, &ada).await);
    }
    let (mut first, mut second) = (crowd.remove(0), crowd.remove(0));
    first.say_awareness(r#"{"n":1}"#).await;
    first.hears_of(1).await;
    second.say_awareness(r#"{"n":2}"#).await;
    let known = first.hears_of(2).await;
    let mut newcomer = Peer::join(&app, 100, &ada).await;
    let query = is_asked(&mut first).await;
    assert_eq!(is_asked(&mut second).await, query);
    // It says what it heard of others, and what it has said of itself.
    let state = |client, clock, json: &str| State { client, clock, json: json.to_owned() };
    let stale = State { clock: known.clock - (1 << 19), ..known.clone() };
    let states =
        vec![state(1, 1, r#"{"n":1}"#), stale, known.clone(), state(999, 1, r#"{"n":999}"#)];
    let said = Message::Awareness(Awareness(states).write());
    let said = STANDARD.encode(Dialect::Y.write("", &said).expect("a message of y-websocket"));
    let answer = json!({ "type": "awareness", "for": query["for"], "data": said });
    first.socket.send_json(&answer).await;
    let Heard::Said(Message::Awareness(heard)) =
        newcomer.until(|heard| matches!(heard, Heard::Said(Message::Awareness(_)))).await
    else {
        unreachable!("awareness was heard")
    };
    let heard = Awareness::read(&heard).expect("states").0;
    assert_eq!(heard.iter().map(|it| it.client).collect::<Vec<_>>(), [1, 2]);
    assert!(heard[0].clock > 1, "in the time of its connection");
    assert_eq!(heard[1], known);
    // Nobody else was told, and nobody can be told who is not there.
    let elsewhere = json!({ "type": "awareness", "for": "nobody", "data": said });
    first.socket.send_json(&elsewhere).await;
    first.pings().await;
    second.say_awareness(r#"{"n":3}"#).await;
    assert_eq!(second.hears_of(2).await.json, r#"{"n":3}"#);
}

#[tokio::test]
async fn what_cannot_be_an_answer_ends_the_connection() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    for answer in [json!({}), json!({ "for": "x" }), json!({ "for": "x", "data": "AAA=" })] {
        let mut peer = Peer::join(&app, 1, &ada).await;
        let mut frame = json!({ "type": "awareness" });
        frame.as_object_mut().unwrap().extend(answer.as_object().unwrap().clone());
        peer.socket.send_json(&frame).await;
        assert_eq!(peer.is_closed().await.0, 4400, "{answer}");
    }
}
