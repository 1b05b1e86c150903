//! Documents with many editors.

use std::{collections::BTreeSet, time::Duration};

use futures_util::future::join_all;
use serde_json::{Value, json};
use service::Table;

use super::{Peer, add, base64, count, noise, of, update, with, work};
use crate::{app::App, multiply::multiply_in};

fn document() -> Value {
    json!({ "organizationId": "o", "documentId": "d" })
}

/// A document with any number of editors: earlier versions had no limit for peers.
async fn with_editors(n: usize) -> App {
    let app = App::start().await;
    add(&app, "e00000", "text", json!("first")).await;
    multiply_in(&app, Table::Crdt, "crdt#d#head#e00000", "e00000", 1..n).await;
    app
}

pub(super) async fn allow(app: &App, editors: usize) {
    let sent = json!({ "apiKey": app.key.api_key, "editorsPerDocument": editors });
    app.call("operator.api_key_limits_update", sent).await.ok();
    app.advance(Duration::from_secs(11));
}

/// All pages: the ids with their data, and the number of editors of each page.
async fn walk(app: &App, size: Value) -> (Vec<(String, Value)>, Vec<usize>) {
    let (mut all, mut sizes, mut token) = (Vec::new(), Vec::new(), Value::Null);
    loop {
        let sent = with(document(), json!({ "pageSize": size, "pageToken": token }));
        let page = app.call("editors.get", sent).await.ok();
        let views = page["data"].as_array().unwrap();
        let of = |view: &Value| (view["id"].as_str().unwrap().to_owned(), view["data"].clone());
        all.extend(views.iter().map(of));
        sizes.push(views.len());
        token = page["nextPageToken"].clone();
        if token.is_null() {
            return (all, sizes);
        }
    }
}

#[tokio::test]
async fn a_document_above_its_limit_of_editors_is_listed_in_pages_and_can_be_emptied() {
    let app = with_editors(1_100).await;
    let (all, sizes) = walk(&app, Value::Null).await;
    assert_eq!(sizes, [1_000, 100]);
    assert_eq!(all.iter().map(|(id, _)| id).collect::<BTreeSet<_>>().len(), 1_100);
    assert_eq!(all[0], ("e00000".to_owned(), json!("first")));
    let gone = app.call("editors.delete", document()).await.data();
    let gone = gone.as_object().unwrap();
    assert!(gone.len() == 1_100 && gone.values().all(|entry| entry["success"] == true));
    assert_eq!(walk(&app, Value::Null).await.0, []);
}

#[tokio::test]
async fn a_document_takes_as_many_editors_as_the_operator_allows() {
    let app = App::start().await;
    allow(&app, 3).await;
    let text = |id: &str| with(of(id), json!({ "type": "text", "data": "x" }));
    let peer = |id: &str| {
        let update = base64(&Peer::new(7).insert(0, "y"));
        with(of(id), json!({ "updates": [update], "type": "text" }))
    };
    add(&app, "a", "text", json!("x")).await;
    app.call("editors.add", text("a")).await.error("ALREADY_EXISTS");
    app.call("editors.updates_add", peer("b")).await.ok();
    // Both calls want the last place.
    let calls = [("editors.add", text("c")), ("editors.updates_add", peer("d"))];
    let calls = join_all(calls.map(|(operation, sent)| app.call(operation, sent))).await;
    let made = calls.iter().filter(|reply| reply.status() == 200).count();
    assert_eq!((made, count(&app, "head")), (1, 3));
    let error = app.call("editors.add", text("e")).await.error("RESOURCE_EXHAUSTED");
    assert_eq!(error["message"], "The document d has the maximum number of editors: 3.");
    app.call("editors.updates_add", peer("e")).await.error("RESOURCE_EXHAUSTED");
    app.call("editors.updates_add", peer("b")).await.ok();
    let other = with(text("e"), json!({ "documentId": "other" }));
    app.call("editors.add", other).await.ok();

    let sent = with(document(), json!({ "editorIds": ["a", "nope"] }));
    app.call("editors.delete", sent).await.ok();
    app.call("editors.add", text("e")).await.ok();
    app.call("editors.add", text("f")).await.error("RESOURCE_EXHAUSTED");
    allow(&app, 0).await;
    app.call("editors.add", text("f")).await.ok();
}

