//! `/v2/crdt/versions/list`.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Peer, add, add_version, of, push_by, shown, versions, with, with_text, work};
use crate::{app::App, workspace::field};

async fn list(app: &App, members: Value) -> Vec<Value> {
    let found = app.call("editors.versions_list", with(of("e"), members)).await.data();
    found.as_array().expect("a list").clone()
}

fn minutes(app: &App, n: u64) {
    app.advance(Duration::from_secs(60 * n));
}

/// Edits of two users, with a pause and a version between them.
async fn with_edits() -> (App, [u64; 3]) {
    let app = with_text("").await;
    // In the middle of an hour.
    minutes(&app, 60 - app.now() / 60_000 % 60 + 15);
    let (ada, bob) = (Peer::new(7), Peer::new(8));
    let start = app.now();
    push_by(&app, "ada", ada.insert(0, "a")).await;
    minutes(&app, 1);
    push_by(&app, "ada", ada.insert(1, "b")).await;
    push_by(&app, "bob", bob.insert(0, "c")).await;
    minutes(&app, 11);
    let later = app.now();
    push_by(&app, "bob", bob.insert(1, "d")).await;
    add_version(&app, "Draft").await;
    minutes(&app, 1);
    push_by(&app, "ada", ada.insert(2, "e")).await;
    (app, [start, later, later + 60_000])
}

#[tokio::test]
async fn successive_edits_are_one_version_until_a_pause_or_a_version_that_was_added() {
    let (app, [start, later, last]) = with_edits().await;
    for is_merged in [false, true] {
        let found = versions(&app).await;
        assert_eq!(
            shown(&found),
            [(vec!["ada"], 1), (vec!["ada"], 0), (vec!["bob"], 1), (vec!["ada", "bob"], 3),],
            "{is_merged}: {found:?}"
        );
        // The clock goes on a little with each call.
        let is_at = |time: &Value, at: u64| (at..at + 1_000).contains(&time.as_u64().unwrap());
        let expected = [(last, last), (later, later), (later, later), (start, start + 60_000)];
        for (version, (from, to)) in found.iter().zip(expected) {
            assert!(is_at(&version["from"], from) && is_at(&version["to"], to), "{version}");
        }
        let kinds: Vec<&Value> = found.iter().map(|version| &version["kind"]).collect();
        assert_eq!(kinds, ["edited", "added", "edited", "edited"]);
        assert_eq!((&found[1]["name"], &found[0]["name"]), (&json!("Draft"), &Value::Null));
        assert!(add_version(&app, "Merges").await.len() == 26);
        let sent = with(of("e"), json!({ "versionId": versions(&app).await[0]["versionId"] }));
        app.call("editors.versions_delete", sent).await.ok();
    }
}

#[tokio::test]
async fn a_list_has_the_versions_that_are_asked_for() {
    let (app, [start, later, last]) = with_edits().await;
    let edits = async |members| {
        let found = list(&app, members).await;
        found.iter().map(|version| version["edits"].as_u64().unwrap()).collect::<Vec<u64>>()
    };
    assert_eq!(edits(json!({ "userId": "bob" })).await, [1, 3]);
    assert_eq!(edits(json!({ "userId": "eve" })).await, [0_u64; 0]);
    assert_eq!(edits(json!({ "added": true })).await, [0]);
    assert_eq!(edits(json!({ "added": true, "userId": "bob" })).await, [0_u64; 0]);
    assert_eq!(edits(json!({ "from": last })).await, [1]);
    assert_eq!(edits(json!({ "from": later, "to": later + 1_000 })).await, [0, 1]);
    assert_eq!(edits(json!({ "from": start, "to": start + 1_000 })).await, [3]);
    for (member, value) in [("from", json!("x")), ("to", json!(-1)), ("added", json!(1))] {
        let sent = with(of("e"), json!({ member: value }));
        let error = app.call("editors.versions_list", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), format!("data.{member}"));
    }
}

#[tokio::test]
async fn a_walk_over_pages_finds_each_version_once_while_others_are_merged_and_added() {
    let app = with_text("").await;
    let peer = Peer::new(7);
    for n in 0..24 {
        minutes(&app, 11);
        push_by(&app, "ada", peer.insert(n, "x")).await;
        push_by(&app, "ada", peer.insert(n, "y")).await;
        match n % 6 {
            2 => drop(add_version(&app, "v").await),
            4 => assert!(work(&app, "merge").await),
            _ => {}
        }
    }
    let all = versions(&app).await;
    assert_eq!(all.len(), 24 + 4);
    for size in [1, 2, 7, 27, 28, 29] {
        let (mut walked, mut token) = (Vec::new(), Value::Null);
        loop {
            let sent = with(of("e"), json!({ "pageSize": size, "pageToken": token }));
            let page = app.call("editors.versions_list", sent).await.ok();
            walked.extend(page["data"].as_array().unwrap().clone());
            token = page["nextPageToken"].clone();
            if token.is_null() {
                break;
            }
            assert_eq!(page["data"].as_array().unwrap().len(), size);
        }
        assert_eq!(walked, all, "pages of {size}");
    }
    // Merges and edits during a walk do not move what comes after it.
    push_by(&app, "bob", peer.insert(0, "z")).await;
    let first = app.call("editors.versions_list", with(of("e"), json!({ "pageSize": 1 }))).await;
    let token = first.ok()["nextPageToken"].clone();
    minutes(&app, 11);
    push_by(&app, "bob", peer.insert(0, "z")).await;
    add_version(&app, "merges").await;
    let rest = list(&app, json!({ "pageToken": token })).await;
    assert_eq!(rest.len(), all.len() - 1, "the last run has grown");
    assert_eq!(rest, all[1..]);
}

#[tokio::test]
async fn what_is_unknown_has_no_versions_and_a_token_of_another_list_is_refused() {
    let app = with_text("x").await;
    add(&app, "f", "text", json!("y")).await;
    let sent = with(of("nope"), json!({}));
    let found = app.call("editors.versions_list", sent).await.ok();
    assert_eq!((&found["data"], &found["nextPageToken"]), (&json!([]), &Value::Null));
    push_by(&app, "ada", Peer::new(7).insert(0, "x")).await;
    minutes(&app, 11);
    push_by(&app, "ada", Peer::new(8).insert(0, "x")).await;
    let page =
        app.call("editors.versions_list", with(of("e"), json!({ "pageSize": 1 }))).await.ok();
    let sent = with(of("f"), json!({ "pageToken": page["nextPageToken"] }));
    app.call("editors.versions_list", sent).await.error("INVALID_ARGUMENT");
}
