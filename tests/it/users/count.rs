use serde_json::{Value, json};

use super::{add, with};
use crate::app::App;

/// The count, which is that of the list with the same filters.
async fn count(app: &App, filters: Value) -> u64 {
    let sent = with(json!({ "organizationId": "o" }), filters.clone());
    let count = app.call("users.count", sent.clone()).await.data()["count"].as_u64().unwrap();
    let mut listed = sent;
    if let Some(id) = filters.get("userId") {
        listed["userIds"] = json!([id]);
    }
    let listed = app.call("users.get", listed).await.data();
    assert_eq!(listed.as_array().unwrap().len() as u64, count, "{filters}");
    count
}

#[tokio::test]
async fn a_count_is_the_length_of_the_list_with_the_same_filters() {
    let app = App::start().await;
    add(&app, json!({}), &["ada", "bob", "eve"]).await;
    add(&app, json!({ "documentId": "d" }), &["ada", "bob"]).await;
    add(&app, json!({ "documentId": "e" }), &["ada"]).await;
    assert_eq!(count(&app, json!({})).await, 3);
    assert_eq!(count(&app, json!({ "documentId": "d" })).await, 2);
    assert_eq!(count(&app, json!({ "allDocuments": true })).await, 3);
    assert_eq!(count(&app, json!({ "userId": "ada" })).await, 1);
    assert_eq!(count(&app, json!({ "allDocuments": true, "userId": "ada" })).await, 2);
    assert_eq!(count(&app, json!({ "userId": "nobody" })).await, 0);
}

#[tokio::test]
async fn an_unknown_organization_has_no_users_and_a_document_excludes_all_documents() {
    let app = App::start().await;
    assert_eq!(count(&app, json!({})).await, 0);
    let both = json!({ "organizationId": "o", "documentId": "d", "allDocuments": true });
    let error = app.call("users.count", both).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "allDocuments"]));
    app.call("users.count", json!({})).await.error("INVALID_ARGUMENT");
}
