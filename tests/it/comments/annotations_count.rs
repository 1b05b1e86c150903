use serde_json::{Value, json};
use service::Table;

use super::{add_to, at, by, start, thread};
use crate::{
    app::{App, cost::Cost},
    schedule::put,
};

async fn count(app: &App, documents: &[&str], user: &str) -> Value {
    let sent = json!({ "organizationId": "o", "documentIds": documents, "userId": user });
    app.call("comments.annotations_count", sent).await.data()
}

/// Marks a thread of `d` as seen by a user at a time.
async fn see(app: &App, user: &str, id: &str, at: u64) {
    let partition = format!("key#{}#organization#o", app.key.api_key);
    let sort = format!("seen#d#user#{user}#annotation#{id}");
    let item = json!({
        "PK": { "S": format!("{partition}#document#d") }, "SK": { "S": sort },
        "_version": { "S": "v" },
        "_written": { "N": app.now().to_string() },
        "GSI1PK": { "S": format!("{partition}#user#{user}") }, "GSI1SK": { "S": sort },
        "documentId": { "S": "d" }, "annotationId": { "S": id }, "userId": { "S": user },
        "seenAt": { "N": at.to_string() },
    });
    put(app, Table::Resources, &item).await;
}

#[tokio::test]
async fn unread_threads_have_a_comment_by_another_user_newer_than_the_mark_of_the_user() {
    let app = start().await;
    let said = |user: &str, at: u64| json!({ "from": { "userId": user }, "createdAt": at });
    for (id, comments) in [
        ("a", json!([said("ada", 100)])),
        ("b", json!([said("ada", 100), said("bob", 200)])),
        ("c", json!([said("bob", 100), said("ada", 200)])),
    ] {
        add_to(&app, "d", json!({ "annotationId": id, "commentData": comments })).await;
    }
    add_to(&app, "e", json!({ "commentData": [by("ada")] })).await;
    assert_eq!(
        count(&app, &["d", "e", "x", "d"], "bob").await,
        json!({ "d": { "total": 3, "unread": 2 }, "e": { "total": 1, "unread": 1 }, "x": { "total": 0, "unread": 0 } })
    );
    assert_eq!(count(&app, &["d"], "ada").await["d"], json!({ "total": 3, "unread": 1 }));
    see(&app, "bob", "a", 100).await;
    see(&app, "bob", "c", 199).await;
    see(&app, "ada", "b", 500).await;
    assert_eq!(count(&app, &["d"], "bob").await["d"], json!({ "total": 3, "unread": 1 }));
    assert_eq!(count(&app, &["d"], "ada").await["d"], json!({ "total": 3, "unread": 0 }));
    let new = at("d", json!({ "annotationId": "a", "commentData": [said("ada", 101)] }));
    app.call("comments.add", new).await.ok();
    assert_eq!(count(&app, &["d"], "bob").await["d"]["unread"], 2);
}

#[tokio::test]
async fn a_comment_that_is_dated_in_the_future_is_read_once_the_thread_is_seen() {
    let app = start().await;
    let later = app.now() + 3_600_000;
    let comment = json!({ "from": { "userId": "ada" }, "createdAt": later });
    add_to(&app, "d", json!({ "annotationId": "a", "commentData": [comment] })).await;
    assert_eq!(count(&app, &["d"], "bob").await["d"]["unread"], 1);
    let seen = at("d", json!({ "annotationId": "a", "userId": "bob" }));
    app.call("notifications.seen", seen).await.ok();
    assert_eq!(count(&app, &["d"], "bob").await["d"]["unread"], 0);
    app.advance(std::time::Duration::from_secs(7_200));
    assert_eq!(count(&app, &["d"], "bob").await["d"]["unread"], 0, "also when that time has come");
    app.call("comments.add", at("d", json!({ "annotationId": "a", "commentData": [by("ada")] })))
        .await
        .ok();
    assert_eq!(count(&app, &["d"], "bob").await["d"]["unread"], 1);
    let shown = super::find(&app, "a").await["comments"][0]["createdAt"].clone();
    assert_eq!(shown, later, "it is shown as it is dated");
}

#[tokio::test]
async fn threads_that_the_user_may_not_see_are_not_counted() {
    let app = start().await;
    let visibility = json!({ "type": "restricted", "userIds": ["bob"] });
    add_to(&app, "d", json!({ "visibility": visibility, "commentData": [by("ada")] })).await;
    let visibility = json!({ "type": "organizationPrivate", "organizationId": "p" });
    add_to(&app, "d", json!({ "visibility": visibility, "commentData": [by("ada")] })).await;
    for (user, expected) in [("ada", 2), ("bob", 1), ("eve", 0)] {
        assert_eq!(count(&app, &["d"], user).await["d"]["total"], expected, "{user}");
    }
}

#[tokio::test]
async fn only_the_statuses_named_are_counted() {
    let app = start().await;
    for status in ["OPEN", "OPEN", "RESOLVED"] {
        add_to(&app, "d", json!({ "status": { "id": status }, "commentData": [by("ada")] })).await;
    }
    for (statuses, expected) in [
        (json!(["OPEN"]), 2),
        (json!(["RESOLVED", "OPEN"]), 3),
        (json!(null), 3),
        (json!([]), 0),
        (json!(["X"]), 0),
    ] {
        let sent = json!({ "organizationId": "o", "documentIds": ["d"], "userId": "u", "statusIds": statuses });
        let counted = app.call("comments.annotations_count", sent).await.data();
        assert_eq!(counted["d"]["total"], expected, "{statuses}");
    }
}

#[tokio::test]
async fn a_thread_without_comments_is_read() {
    let app = super::with_thread().await;
    app.call("comments.delete", thread(json!({}))).await.ok();
    assert_eq!(count(&app, &["d"], "eve").await["d"], json!({ "total": 1, "unread": 0 }));
}

#[tokio::test]
async fn one_to_thirty_document_ids_and_a_user_id_are_required() {
    let app = start().await;
    for sent in [
        json!({ "organizationId": "o", "documentIds": [], "userId": "u" }),
        json!({ "organizationId": "o", "documentIds": (0..31).map(|n| n.to_string()).collect::<Vec<_>>(), "userId": "u" }),
        json!({ "organizationId": "o", "documentIds": ["d"] }),
        json!({ "organizationId": "o", "userId": "u" }),
    ] {
        app.call("comments.annotations_count", sent).await.error("INVALID_ARGUMENT");
    }
    let sent = json!({ "organizationId": "x", "documentIds": ["d"], "userId": "u" });
    let counted = app.call_at("/v1/commentannotations/count/get", sent).await.data();
    assert_eq!(counted, json!({ "d": { "total": 0, "unread": 0 } }));
}

#[tokio::test]
async fn counting_in_thirty_documents_costs_33_reads() {
    let app = start().await;
    add_to(&app, "d", json!({ "commentData": [by("ada")] })).await;
    let documents: Vec<String> = (0..29).map(|n| format!("n{n}")).chain(["d".to_owned()]).collect();
    let documents: Vec<&str> = documents.iter().map(String::as_str).collect();
    app.forget_calls();
    count(&app, &documents, "bob").await;
    let cost = Cost::of(&app.calls());
    let what = "the key, all documents, threads of each, and marks where something is new";
    assert_eq!((cost.reads, cost.writes), (33, 0), "{what}");
}
