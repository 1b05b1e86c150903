use std::time::Duration;

use serde_json::{Value, json};

use super::{add, all};
use crate::app::App;

async fn delete(app: &App, ids: Value) -> Value {
    app.call("organizations.delete", json!({ "organizationIds": ids })).await.data()
}

async fn documents(app: &App, organization: &str) -> Value {
    app.call("documents.get", json!({ "organizationId": organization })).await.data()
}

async fn add_document(app: &App, organization: &str, id: &str) {
    let sent = json!({ "organizationId": organization, "documents": [{ "documentId": id }] });
    assert_eq!(app.call("documents.add", sent).await.data()[id]["success"], true);
}

#[tokio::test]
async fn a_deleted_organization_is_gone_at_once_and_its_contents_follow() {
    let app = App::start().await;
    add(&app, &["acme", "other"]).await;
    add_document(&app, "acme", "d").await;
    add_document(&app, "other", "d").await;
    let sent = json!({ "organizationId": "acme", "folders": [{ "folderId": "f" }] });
    app.call("folders.add", sent).await.ok();
    let sent = json!({ "organizationId": "acme", "users": [{ "userId": "ada" }] });
    app.call("users.add", sent).await.ok();

    let deleted = delete(&app, json!(["acme"])).await;
    assert_eq!(deleted["acme"]["success"], true);
    assert_eq!(deleted["acme"]["id"], "acme");
    assert_eq!(all(&app).await, ["other"]);

    app.settle().await;
    for operation in ["documents.get", "folders.get", "users.get"] {
        let left = app.call(operation, json!({ "organizationId": "acme" })).await.data();
        assert_eq!(left, json!([]), "{operation}");
    }
    assert_eq!(documents(&app, "other").await[0]["id"], "d");
}

#[tokio::test]
async fn an_organization_and_document_added_before_the_cleanup_of_the_deleted_one_stay() {
    let app = App::start().await;
    add(&app, &["acme"]).await;
    add_document(&app, "acme", "old").await;
    delete(&app, json!(["acme"])).await;
    app.advance(Duration::from_secs(1));
    add(&app, &["acme"]).await;
    add_document(&app, "acme", "new").await;
    app.settle().await;
    assert_eq!(all(&app).await, ["acme"]);
    let left = documents(&app, "acme").await;
    assert_eq!(left.as_array().map(Vec::len), Some(1), "{left}");
    assert_eq!(left[0]["id"], "new");
}

#[tokio::test]
async fn an_unknown_organization_fails_without_failing_the_others_in_its_batch() {
    let app = App::start().await;
    add(&app, &["a"]).await;
    let deleted = delete(&app, json!(["nobody", "a"])).await;
    assert_eq!(deleted["nobody"]["success"], false);
    assert_eq!(deleted["nobody"]["code"], "not-found");
    assert_eq!(deleted["nobody"]["id"], "nobody");
    assert_eq!(deleted["a"]["success"], true);
    assert_eq!(delete(&app, json!(["a"])).await["a"]["success"], false);
}

#[tokio::test]
async fn an_organization_id_sent_twice_is_reported_once_as_deleted() {
    let app = App::start().await;
    add(&app, &["a"]).await;
    let deleted = delete(&app, json!(["a", "a"])).await;
    assert_eq!(deleted.as_object().map(serde_json::Map::len), Some(1));
    assert_eq!(deleted["a"]["success"], true);
}

#[tokio::test]
async fn a_batch_holds_1_to_500_ids() {
    let app = App::start().await;
    let batch = |n: usize| {
        let ids: Vec<String> = (0..n).map(|n| format!("o{n}")).collect();
        app.call("organizations.delete", json!({ "organizationIds": ids }))
    };
    add(&app, &["o0", "o499"]).await;
    for n in [0, 501] {
        let error = batch(n).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "organizationIds"]));
    }
    assert_eq!(all(&app).await.len(), 2);
    let deleted = batch(500).await.data();
    assert_eq!(deleted.as_object().map(serde_json::Map::len), Some(500));
    assert_eq!(deleted["o499"]["success"], true);
    assert_eq!(deleted["o1"]["success"], false);
    assert_eq!(all(&app).await, Vec::<Value>::new());
    app.call("organizations.delete", json!({})).await.error("INVALID_ARGUMENT");
}
