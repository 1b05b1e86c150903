//! Threads of many comments: reading them, and the cost of changes.

use serde_json::{Value, json};

use super::{add_to, at, by, find, list, rows, start, thread, with_thread};
use crate::app::App;

/// Comments of the longest thread; as many as five calls add.
const MANY: usize = 2_500;

/// A comment of typical size.
fn typical(id: u64, user: &str) -> Value {
    json!({
        "commentId": id, "from": { "userId": user, "name": "Somebody", "email": "s@example.com" },
        "commentText": format!("Number {id}: {}", "some words ".repeat(12)),
    })
}

/// A deployment with the thread `a` of this many comments, numbered from 0, by Ada and Bob in turns.
pub(super) async fn long(count: usize) -> App {
    let app = start().await;
    let author = |id: u64| ["ada", "bob"][usize::try_from(id % 2).unwrap()];
    let all: Vec<Value> = (0..count as u64).map(|id| typical(id, author(id))).collect();
    add_to(&app, "d", json!({ "annotationId": "a", "commentData": all[..1] })).await;
    for some in all[1..].chunks(500) {
        app.call("comments.add", thread(json!({ "commentData": some }))).await.ok();
    }
    app
}

/// The numbers of all comments, page by page.
pub(super) async fn numbers(app: &App, size: usize) -> Vec<u64> {
    let (mut found, mut token) = (Vec::new(), Value::Null);
    for _ in 0..1_000 {
        let sent = thread(json!({ "pageSize": size, "pageToken": token }));
        let page = app.call("comments.get", sent).await.ok();
        let comments = page["data"].as_array().unwrap();
        assert!(comments.len() <= size);
        found.extend(comments.iter().map(|one| one["commentId"].as_u64().unwrap()));
        token = page["nextPageToken"].clone();
        if token.is_null() {
            return found;
        }
    }
    panic!("the pages come to no end");
}

/// Write units of a call.
pub(super) async fn written(app: &App, operation: &str, sent: Value) -> f64 {
    app.forget_calls();
    app.call(operation, sent).await.ok();
    let reads = ["GetItem", "BatchGetItem", "Query"];
    let calls = app.calls().into_iter().filter(|call| !reads.contains(&call.operation.as_str()));
    calls.map(|call| call.units).sum()
}

