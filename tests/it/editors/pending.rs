//! Updates with missing dependencies wait, and the editor stays readable.

use serde_json::json;

use super::{Peer, base64, count, data, noise, push, update, with_text, work};
use crate::{
    app::App,
    end_users::{at, member, with_document},
};

/// Sends the update of a peer after one that did not arrive; returns the missing one.
async fn without_the_first(app: &App, peer: &Peer, times: u32) -> Vec<u8> {
    let missing = peer.insert(0, "a");
    for at in 0..times {
        push(app, &[peer.insert(1 + at, "x")]).await.ok();
    }
    missing
}

#[tokio::test]
async fn an_editor_that_lacks_an_update_is_merged_and_read() {
    let app = with_text("").await;
    let missing = without_the_first(&app, &Peer::new(7), 210).await;
    push(&app, &[Peer::new(8).insert(0, "other")]).await.ok();
    assert!(work(&app, "merge").await);
    assert_eq!(count(&app, "log"), 1, "what waits is put aside");
    assert_eq!(data(&app, "e").await, "other");
    assert!(work(&app, "merge").await);
    assert_eq!(count(&app, "log"), 1, "and left alone");

    update(&app, "e", "text", json!("another")).await.ok();
    assert_eq!(data(&app, "e").await, "another", "callers replace what is there");
    let late = Peer::new(9);
    let state = late.pull(&app).await;
    assert_eq!((late.text().as_str(), &state["stateHash"]), ("another", &json!(null)));

    push(&app, &[missing]).await.ok();
    let whole = data(&app, "e").await;
    let whole = whole.as_str().unwrap();
    assert!(whole.contains(&format!("a{}", "x".repeat(210))) && whole.contains("another"));
    late.pull(&app).await;
    assert_eq!(late.text(), whole);
}

#[tokio::test]
async fn a_pending_update_is_merged_when_the_update_it_depends_on_arrives() {
    let app = with_text("").await;
    let peer = Peer::new(7);
    let missing = without_the_first(&app, &peer, 210).await;
    assert!(work(&app, "merge").await);
    push(&app, &[missing, peer.insert(211, &noise(70_000))]).await.ok();
    assert!(work(&app, "merge").await);
    assert_eq!(count(&app, "log"), 0);
    assert_eq!(data(&app, "e").await, format!("a{}{}", "x".repeat(210), noise(70_000)));
}

#[tokio::test]
async fn an_editor_with_too_much_pending_refuses_more_until_the_missing_update_arrives() {
    let app = with_text("").await;
    let peer = Peer::new(7);
    let missing = peer.insert(0, "a");
    let text = noise(340_000);
    for _ in 0..2 {
        let updates: Vec<Vec<u8>> = (0..7).map(|_| peer.insert(1, &text)).collect();
        push(&app, &updates).await.ok();
    }
    assert!(work(&app, "merge").await);
    let waiting = peer.insert(1, "b");
    let error = push(&app, std::slice::from_ref(&waiting)).await.error("RESOURCE_EXHAUSTED");
    assert!(error["message"].as_str().unwrap().contains("are missing"), "{error}");
    assert_eq!(data(&app, "e").await, "", "it can be read");
    update(&app, "e", "text", json!("own")).await.ok();
    assert_eq!(data(&app, "e").await, "own");
    push(&app, &[missing]).await.ok();
    push(&app, &[waiting]).await.ok();
    assert_eq!(data(&app, "e").await.as_str().unwrap().len(), 3 + 2 + 14 * 340_000);
}

/// Frames of a connection, and calls of a page, may overtake each other.
#[tokio::test]
async fn an_update_that_lacks_others_makes_no_editor() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let send = |updates: &[&Vec<u8>]| {
        let updates: Vec<String> = updates.iter().map(|update| base64(update)).collect();
        let sent = at(json!({ "editorId": "e", "updates": updates }));
        let (app, ada) = (&app, &ada);
        async move { app.caller().end_user(ada).call("editors.updates_add", sent).await }
    };
    let peer = Peer::new(7);
    let (first, second) = (peer.insert(0, "a"), peer.insert(1, "b"));
    send(&[&second]).await.error("ABORTED");
    let listed = app.call("editors.get", at(json!({}))).await.data();
    assert_eq!(listed, json!([]));
    send(&[&first, &second]).await.ok();
    let listed = app.call("editors.get", at(json!({ "contentKey": "content" }))).await.data();
    assert_eq!(listed[0]["data"], "ab");
}
