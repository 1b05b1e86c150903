//! `/v2/crdt/versions/restore`.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    Peer, add_version, data, events, of, push_by, text_at, update, versions, with, with_text, work,
};
use crate::app::App;

/// A moment later: edits of one time have no order.
async fn restore(app: &App, point: Value) -> Value {
    app.advance(Duration::from_millis(1));
    let sent = with(with(of("e"), json!({ "userId": "ada" })), point);
    app.call("editors.versions_restore", sent).await.data()["version"].take()
}

#[tokio::test]
async fn an_editor_becomes_what_it_was_and_can_become_again_what_it_became() {
    for is_merged in [false, true] {
        let app = with_text("one").await;
        app.advance(Duration::from_secs(660));
        update(&app, "e", "text", json!("one and two")).await.ok();
        if is_merged {
            assert!(work(&app, "merge").await);
            add_version(&app, "x").await;
        }
        app.advance(Duration::from_secs(660));
        update(&app, "e", "text", json!("three")).await.ok();
        let mut found = versions(&app).await;
        found.retain(|version| version["kind"] == "edited");
        let id = |n: usize| json!({ "versionId": found[n]["versionId"] });
        let made = restore(&app, id(2)).await;
        assert_eq!(data(&app, "e").await, "one");
        assert_eq!((&made["kind"], &made["userIds"]), (&json!("restored"), &json!(["ada"])));
        assert_eq!(versions(&app).await[0], made);
        assert_eq!(text_at(&app, json!({ "versionId": made["versionId"] })).await, "one");
        restore(&app, id(1)).await;
        assert_eq!(data(&app, "e").await, "one and two");
        restore(&app, json!({ "at": found[0]["to"] })).await;
        assert_eq!(data(&app, "e").await, "three");
        assert_eq!(restore(&app, id(0)).await, Value::Null, "it is like that");
    }
}

#[tokio::test]
async fn what_peers_wrote_meanwhile_is_merged_with_what_comes_back() {
    let app = with_text("").await;
    let (ada, bob) = (Peer::new(7), Peer::new(8));
    push_by(&app, "ada", ada.insert(0, "one two three")).await;
    bob.pull(&app).await;
    let id = add_version(&app, "First").await;
    push_by(&app, "ada", ada.remove(4, 4)).await;
    // Bob has not heard of that, and writes within what is deleted.
    let late = bob.insert(6, "!");
    restore(&app, json!({ "versionId": id })).await;
    push_by(&app, "bob", late).await;
    for peer in [&ada, &bob] {
        peer.pull(&app).await;
    }
    assert_eq!(ada.text(), bob.text());
    assert_eq!(data(&app, "e").await, ada.text());
    assert!(
        ada.text().contains('!') && ada.text().replace('!', "").contains("two"),
        "{}",
        ada.text()
    );
}

#[tokio::test]
async fn calls_at_once_restore_each_without_a_loss() {
    let app = with_text("one").await;
    let id = add_version(&app, "First").await;
    update(&app, "e", "text", json!("two")).await.ok();
    let calls = (0..3).map(|_| restore(&app, json!({ "versionId": id })));
    futures_util::future::join_all(calls).await;
    assert_eq!(data(&app, "e").await, "one");
}

#[tokio::test]
async fn a_restored_version_is_an_event_beside_that_of_the_change() {
    let app = with_text("one").await;
    let id = add_version(&app, "First").await;
    update(&app, "e", "text", json!("two")).await.ok();
    let before = events(&app).len();
    let made = restore(&app, json!({ "versionId": id })).await;
    assert_eq!(events(&app).len(), before + 1, "the change of the content");
    let events = app.events();
    let restored = events.iter().find(|stored| stored["event"]["event"] == "crdt.restored");
    let event = &restored.expect("an event")["event"];
    assert_eq!(event["actor"]["userId"], "ada");
    let expected = json!({ "id": "e", "versionId": made["versionId"] });
    assert_eq!(event["data"]["crdtData"], expected);
}

#[tokio::test]
async fn what_names_no_version_restores_nothing() {
    let app = with_text("one").await;
    let id = add_version(&app, "First").await;
    app.call("editors.versions_restore", of("e")).await.error("INVALID_ARGUMENT");
    let both = with(of("e"), json!({ "versionId": id, "at": 1 }));
    app.call("editors.versions_restore", both).await.error("INVALID_ARGUMENT");
    let sent = with(of("e"), json!({ "versionId": "nope" }));
    app.call("editors.versions_restore", sent).await.error("NOT_FOUND");
    let sent = with(of("nope"), json!({ "versionId": id }));
    app.call("editors.versions_restore", sent).await.error("NOT_FOUND");
    assert_eq!(data(&app, "e").await, "one");
}