#[tokio::test]
async fn a_thread_of_thousands_is_walked_page_by_page() {
    let app = long(MANY).await;
    let all: Vec<u64> = (0..MANY as u64).collect();
    assert_eq!(numbers(&app, 1_000).await, all);
    let first = app.call("comments.get", thread(json!({ "pageSize": 7 }))).await.ok();
    assert_eq!(first["data"].as_array().unwrap().len(), 7);
    assert!(first["nextPageToken"].is_string());
    let by_ada = thread(json!({ "userIds": ["ada"], "pageSize": 1_000 }));
    let by_ada = app.call("comments.get", by_ada).await.data();
    assert_eq!(by_ada.as_array().unwrap().len(), 1_000);
    assert!(by_ada.as_array().unwrap().iter().all(|one| one["from"]["userId"] == "ada"));
    let named = thread(json!({ "commentIds": [1_000, 999_999, 3, MANY - 1] }));
    let named = app.call("comments.get", named).await.data();
    let ids: Vec<&Value> = named.as_array().unwrap().iter().map(|one| &one["commentId"]).collect();
    assert_eq!(ids, [&json!(1_000), &Value::Null, &json!(3), &json!(MANY - 1)]);

    let shown = list(&app, json!({ "documentId": "d" })).await[0].clone();
    let ids: Vec<u64> = shown["comments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["commentId"].as_u64().unwrap())
        .collect();
    assert_eq!((ids[0], ids[ids.len() - 1]), (0, MANY as u64 - 1), "the first and the newest");
    assert!(ids.len() < 10, "{ids:?}");
    assert_eq!((&shown["commentsCount"], &shown["hasMoreComments"]), (&json!(MANY), &json!(true)));
    assert_eq!(shown["involvedUserIds"], json!(["ada", "bob"]));
    let named = find(&app, "a").await;
    assert_eq!(named["comments"].as_array().unwrap().len(), 100, "of one that is named");
    assert_eq!(named["commentsCount"], MANY);

    for n in 0..5 {
        let sent = thread(json!({ "commentData": [typical(100_000 + n, "ada")] }));
        let units = written(&app, "comments.add", sent).await;
        assert!(units <= 6.0, "a reply costs {units}");
    }
    let status =
        json!({ "annotationIds": ["a"], "updatedData": { "status": { "id": "RESOLVED" } } });
    let units = written(&app, "comments.annotations_update", at("d", status)).await;
    assert!(units <= 5.0, "a status costs {units}");
}

#[tokio::test]
async fn a_short_thread_is_returned_with_all_comments_and_its_changes_keep_their_budget() {
    let app = start().await;
    let comments = json!([typical(1, "ada"), typical(2, "bob"), typical(3, "ada")]);
    let new = json!({ "organizationId": "o", "documentId": "d", "commentAnnotations": [
        { "annotationId": "a", "commentData": [typical(1, "ada")] },
    ] });
    let mut second = new.clone();
    second["commentAnnotations"][0]["annotationId"] = json!("b");
    app.call("comments.annotations_add", new).await.ok();
    let sent = thread(json!({ "commentData": [comments[1], comments[2]] }));
    app.call("comments.add", sent).await.ok();
    let shown = find(&app, "a").await;
    assert_eq!(shown["comments"].as_array().unwrap().len(), 3);
    assert!(shown.get("commentsCount").is_none() && shown.get("hasMoreComments").is_none());
    let page = app.call("comments.get", thread(json!({}))).await.ok();
    assert!(page.get("nextPageToken").is_none());

    let reaction = json!({ "commentId": 2, "icon": "HEART", "from": { "userId": "ada" } });
    let status =
        json!({ "annotationIds": ["a"], "updatedData": { "status": { "id": "RESOLVED" } } });
    for (operation, sent, budget) in [
        ("comments.add", thread(json!({ "commentData": [typical(4, "ada")] })), 4.0),
        ("comments.add", thread(json!({ "commentData": [by("cy")] })), 4.0),
        ("comments.reactions_add", thread(reaction), 4.0),
        ("comments.annotations_update", at("d", status), 5.0),
        ("comments.annotations_add", second, 6.0),
    ] {
        let units = written(&app, operation, sent).await;
        assert!(units <= budget, "{operation} costs {units}");
    }
}

#[tokio::test]
async fn a_number_is_given_once_in_a_long_thread() {
    let app = long(60).await;
    for id in [0, 5, 59] {
        let again = thread(json!({ "commentData": [typical(id, "cy")] }));
        app.call("comments.add", again).await.error("ALREADY_EXISTS");
    }
    let added = app.call("comments.add", thread(json!({ "commentData": [by("cy")] }))).await.data();
    assert_eq!(added[0].to_string().len(), 15, "so long that none has to be looked up");
    assert_eq!(numbers(&app, 50).await.len(), 61);
}

#[tokio::test]
async fn a_large_first_comment_is_moved_out_and_the_newest_stays() {
    let app = with_thread().await;
    let mut large = by("cy");
    large["commentText"] = json!("x".repeat(20_000));
    app.call("comments.add", thread(json!({ "commentData": [large] }))).await.ok();
    let shown = list(&app, json!({ "documentId": "d" })).await[0].clone();
    let texts = shown["comments"].as_array().unwrap();
    assert_eq!(texts.last().unwrap()["commentText"].as_str().unwrap().len(), 20_000);
    app.call("comments.add", thread(json!({ "commentData": [by("ada")] }))).await.ok();
    let units = written(&app, "comments.add", thread(json!({ "commentData": [by("bob")] }))).await;
    assert!(units <= 4.0, "the large one is not written again: {units}");
    assert_eq!(numbers(&app, 2).await.len(), 5);
    assert!(rows(&app).iter().any(|row| row.starts_with("archived#d#id#a#")));
}
