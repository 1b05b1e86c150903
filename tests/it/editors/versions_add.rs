//! `/v2/crdt/versions/add`.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    Peer, add_version, count, data, noise, of, push_by, text_at, update, versions, with, with_text,
    work,
};
use crate::{app::App, workspace::field};

fn days(app: &App, n: u64) {
    app.advance(Duration::from_secs(n * 24 * 60 * 60));
}

#[tokio::test]
async fn a_version_stays_as_it_was_while_others_are_forgotten() {
    let texts = ["small".to_owned(), noise(70_000)];
    for text in texts {
        let app = with_text(&text).await;
        let id = add_version(&app, "First").await;
        for n in 0..3 {
            days(&app, 20);
            update(&app, "e", "text", json!(format!("{n}{}", noise(60_000)))).await.ok();
            assert!(work(&app, "merge").await);
            app.tick().await;
            app.settle().await;
        }
        app.settle().await;
        assert!(text_at(&app, json!({ "versionId": id })).await == json!(text));
        let found = versions(&app).await;
        let kinds: Vec<&Value> = found.iter().map(|version| &version["kind"]).collect();
        assert_eq!(kinds, ["edited", "edited", "added"], "edits of 30 days: {found:?}");
        assert_eq!((&found[2]["name"], &found[2]["userIds"]), (&json!("First"), &json!(["ada"])));
        let sent = with(of("e"), json!({ "versionId": id, "userId": "ada" }));
        app.call("editors.versions_restore", sent).await.ok();
        assert!(data(&app, "e").await == json!(text));
    }
}

#[tokio::test]
async fn a_version_has_what_was_written_before_it_and_needs_no_name() {
    let app = with_text("a").await;
    push_by(&app, "bob", Peer::new(7).insert(0, "b")).await;
    let version = app.call("editors.versions_add", of("e")).await.data();
    assert_eq!((&version["kind"], &version["name"]), (&json!("added"), &Value::Null));
    assert_eq!((&version["userIds"], &version["edits"]), (&json!([]), &json!(0)));
    assert_eq!(count(&app, "log"), 0, "the log is merged");
    let now = data(&app, "e").await;
    push_by(&app, "bob", Peer::new(8).insert(0, "c")).await;
    let id = json!({ "versionId": version["versionId"] });
    assert_eq!(text_at(&app, id).await, now);
    // Without edits in between, too.
    let [first, second] = [add_version(&app, "x").await, add_version(&app, "x").await];
    assert!(first != second && count(&app, "version") == 3);
}

#[tokio::test]
async fn an_editor_has_at_most_100_versions_that_were_added() {
    let app = with_text("a").await;
    let mut ids = vec![];
    for n in 0..100 {
        ids.push(add_version(&app, &n.to_string()).await);
    }
    let sent = with(of("e"), json!({ "name": "one more" }));
    let error = app.call("editors.versions_add", sent.clone()).await.error("RESOURCE_EXHAUSTED");
    assert!(error["message"].as_str().unwrap().contains("100"), "{error}");
    let gone = with(of("e"), json!({ "versionId": ids[50] }));
    app.call("editors.versions_delete", gone).await.ok();
    app.call("editors.versions_add", sent.clone()).await.ok();
    app.call("editors.versions_add", sent).await.error("RESOURCE_EXHAUSTED");
    assert_eq!(versions(&app).await.len(), 100 + 1);
}

#[tokio::test]
async fn an_added_version_is_an_event() {
    let app = with_text("a").await;
    let id = add_version(&app, "First").await;
    let events = app.events();
    let added = |stored: &&Value| stored["event"]["event"] == "crdt.version_added";
    let added: Vec<&Value> = events.iter().filter(added).collect();
    assert_eq!(added.len(), 1);
    let event = &added[0]["event"];
    assert_eq!(event["actor"]["userId"], "ada");
    let expected = json!({ "id": "e", "versionId": id, "name": "First" });
    assert_eq!(event["data"]["crdtData"], expected);
}

#[tokio::test]
async fn a_version_of_nothing_and_a_blank_name_are_refused() {
    let app = with_text("a").await;
    app.call("editors.versions_add", of("nope")).await.error("NOT_FOUND");
    for name in [json!(" "), json!("x".repeat(1001)), json!(1)] {
        let sent = with(of("e"), json!({ "name": name }));
        let error = app.call("editors.versions_add", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), "data.name");
    }
    assert_eq!(count(&app, "version"), 0);
}
