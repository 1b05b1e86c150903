//! Events on the events channel reach those who may know them.

use serde_json::{Value, json};
use tests::socket::Socket;

use super::events::{listen, ping};
use crate::{
    app::App,
    end_users::{at, member, with_document},
};

/// The frames up to the answer to a ping.
async fn told(socket: &mut Socket) -> Vec<Value> {
    socket.send_json(&json!({ "type": "ping" })).await;
    let mut told = vec![];
    loop {
        match socket.json().await {
            pong if pong == json!({ "type": "pong" }) => return told,
            frame => told.push(frame),
        }
    }
}

/// The frames that a returning subscriber gets before `subscribed`.
async fn missed(app: &App, token: &str, since: &Value) -> Vec<Value> {
    let mut socket = app.connect(&format!("protocol=events&token={token}")).await;
    socket.send_json(&at(json!({ "type": "subscribe", "since": since }))).await;
    let mut missed = vec![];
    loop {
        match socket.json().await {
            frame if frame["type"] == "subscribed" => return missed,
            frame => missed.push(frame),
        }
    }
}

fn names(frames: &[Value]) -> Vec<&str> {
    let events = frames.iter().filter(|frame| frame["type"] == "event");
    events.map(|event| event["name"].as_str().expect("a name")).collect()
}

async fn add_thread(app: &App, id: &str, visibility: Value, text: &str) {
    let thread = json!({
        "annotationId": id, "visibility": visibility,
        "commentData": [{ "from": { "userId": "bob" }, "commentText": text }],
    });
    app.call("comments.annotations_add", at(json!({ "commentAnnotations": [thread] }))).await.ok();
    app.settle().await;
}

async fn delete_thread(app: &App, id: &str) {
    app.call("comments.annotations_delete", at(json!({ "annotationIds": [id] }))).await.ok();
    app.settle().await;
}

#[tokio::test]
async fn the_deletion_of_a_thread_reaches_only_subscribers_who_could_see_it() {
    let app = with_document().await;
    let (bob, eve) = (member(&app, "bob", "editor").await, member(&app, "eve", "editor").await);
    let (mut bob_hears, there) = listen(&app, &bob).await;
    let (mut eve_hears, _) = listen(&app, &eve).await;
    let since = there["position"].clone();
    let private = json!({ "type": "restricted", "userIds": ["bob"] });
    add_thread(&app, "t", json!({ "type": "public" }), "x").await;
    add_thread(&app, "p", private, "x").await;
    // The event of a long comment has ids alone.
    let long = "x".repeat(300_000);
    add_thread(&app, "l", json!({ "type": "public" }), &long).await;
    for id in ["t", "p", "l"] {
        delete_thread(&app, id).await;
    }
    let deleted = |frames: &[Value]| -> Vec<String> {
        let gone = frames.iter().filter(|it| it["name"] == "comment_annotation.delete");
        gone.map(|it| it["ids"]["annotationId"].as_str().expect("an id").to_owned()).collect()
    };
    assert_eq!(deleted(&told(&mut bob_hears).await), ["t", "p", "l"]);
    assert_eq!(deleted(&told(&mut eve_hears).await), ["t", "l"]);
    // A subscriber that returns learns the same.
    for (token, expected) in [(&bob, vec!["t", "p", "l"]), (&eve, vec!["t", "l"])] {
        assert_eq!(deleted(&missed(&app, token, &since).await), expected);
    }
}

#[tokio::test]
async fn events_of_a_thread_while_it_was_private_stay_hidden_after_it_becomes_public() {
    let app = with_document().await;
    let (bob, eve) = (member(&app, "bob", "editor").await, member(&app, "eve", "editor").await);
    let (mut eve_hears, there) = listen(&app, &eve).await;
    let since = there["position"].clone();
    add_thread(&app, "p", json!({ "type": "restricted", "userIds": ["bob"] }), "x").await;
    let comment = json!({
        "annotationId": "p", "commentData": [{ "from": { "userId": "bob" }, "commentText": "y" }],
    });
    app.call("comments.add", at(comment)).await.ok();
    app.settle().await;
    assert_eq!(names(&told(&mut eve_hears).await), Vec::<&str>::new());
    let public = json!({
        "annotationIds": ["p"], "updatedData": { "visibility": { "type": "public" } },
    });
    app.call("comments.annotations_update", at(public)).await.ok();
    app.settle().await;
    assert_eq!(names(&told(&mut eve_hears).await), ["comment_annotation.access_mode_change"]);
    for (token, expected) in [
        (&eve, vec!["comment_annotation.access_mode_change"]),
        (
            &bob,
            vec!["comment_annotation.add", "comment.add", "comment_annotation.access_mode_change"],
        ),
    ] {
        assert_eq!(names(&missed(&app, token, &since).await), expected);
    }
}

