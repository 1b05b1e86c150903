use serde_json::{Value, json};

use super::{ids, with_folders};

#[tokio::test]
async fn a_deleted_folder_is_gone_at_once_and_its_folders_and_documents_follow() {
    let app = with_folders(&[("a", "root"), ("b", "a"), ("c", "b"), ("d", "root")]).await;
    let document =
        json!({ "organizationId": "o", "folderId": "c", "documents": [{ "documentId": "deep" }] });
    app.call("documents.add", document).await.ok();
    let reply = app.call("folders.delete", json!({ "organizationId": "o", "folderId": "a" })).await;
    assert_eq!(reply.ok()["data"], Value::Null);
    assert!(!ids(&app).await.contains(&"a".to_owned()));
    app.settle().await;
    assert_eq!(ids(&app).await, ["d"]);
    assert_eq!(app.call("documents.get", json!({ "organizationId": "o" })).await.data(), json!([]));
}

#[tokio::test]
async fn an_unknown_folder_is_not_found() {
    let app = with_folders(&[("a", "root")]).await;
    let unknown = json!({ "organizationId": "o", "folderId": "x" });
    let error = app.call("folders.delete", unknown).await.error("NOT_FOUND");
    assert_eq!(error["code"], "not-found");
    let error = app.call("folders.delete", json!({})).await.error("INVALID_ARGUMENT");
    assert_eq!(error["code"], "invalid-argument");
    app.call("folders.delete", json!({ "organizationId": "o", "folderId": "a" })).await.ok();
    app.call("folders.delete", json!({ "organizationId": "o", "folderId": "a" }))
        .await
        .error("NOT_FOUND");
}

#[tokio::test]
async fn a_folder_moved_out_before_its_parent_is_removed_stays() {
    let app = with_folders(&[("a", "root"), ("b", "a"), ("d", "root")]).await;
    app.call("folders.delete", json!({ "organizationId": "o", "folderId": "a" })).await.ok();
    let out =
        json!({ "organizationId": "o", "folders": [{ "folderId": "b", "parentFolderId": "d" }] });
    assert_eq!(app.call("folders.update", out).await.data()["b"]["success"], true);
    app.settle().await;
    assert_eq!(ids(&app).await, ["d", "b"]);
}
