//! Subscribers who return get the events that they missed.

use std::time::Duration;

use serde_json::{Value, json};
use tests::socket::Socket;

use super::events::{listen, ping};
use crate::{
    app::App,
    end_users::{at, member, token, with_document},
};

async fn add_thread(app: &App, id: &str, visibility: Value) {
    let thread = json!({
        "annotationId": id, "visibility": visibility,
        "commentData": [{ "from": { "userId": "bob" }, "commentText": "x" }],
    });
    app.call("comments.annotations_add", at(json!({ "commentAnnotations": [thread] }))).await.ok();
}

async fn add_threads(app: &App, ids: &[&str]) {
    for id in ids {
        add_thread(app, id, json!({ "type": "public" })).await;
        app.settle().await;
    }
}

/// Subscribes; returns the threads of the events before `subscribed`, and `subscribed` itself.
async fn resume(app: &App, token: &str, since: u64) -> (Vec<String>, Value) {
    let mut socket = app.connect(&format!("protocol=events&token={token}")).await;
    socket.send_json(&at(json!({ "type": "subscribe", "since": since }))).await;
    let mut missed = vec![];
    loop {
        let heard = socket.json().await;
        if heard["type"] == "subscribed" {
            ping(&mut socket).await;
            return (missed, heard);
        }
        missed.push(heard["ids"]["annotationId"].as_str().expect("an event").to_owned());
    }
}

async fn hears(socket: &mut Socket) -> Value {
    let heard = socket.json().await;
    assert_eq!(heard["type"], "event", "{heard}");
    heard["position"].clone()
}

#[tokio::test]
async fn a_returning_subscriber_gets_the_missed_events_in_order() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let (mut socket, there) = listen(&app, &ada).await;
    let start = there["position"].as_u64().unwrap();
    add_threads(&app, &["a"]).await;
    assert_eq!(hears(&mut socket).await, start + 1);
    drop(socket);
    app.advance(Duration::from_secs(61));
    add_threads(&app, &["b"]).await;
    add_thread(&app, "p", json!({ "type": "restricted", "userIds": ["bob"] })).await;
    add_threads(&app, &["c"]).await;
    let (missed, told) = resume(&app, &ada, start + 1).await;
    assert_eq!(missed, ["b", "c"], "the private thread is not hers");
    assert_eq!((&told["isComplete"], &told["position"]), (&json!(true), &json!(start + 4)));
    assert_eq!(resume(&app, &bob, start + 1).await.0, ["b", "p", "c"]);
    let (missed, told) = resume(&app, &ada, start).await;
    assert_eq!((missed.len(), &told["isComplete"]), (3, &json!(true)));
    // Events are relayed in any order: those of the last minute are sent again.
    let (missed, told) = resume(&app, &ada, start + 4).await;
    assert_eq!((missed, &told["isComplete"]), (vec!["b".to_owned()], &json!(true)));
}

/// An update of an editor has a number, and is not logged.
#[tokio::test]
async fn who_returns_with_a_number_that_is_not_logged_gets_the_events_of_the_minute_before() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let (_, there) = listen(&app, &ada).await;
    let start = there["position"].as_u64().unwrap();
    add_threads(&app, &["a"]).await;
    app.advance(Duration::from_secs(61));
    add_threads(&app, &["b"]).await;
    let editor = at(json!({ "editorId": "body", "type": "text", "data": "x" }));
    app.call("editors.add", editor).await.ok();
    app.settle().await;
    let (_, there) = listen(&app, &ada).await;
    assert_eq!(there["position"], start + 3);
    assert_eq!(resume(&app, &ada, start + 3).await.0, ["b"]);
}

#[tokio::test]
async fn a_reply_is_incomplete_when_missed_events_were_not_logged() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    add_threads(&app, &["a"]).await;
    let (_, there) = listen(&app, &ada).await;
    let start = there["position"].as_u64().unwrap();
    let is_complete = async |since| resume(&app, &ada, since).await.1["isComplete"] == true;
    assert!(!is_complete(start - 1).await, "nobody was there");
    assert!(is_complete(start).await, "nothing happened");
    add_threads(&app, &["b", "c"]).await;
    assert!(is_complete(start).await);
    // The log begins anew after a time without subscribers.
    app.advance(Duration::from_secs(131 * 60));
    add_threads(&app, &["d"]).await;
    assert!(!is_complete(start + 2).await, "nobody was there");
    assert!(is_complete(start + 3).await);
    add_threads(&app, &["e"]).await;
    assert_eq!(resume(&app, &ada, start + 3).await.0, ["e"]);
}

