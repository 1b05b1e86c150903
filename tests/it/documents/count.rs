use serde_json::{Value, json};

use super::{add, start};
use crate::app::App;

async fn count(app: &App, filters: Value) -> Value {
    let mut sent = filters;
    sent["organizationId"] = json!("acme");
    app.call("documents.count", sent).await.data()["count"].take()
}

#[tokio::test]
async fn documents_are_counted_in_the_organization_in_a_folder_and_in_none() {
    let app = start().await;
    add(&app, Some("f"), &["a", "b"]).await;
    add(&app, None, &["c"]).await;
    assert_eq!(count(&app, json!({})).await, 3);
    assert_eq!(count(&app, json!({ "folderId": "f" })).await, 2);
    assert_eq!(count(&app, json!({ "folderId": "root" })).await, 1);
    assert_eq!(count(&app, json!({ "excludeFolderDocs": true })).await, 1);
    assert_eq!(count(&app, json!({ "folderId": "nowhere" })).await, 0);
}

#[tokio::test]
async fn documents_in_a_deleted_folder_are_not_counted() {
    let app = start().await;
    add(&app, Some("f"), &["a"]).await;
    add(&app, None, &["b"]).await;
    app.call("folders.delete", json!({ "organizationId": "acme", "folderId": "f" })).await.ok();
    assert_eq!(count(&app, json!({})).await, 1);
}

#[tokio::test]
async fn an_unknown_organization_has_none_and_a_folder_excludes_that_of_documents_in_none() {
    let app = App::start().await;
    assert_eq!(count(&app, json!({})).await, 0);
    let both = json!({ "organizationId": "acme", "folderId": "f", "excludeFolderDocs": true });
    let error = app.call("documents.count", both).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "excludeFolderDocs"]));
    app.call("documents.count", json!({})).await.error("INVALID_ARGUMENT");
}