#[tokio::test]
async fn a_large_entry_of_live_state_ends_no_connection_and_hides_no_other() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let (mut socket, _) = listen(&app, &ada).await;
    let state = |id: &str, size: usize| {
        at(json!({ "liveStateDataId": id, "data": { "canvas": "x".repeat(size) } }))
    };
    for (id, size) in [("a-large", 380_000), ("b-small", 10), ("c-medium", 80_000)] {
        app.call("live-state.broadcast", state(id, size)).await.ok();
        app.settle().await;
    }
    let frames = told(&mut socket).await;
    let notice = json!({
        "type": "liveState", "organizationId": "acme", "documentId": "d",
        "liveStateDataId": "a-large", "revision": 1, "isComplete": false,
    });
    assert_eq!(frames[0], notice);
    assert_eq!(frames.len(), 3);
    assert!(frames[1..].iter().all(|frame| frame["data"].is_object()));
    let (_, there) = listen(&app, &ada).await;
    let entry = |id: &str| {
        let entries = there["liveState"].as_array().expect("entries").iter();
        entries.clone().find(|entry| entry["liveStateDataId"] == id).cloned().expect("an entry")
    };
    assert_eq!(there["isComplete"], true, "each entry is there, or named");
    assert_eq!(entry("a-large")["isComplete"], false);
    assert_eq!(entry("b-small")["data"], json!({ "canvas": "xxxxxxxxxx" }));
    assert!(entry("c-medium")["data"].is_object());
}

#[tokio::test]
async fn losing_the_only_subscription_sends_unsubscribed_and_keeps_the_connection() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let (mut socket, _) = listen(&app, &ada).await;
    app.settle().await;
    let gone = json!({ "organizationId": "acme", "documentIds": ["d"] });
    app.call("documents.delete", gone).await.ok();
    app.settle().await;
    let ended = json!({
        "type": "unsubscribed", "organizationId": "acme", "documentId": "d",
        "code": "NOT_FOUND", "message": "There is no document d.",
    });
    assert_eq!(socket.json().await, ended);
    // The error of a new request names its document.
    socket.send_json(&at(json!({ "type": "subscribe" }))).await;
    let error = json!({
        "type": "error", "organizationId": "acme", "documentId": "d",
        "code": "NOT_FOUND", "message": "There is no document d.",
    });
    assert_eq!(socket.json().await, error);
    let me = json!({ "type": "subscribe", "organizationId": "other", "me": true });
    socket.send_json(&me).await;
    let error = socket.json().await;
    assert_eq!((&error["organizationId"], &error["me"]), (&json!("other"), &json!(true)));
    let me = json!({ "type": "subscribe", "organizationId": "acme", "me": true });
    socket.send_json(&me).await;
    assert_eq!(socket.json().await["type"], "subscribed");
    let out = json!({ "organizationId": "acme", "userIds": ["ada"] });
    app.call("users.delete", out).await.ok();
    app.settle().await;
    let ended = socket.json().await;
    assert_eq!((&ended["type"], &ended["me"]), (&json!("unsubscribed"), &json!(true)));
    ping(&mut socket).await;
}

#[tokio::test]
async fn the_status_of_a_user_is_the_latest_of_the_connections_still_open() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let (mut one, _) = listen(&app, &ada).await;
    let (mut two, _) = listen(&app, &ada).await;
    let (mut other, _) = listen(&app, &bob).await;
    let status = |status: &str| at(json!({ "type": "presence", "status": status }));
    let is = async |status: &str| {
        let is_so =
            async || app.call("presence.get", at(json!({}))).await.data()[0]["status"] == status;
        let becomes_so = async { while !is_so().await {} };
        let time = std::time::Duration::from_secs(20);
        tokio::time::timeout(time, becomes_so).await.expect("the status");
    };
    one.send_json(&status("online")).await;
    is("online").await;
    app.advance(std::time::Duration::from_millis(1));
    two.send_json(&status("away")).await;
    is("away").await;
    two.close(1000).await;
    is("online").await;
    ping(&mut other).await;
}

