use serde_json::{Map, Value, json};

use super::{add, all, lying_in, numbered, start};
use crate::app::App;

async fn delete(app: &App, ids: Value) -> Value {
    let sent = json!({ "organizationId": "acme", "documentIds": ids });
    app.call("documents.delete", sent).await.data()
}

async fn add_user(app: &App, id: &str) {
    let sent = json!({
        "organizationId": "acme", "documentId": "d", "users": [{ "userId": id }],
    });
    assert_eq!(app.call("users.add", sent).await.data()[id]["success"], true);
}

async fn users(app: &App) -> Value {
    app.call("users.get", json!({ "organizationId": "acme", "documentId": "d" })).await.data()
}

#[tokio::test]
async fn a_deleted_document_is_gone_at_once_and_its_users_follow() {
    let app = start().await;
    add(&app, Some("f"), &["d", "e"]).await;
    add_user(&app, "ada").await;
    let deleted = delete(&app, json!(["d"])).await;
    assert_eq!(deleted["d"]["success"], true);
    assert_eq!(deleted["d"]["id"], "d");
    assert!(deleted["d"]["message"].is_string());
    assert_eq!(deleted["d"].get("code"), None);
    assert_eq!(all(&app).await, ["e"]);
    assert_eq!(lying_in(&app, "f").await, ["e"]);
    app.settle().await;
    assert_eq!(users(&app).await, json!([]));
}

#[tokio::test]
async fn an_unknown_document_fails_without_failing_the_others_in_its_batch() {
    let app = start().await;
    add(&app, None, &["d"]).await;
    let deleted = delete(&app, json!(["nobody", "d"])).await;
    assert_eq!(deleted["nobody"]["success"], false);
    assert_eq!(deleted["nobody"]["code"], "not-found");
    assert_eq!(deleted["nobody"]["id"], "nobody");
    assert_eq!(deleted["d"]["success"], true);
    assert_eq!(delete(&app, json!(["d"])).await["d"]["code"], "not-found");
}

#[tokio::test]
async fn a_document_id_sent_twice_is_reported_once_as_deleted() {
    let app = start().await;
    add(&app, None, &["d"]).await;
    let deleted = delete(&app, json!(["d", "d"])).await;
    assert_eq!(deleted.as_object().map(Map::len), Some(1));
    assert_eq!(deleted["d"]["success"], true);
}

#[tokio::test]
async fn documents_of_another_organization_are_not_found() {
    let app = start().await;
    add(&app, None, &["d"]).await;
    let sent = json!({ "organizationId": "other", "documentIds": ["d"] });
    let deleted = app.call("documents.delete", sent).await.data();
    assert_eq!(deleted["d"]["code"], "not-found");
    assert_eq!(all(&app).await, ["d"]);
}

#[tokio::test]
async fn a_batch_holds_1_to_500_ids() {
    let app = start().await;
    let batch = |n: usize| {
        let sent = json!({ "organizationId": "acme", "documentIds": numbered(n) });
        app.call("documents.delete", sent)
    };
    add(&app, None, &["d0", "d499"]).await;
    for n in [0, 501] {
        let error = batch(n).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "documentIds"]));
    }
    assert_eq!(all(&app).await.len(), 2);
    let deleted = batch(500).await.data();
    assert_eq!(deleted.as_object().map(Map::len), Some(500));
    assert_eq!(deleted["d499"]["success"], true);
    assert_eq!(deleted["d1"]["success"], false);
    assert_eq!(all(&app).await, Vec::<Value>::new());
}

#[tokio::test]
async fn an_empty_document_id_is_refused_with_its_place() {
    let app = start().await;
    let sent = json!({ "organizationId": "acme", "documentIds": ["d", ""] });
    let error = app.call("documents.delete", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "documentIds", 1]));
}

#[tokio::test]
async fn a_failed_write_is_reported_as_internal_and_the_call_can_be_repeated() {
    let app = start().await;
    add(&app, None, &["d"]).await;
    app.fail_writes();
    let deleted = delete(&app, json!(["d"])).await;
    assert_eq!(deleted["d"]["success"], false);
    assert_eq!(deleted["d"]["code"], "internal");
    assert_eq!(deleted["d"]["id"], "d");
    assert_eq!(all(&app).await, ["d"]);
    app.embedded().clear_faults();
    assert_eq!(delete(&app, json!(["d"])).await["d"]["success"], true);
}