#[tokio::test]
async fn a_document_takes_1000_editors_where_nobody_set_another_number() {
    let app = with_editors(999).await;
    let rows = app.items_of(Table::Crdt, &app.key);
    let mut counter =
        rows.into_iter().find(|row| row["SK"]["S"] == "crdt#d#editor-count").expect("a counter");
    counter["count"] = json!({ "N": "999" });
    crate::schedule::put(&app, Table::Crdt, &counter).await;
    add(&app, "last", "text", json!("x")).await;
    let sent = with(of("more"), json!({ "type": "text", "data": "x" }));
    app.call("editors.add", sent.clone()).await.error("RESOURCE_EXHAUSTED");
    app.call("editors.delete", document()).await.ok();
    app.call("editors.add", sent).await.ok();
}

#[tokio::test]
async fn an_append_to_an_existing_editor_is_one_put() {
    let app = App::start().await;
    add(&app, "e", "text", json!("x")).await;
    app.forget_calls();
    super::push(&app, &[Peer::new(7).insert(0, "y")]).await.ok();
    let calls = app.calls();
    let writes: Vec<&str> = calls
        .iter()
        .map(|call| call.operation.as_str())
        .filter(|operation| !operation.contains("Get") && !operation.contains("Receive"))
        .collect();
    assert_eq!(writes, ["PutItem"], "{calls:?}");
}

/// A reply has room for the content of one of the two large editors, not of both.
#[tokio::test]
async fn a_page_ends_when_the_next_editor_does_not_fit_into_the_reply() {
    let app = App::start().await;
    for (id, len) in [("a", 10), ("b", 2_000_000), ("c", 2_000_000), ("d", 900_000), ("e", 10)] {
        add(&app, id, "text", json!("x".repeat(len))).await;
    }
    let (all, sizes) = walk(&app, Value::Null).await;
    assert_eq!(sizes, [2, 3]);
    assert_eq!(all.iter().map(|(id, _)| id.as_str()).collect::<String>(), "abcde");
    assert_eq!(walk(&app, json!(1)).await.1, [1; 5]);
}

/// A quote takes twice its space in a reply of Lambda.
#[tokio::test]
async fn an_editor_too_large_for_any_reply_is_listed_without_its_content() {
    let app = App::start().await;
    add(&app, "a", "text", json!("before")).await;
    add(&app, "b", "text", json!("\"".repeat(1_600_000))).await;
    add(&app, "c", "text", json!("after")).await;
    let (all, _) = walk(&app, Value::Null).await;
    let expected = [("a", json!("before")), ("b", Value::Null), ("c", json!("after"))];
    assert_eq!(all, expected.map(|(id, data)| (id.to_owned(), data)));
    app.call("editors.get", of("b")).await.error("RESOURCE_EXHAUSTED");
}

/// If ids have a common beginning, the rows of their logs are in another order than their heads.
#[tokio::test]
async fn editors_with_logs_and_snapshots_of_every_size_are_listed_completely() {
    let app = App::start().await;
    let ids = ["e", "e!", "e#", "e%", "e1", "%23", " "];
    let large = noise(400_000);
    for id in ids {
        add(&app, id, "text", json!(format!("of {id}"))).await;
        let updates: Vec<String> =
            (0..40).map(|n| base64(&Peer::new(100 + n).insert(0, "x"))).collect();
        app.call("editors.updates_add", with(of(id), json!({ "updates": updates }))).await.ok();
    }
    update(&app, "e", "text", json!(large)).await.ok();
    assert!(work(&app, "merge").await);
    for size in [Value::Null, json!(2)] {
        let (all, _) = walk(&app, size).await;
        let found: BTreeSet<&str> = all.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(found, ids.into());
        for (id, data) in &all {
            let text = data.as_str().unwrap();
            match id.as_str() {
                "e" => assert!(text == large),
                id => assert!(
                    text.contains(&format!("of {id}")) && text.matches('x').count() == 40,
                    "{id}: {text}"
                ),
            }
        }
    }
}
