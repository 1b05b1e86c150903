//! Frames of the service, recorded for the tests of the TypeScript client: a fake says what the service
//! says.

use std::{fs, path::Path};

use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::Message;
use serde_json::{Map, Value, json};
use tests::socket::Socket;

use super::{
    events::listen,
    hocuspocus::{say, say_token},
    peer::{Peer, ROOM},
};
use crate::end_users::{at, member, with_document};

/// The frames, under `RECORD_FRAMES=1` written anew.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../clients/typescript/test/frames.json");

/// A frame in JSON, without what differs from run to run.
async fn json_frame(socket: &mut Socket) -> String {
    let mut frame = socket.json().await;
    for name in ["lastUpdated", "commentId"] {
        replace(&mut frame, name);
    }
    frame.to_string()
}

fn replace(value: &mut Value, name: &str) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::String(text) if key == name => *text = "n".to_owned(),
                    Value::Number(number) if key == name => *number = 1.into(),
                    member => replace(member, name),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, name)),
        _ => {}
    }
}

/// A message of an editor that is not a question to everybody who is there.
async fn message(socket: &mut Socket) -> String {
    loop {
        let part = socket.part().await;
        let asks = STANDARD.decode(&part).expect("base64").last() == Some(&3);
        if !asks {
            return part;
        }
    }
}

#[tokio::test]
async fn the_client_is_tested_with_frames_of_the_service() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut frames = Map::new();
    let mut keep = |name: &str, frame: String| frames.insert(name.to_owned(), json!(frame));

    let mut socket = app.connect(&format!("protocol=events&token={ada}")).await;
    socket.send_json(&at(json!({ "type": "subscribe" }))).await;
    keep("subscribed", json_frame(&mut socket).await);
    let me = json!({ "type": "subscribe", "organizationId": "acme", "me": true });
    socket.send_json(&me).await;
    keep("subscribedMe", json_frame(&mut socket).await);
    socket.send_json(&json!({ "type": "ping" })).await;
    keep("pong", json_frame(&mut socket).await);
    socket.send_json(&at(json!({ "type": "presence", "status": "away" }))).await;
    let told = async {
        loop {
            app.settle().await;
            if app.call("presence.get", at(json!({}))).await.data() != json!([]) {
                app.settle().await;
                break;
            }
        }
    };
    told.await;
    keep("presence", json_frame(&mut socket).await);
    for (name, size) in [("liveState", 3), ("liveStateLarge", 300_000)] {
        let data = json!({ "canvas": "x".repeat(size) });
        let state = at(json!({ "liveStateDataId": name, "data": data }));
        app.call("live-state.broadcast", state).await.ok();
        app.settle().await;
        keep(name, json_frame(&mut socket).await);
    }
    let thread = json!({
        "annotationId": "t", "commentData": [{ "from": { "userId": "bob" }, "commentText": "x" }],
    });
    app.call("comments.annotations_add", at(json!({ "commentAnnotations": [thread] }))).await.ok();
    app.settle().await;
    keep("event", json_frame(&mut socket).await);
    socket.send_json(&at(json!({ "type": "subscribe", "documentId": "x" }))).await;
    keep("error", json_frame(&mut socket).await);
    let (_, _) = listen(&app, &ada).await;

    let mut editor = app.connect("protocol=hocuspocus").await;
    say_token(&mut editor, ROOM, &ada).await;
    keep("readWrite", message(&mut editor).await);
    say(&mut editor, ROOM, &Message::Step1(vec![0])).await;
    keep("step2", message(&mut editor).await);
    keep("step1", message(&mut editor).await);
    let peer = Peer::connect(&app, 7, &ada).await;
    say(&mut editor, ROOM, &Message::Update(peer.insert(0, "x"))).await;
    keep("saved", message(&mut editor).await);
    app.settle().await;
    let role = json!({
        "organizationId": "acme", "users": [{ "userId": "ada", "accessRole": "viewer" }],
    });
    app.call("users.update", role).await.ok();
    app.settle().await;
    keep("readonly", message(&mut editor).await);
    say(&mut editor, ROOM, &Message::Update(peer.insert(0, "y"))).await;
    keep("refused", message(&mut editor).await);
    app.call("editors.delete", at(json!({ "editorIds": ["e"] }))).await.ok();
    say(&mut editor, ROOM, &Message::Step1(peer.vector())).await;
    keep("gone", message(&mut editor).await);

    let out = json!({ "organizationId": "acme", "userIds": ["ada"] });
    app.call("users.delete", out).await.ok();
    app.settle().await;
    let ended = [json_frame(&mut socket).await, json_frame(&mut socket).await];
    for frame in ended {
        let name = if frame.contains("\"me\"") { "unsubscribedMe" } else { "unsubscribed" };
        keep(name, frame);
    }
    let mut refused = app.connect("protocol=events&token=none").await;
    refused.send_json(&at(json!({ "type": "subscribe" }))).await;
    keep("close", refused.text().await);

    let recorded = Value::Object(frames);
    let text = format!("{recorded:#}\n");
    if std::env::var_os("RECORD_FRAMES").is_some() {
        fs::write(FILE, text).expect("the file");
        return;
    }
    let known = fs::read_to_string(Path::new(FILE)).expect("the file");
    assert_eq!(text, known, "RECORD_FRAMES=1 records them anew");
}
