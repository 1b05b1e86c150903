//! `/v2/crdt/changes/revert`.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Peer, add_version, data, of, push_by, versions, with, with_text};
use crate::{app::App, workspace::field};

/// A moment later: edits of one time have no order.
async fn revert(app: &App, members: Value) -> Value {
    app.advance(Duration::from_millis(1));
    let sent = with(with(of("e"), json!({ "userId": "eve" })), members);
    app.call("editors.changes_revert", sent).await.data()["version"].take()
}

/// A text of two users: Bob wrote in Ada's, and deleted a word of hers.
async fn with_two(is_merged: bool) -> (App, u64) {
    let app = with_text("").await;
    let (ada, bob) = (Peer::new(7), Peer::new(8));
    push_by(&app, "ada", ada.insert(0, "one two three")).await;
    app.advance(Duration::from_secs(60));
    bob.pull(&app).await;
    let at = app.now();
    push_by(&app, "bob", bob.insert(3, " (bad)")).await;
    push_by(&app, "bob", bob.remove(10, 4)).await;
    app.advance(Duration::from_secs(60));
    ada.pull(&app).await;
    if is_merged {
        add_version(&app, "merges").await;
    }
    push_by(&app, "ada", ada.insert(0, "zero ")).await;
    assert_eq!(data(&app, "e").await, "zero one (bad) three");
    (app, at)
}

#[tokio::test]
async fn what_a_user_wrote_goes_and_what_the_user_deleted_comes_back() {
    for is_merged in [false, true] {
        let (app, _) = with_two(is_merged).await;
        let made = revert(&app, json!({ "authorId": "bob" })).await;
        assert_eq!(data(&app, "e").await, "zero one two three", "{is_merged}");
        assert_eq!((&made["kind"], &made["userIds"]), (&json!("reverted"), &json!(["eve"])));
        assert_eq!(versions(&app).await[0], made);
        let events = app.events();
        let reverted = events.iter().find(|stored| stored["event"]["event"] == "crdt.reverted");
        let event = &reverted.expect("an event")["event"];
        assert_eq!(event["data"]["crdtData"]["versionId"], made["versionId"]);
        assert_eq!(revert(&app, json!({ "authorId": "bob" })).await, Value::Null);
        assert_eq!(data(&app, "e").await, "zero one two three", "{is_merged}, once more");
    }
}

#[tokio::test]
async fn only_edits_of_the_time_are_taken_back() {
    let (app, at) = with_two(false).await;
    assert_eq!(revert(&app, json!({ "authorId": "bob", "to": at - 1 })).await, Value::Null);
    assert_eq!(
        revert(&app, json!({ "authorId": "ada", "from": at, "to": at + 1_000 })).await,
        Value::Null
    );
    assert_eq!(revert(&app, json!({ "authorId": "nobody" })).await, Value::Null);
    revert(&app, json!({ "authorId": "ada", "from": at + 1_000 })).await;
    assert_eq!(data(&app, "e").await, "one (bad) three");
    revert(&app, json!({ "authorId": "bob", "from": at, "to": at + 1_000 })).await;
    assert_eq!(data(&app, "e").await, "one two three");
}

#[tokio::test]
async fn a_call_without_an_author_and_an_unknown_editor_are_refused() {
    let (app, at) = with_two(false).await;
    for (members, named) in [
        (json!({}), "data.authorId"),
        (json!({ "authorId": "" }), "data.authorId"),
        (json!({ "authorId": "bob", "from": at, "to": at - 1 }), "data.to"),
    ] {
        let sent = with(of("e"), members);
        let error = app.call("editors.changes_revert", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), named);
    }
    let sent = with(of("nope"), json!({ "authorId": "bob" }));
    app.call("editors.changes_revert", sent).await.error("NOT_FOUND");
    assert_eq!(data(&app, "e").await, "zero one (bad) three");
}