#[tokio::test]
async fn missed_events_are_kept_for_two_hours() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let (_, there) = listen(&app, &ada).await;
    let start = there["position"].as_u64().unwrap();
    add_threads(&app, &["a"]).await;
    app.advance(Duration::from_secs(80 * 60));
    listen(&app, &ada).await;
    add_threads(&app, &["b"]).await;
    assert!(resume(&app, &ada, start).await.1["isComplete"] == true);
    app.advance(Duration::from_secs(41 * 60));
    listen(&app, &ada).await;
    add_threads(&app, &["c"]).await;
    for since in [start, start + 1] {
        assert_eq!(resume(&app, &ada, since).await.1["isComplete"], false, "it has expired");
    }
    let (missed, told) = resume(&app, &ada, start + 2).await;
    assert_eq!((missed, &told["isComplete"]), (vec!["c".to_owned()], &json!(true)));
}

#[tokio::test]
async fn a_reply_with_more_than_a_hundred_missed_events_is_incomplete() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let (_, there) = listen(&app, &ada).await;
    let start = there["position"].as_u64().unwrap();
    for n in 0..101 {
        add_thread(&app, &format!("t{n}"), json!({ "type": "public" })).await;
    }
    app.settle().await;
    assert_eq!(resume(&app, &ada, start).await.1["isComplete"], false);
    let (missed, told) = resume(&app, &ada, start + 1).await;
    assert_eq!((missed.len(), &told["isComplete"]), (100, &json!(true)));
}

/// Deletes the document, and adds it again. No clean-up has been there.
async fn begin_anew(app: &App, is_added_again: bool) {
    let delete = json!({ "organizationId": "acme", "documentIds": ["d"] });
    app.call("documents.delete", delete).await.ok();
    if is_added_again {
        let add = json!({ "organizationId": "acme", "documents": [{ "documentId": "d" }] });
        app.call("documents.add", add).await.ok();
    }
}

#[tokio::test]
async fn missed_events_of_a_deleted_document_are_not_sent_to_who_has_a_right_since() {
    for is_added_again in [true, false] {
        let app = with_document().await;
        let ada = member(&app, "ada", "editor").await;
        let (socket, there) = listen(&app, &ada).await;
        let start = there["position"].as_u64().unwrap();
        add_threads(&app, &["old"]).await;
        assert_eq!(resume(&app, &ada, start).await.0, ["old"]);
        drop(socket);
        begin_anew(&app, is_added_again).await;
        let right = json!({ "user": { "userId": "eve" }, "permissions": { "resources": [
            { "type": "document", "id": "d", "organizationId": "acme" },
        ] } });
        app.call("permissions.add", right).await.ok();
        let eve = token(&app, "eve", json!([])).await;
        assert_eq!(resume(&app, &eve, start).await.0, [""; 0]);
        if is_added_again {
            add_threads(&app, &["new"]).await;
            assert_eq!(resume(&app, &eve, start).await.0, ["new"]);
        }
    }
}

#[tokio::test]
async fn the_clean_up_of_a_document_removes_its_logged_events_and_keeps_later_ones() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let (_socket, _) = listen(&app, &ada).await;
    add_threads(&app, &["old"]).await;
    let logged = || {
        let rows = app.items_of(service::Table::Realtime, &app.key).into_iter();
        let rows = rows.filter(|row| row["SK"]["S"].as_str().unwrap().starts_with("live-event#"));
        rows.map(|row| row["event"]["S"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(logged().len(), 1);
    begin_anew(&app, true).await;
    add_threads(&app, &["new"]).await;
    let left = logged();
    assert!(left.len() == 1 && left[0].contains("\"new\""), "{left:?}");
}

#[tokio::test]
async fn an_event_of_a_deleted_document_that_is_relayed_late_reaches_no_subscriber_of_the_new_one()
{
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    drop(listen(&app, &ada).await);
    add_thread(&app, "old", json!({ "type": "public" })).await;
    begin_anew(&app, true).await;
    app.advance(Duration::from_secs(11));
    let (mut socket, _) = listen(&app, &ada).await;
    app.settle().await;
    ping(&mut socket).await;
    add_threads(&app, &["new"]).await;
    assert_eq!(socket.json().await["ids"]["annotationId"], "new");
}
