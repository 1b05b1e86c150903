//! `notifications.seen`.

use std::time::Duration;

use serde_json::{Value, json};
use service::Table;

use super::start;
use crate::{app::App, schedule::put};

async fn see(app: &App, document: &str, thread: &str, user: &str) {
    let sent = json!({
        "organizationId": "acme", "documentId": document, "annotationId": thread, "userId": user,
    });
    assert_eq!(app.call("notifications.seen", sent).await.data()["success"], true);
}

/// The seen marks: key and time.
fn marks(app: &App) -> Vec<(String, u64)> {
    let items = app.items_of(Table::Resources, &app.key);
    let mark = |item: &Value| {
        let sort = item["SK"]["S"].as_str().unwrap();
        sort.starts_with("seen#")
            .then(|| (sort.to_owned(), item["seenAt"]["N"].as_str().unwrap().parse().unwrap()))
    };
    items.iter().filter_map(mark).collect()
}

#[tokio::test]
async fn a_mark_moves_to_now() {
    let app = start().await;
    let before = app.now();
    see(&app, "d", "t", "ada").await;
    let first = marks(&app)[0].1;
    assert!(before <= first && first <= app.now());
    app.advance(Duration::from_secs(60));
    see(&app, "d", "t", "ada").await;
    let [(_, second)] = marks(&app).try_into().unwrap();
    assert!(second >= first + 60_000);
}

#[tokio::test]
async fn a_mark_never_moves_backwards() {
    let app = start().await;
    see(&app, "d", "t", "ada").await;
    let items = app.items_of(Table::Resources, &app.key);
    let is_mark = |item: &Value| item["SK"]["S"].as_str().unwrap().starts_with("seen#");
    let mut ahead = items.into_iter().find(is_mark).unwrap();
    let future = app.now() + 3_600_000;
    ahead["seenAt"]["N"] = json!(future.to_string());
    put(&app, Table::Resources, &ahead).await;
    see(&app, "d", "t", "ada").await;
    assert_eq!(marks(&app)[0].1, future);
}

#[tokio::test]
async fn each_user_has_a_mark_for_each_thread_of_each_document() {
    let app = start().await;
    for (document, thread, user) in
        [("d", "t", "ada"), ("d", "t", "bob"), ("d", "s", "ada"), ("e", "t", "ada")]
    {
        see(&app, document, thread, user).await;
    }
    assert_eq!(marks(&app).len(), 4);
}

#[tokio::test]
async fn the_organization_need_not_exist_and_all_ids_are_required() {
    let app = App::start().await;
    see(&app, "d", "t", "ada").await;
    for member in ["organizationId", "documentId", "annotationId", "userId"] {
        let mut sent = json!({
            "organizationId": "acme", "documentId": "d", "annotationId": "t", "userId": "ada",
        });
        sent[member] = json!(null);
        let path = super::wrong(&app, "notifications.seen", sent).await;
        assert_eq!(path, json!(["data", member]));
    }
}
