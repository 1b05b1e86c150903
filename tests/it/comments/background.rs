//! Threads after the deletion of their document or organization.

use serde_json::{Value, json};
use service::Table;

use super::{add_to, by, ids, list, rows, thread, with_thread};
use crate::{app::App, schedule::put};

/// A thread in each document, a reaction, and seen marks of Ada and Bob.
async fn world() -> App {
    let app = with_thread().await;
    add_to(&app, "e", json!({ "annotationId": "z", "commentData": [by("ada")] })).await;
    let reaction = thread(json!({ "commentId": 1, "icon": "HEART", "from": { "userId": "bob" } }));
    app.call("comments.reactions_add", reaction).await.ok();
    for (document, user) in [("d", "ada"), ("d", "bob"), ("e", "ada")] {
        let partition = format!("key#{}#organization#o", app.key.api_key);
        let sort = format!("seen#{document}#user#{user}#annotation#a");
        let item = json!({
            "PK": { "S": format!("{partition}#document#{document}") }, "SK": { "S": sort }, "_version": { "S": "v" },
            "_written": { "N": app.now().to_string() },
            "GSI1PK": { "S": format!("{partition}#user#{user}") }, "GSI1SK": { "S": sort },
            "documentId": { "S": document }, "annotationId": { "S": "a" },
            "userId": { "S": user }, "seenAt": { "N": "1" },
        });
        put(&app, Table::Resources, &item).await;
    }
    let users = json!({ "organizationId": "o", "users": [{ "userId": "ada" }] });
    app.call("users.add", users).await.ok();
    assert_eq!(rows(&app).len(), 9);
    app
}

async fn delete(app: &App, operation: &str, sent: Value) {
    app.call(operation, sent).await.ok();
    app.advance(std::time::Duration::from_secs(1));
    app.settle().await;
}

#[tokio::test]
async fn the_threads_of_a_deleted_document_are_removed_with_all_rows() {
    let app = world().await;
    delete(&app, "documents.delete", json!({ "organizationId": "o", "documentIds": ["d"] })).await;
    let [thread, link, seen] = rows(&app).try_into().unwrap();
    assert_eq!(
        (thread.as_str(), seen.as_str()),
        ("annotation#e#id#z", "seen#e#user#ada#annotation#a")
    );
    assert!(link.starts_with("link#ada#annotation#") && link.ends_with("#annotation#e#id#z"));
    assert_eq!(ids(&list(&app, json!({})).await), ["z"]);
}

#[tokio::test]
async fn the_threads_of_a_deleted_organization_are_removed_with_all_rows() {
    let app = world().await;
    delete(&app, "organizations.delete", json!({ "organizationIds": ["o"] })).await;
    assert_eq!(rows(&app), Vec::<String>::new());
}

#[tokio::test]
async fn comments_of_a_user_who_leaves_stay_and_the_marks_of_seen_threads_are_deleted() {
    let app = world().await;
    delete(&app, "users.delete", json!({ "organizationId": "o", "userIds": ["ada"] })).await;
    let seen: Vec<String> = rows(&app).into_iter().filter(|row| row.starts_with("seen#")).collect();
    assert_eq!(seen, ["seen#d#user#bob#annotation#a"]);
    assert_eq!(list(&app, json!({ "userIds": ["ada"] })).await.len(), 2);
}

#[tokio::test]
async fn deleting_the_document_of_a_thread_of_hundreds_of_users_deletes_all_rows() {
    let app = with_thread().await;
    let comments: Vec<Value> = (0..250).map(|n| by(&format!("u{n}"))).collect();
    app.call("comments.add", thread(json!({ "commentData": comments }))).await.ok();
    delete(&app, "documents.delete", json!({ "organizationId": "o", "documentIds": ["d"] })).await;
    assert_eq!(rows(&app), Vec::<String>::new());
}

#[tokio::test]
async fn a_thread_in_a_new_document_of_the_same_id_stays() {
    let app = world().await;
    app.call("documents.delete", json!({ "organizationId": "o", "documentIds": ["d"] })).await.ok();
    app.advance(std::time::Duration::from_secs(1));
    let again = json!({ "organizationId": "o", "documents": [{ "documentId": "d" }] });
    app.call("documents.add", again).await.ok();
    add_to(&app, "d", json!({ "annotationId": "new", "commentData": [by("ada")] })).await;
    app.settle().await;
    assert_eq!(ids(&list(&app, json!({ "documentId": "d" })).await), ["new"]);
}