/// A listed thread as a frame has it for end users: without the API key, and without the members that
/// only replies have.
fn in_frame(app: &App, listed: &Value) -> Value {
    let key = format!(r#""apiKey":"{}","#, app.key.api_key);
    let mut thread: Value =
        serde_json::from_str(&listed.to_string().replace(&key, "")).expect("JSON");
    let remove = |value: &mut Value, names: &[&str]| {
        for name in names {
            assert!(value.as_object_mut().expect("an object").remove(*name).is_some(), "{name}");
        }
    };
    remove(&mut thread["status"], &["svg"]);
    let of_thread = ["annotationIndex", "hasDraftComments", "customList", "subscribedGroups"];
    remove(&mut thread, &of_thread);
    for comment in thread["comments"].as_array_mut().expect("comments") {
        remove(comment, &["customList", "recorders", "toOrganizationUserGroup"]);
    }
    thread
}

#[tokio::test]
async fn an_event_has_its_thread_for_who_asked_and_may_see_it() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "viewer").await, member(&app, "bob", "editor").await);
    let mut asked = app.connect(&format!("protocol=events&token={ada}")).await;
    asked.send_json(&at(json!({ "type": "subscribe", "threads": true }))).await;
    assert_eq!(asked.json().await["type"], "subscribed");
    let (mut other, _) = listen(&app, &bob).await;

    add_thread(&app, "t", json!({ "type": "public" }), "x").await;
    app.settle().await;
    let event = asked.json().await;
    assert_eq!(
        (&event["name"], &event["ids"]["annotationId"]),
        (&json!("comment_annotation.add"), &json!("t"))
    );
    let listed = app.call("comments.annotations_get", at(json!({}))).await.data();
    assert_eq!(event["thread"], in_frame(&app, &listed[0]));
    let plain = other.json().await;
    assert_eq!(plain["position"], event["position"]);
    assert_eq!(plain.get("thread"), None, "who did not ask");

    // Of a thread that only Bob sees, Ada is told nothing; a deleted one is none.
    let private = json!({ "type": "restricted", "userIds": ["bob"] });
    add_thread(&app, "p", private, "x").await;
    app.settle().await;
    assert_eq!(other.json().await["ids"]["annotationId"], "p");
    ping(&mut asked).await;
    delete_thread(&app, "t").await;
    app.settle().await;
    let gone = asked.json().await;
    assert_eq!((&gone["name"], gone.get("thread")), (&json!("comment_annotation.delete"), None));
    assert_eq!(other.json().await["name"], "comment_annotation.delete");

    // Missed events come without.
    add_thread(&app, "u", json!({ "type": "public" }), "x").await;
    app.settle().await;
    assert_eq!(asked.json().await["thread"]["annotationId"], "u");
    let mut back = app.connect(&format!("protocol=events&token={ada}")).await;
    let since = json!({ "type": "subscribe", "threads": true, "since": gone["position"] });
    back.send_json(&at(since)).await;
    // Events of the minute before come again.
    let mut ids = vec![];
    while !ids.contains(&json!("u")) {
        let missed = back.json().await;
        assert_eq!(missed.get("thread"), None, "{missed}");
        ids.push(missed["ids"]["annotationId"].clone());
    }
}

#[tokio::test]
async fn an_event_of_a_thread_that_is_too_large_for_a_frame_comes_without_it() {
    let app = with_document().await;
    let ada = member(&app, "ada", "viewer").await;
    let mut asked = app.connect(&format!("protocol=events&token={ada}")).await;
    asked.send_json(&at(json!({ "type": "subscribe", "threads": true }))).await;
    assert_eq!(asked.json().await["type"], "subscribed");
    add_thread(&app, "t", json!({ "type": "public" }), &"x".repeat(100_000)).await;
    app.settle().await;
    let event = asked.json().await;
    assert_eq!((&event["ids"]["annotationId"], event.get("thread")), (&json!("t"), None));
    ping(&mut asked).await;
}
