//! Documents (contract `documents`).

use serde_json::{Value, json};

use crate::app::App;

mod access_update;
mod add;
mod count;
mod delete;
mod disable;
mod get;
mod many;
mod move_documents;
mod update;

/// A deployment with the organization `acme`, and in it the folders `f` and `g`.
async fn start() -> App {
    let app = App::start().await;
    let sent = json!({
        "organizationId": "acme", "createOrganization": true,
        "folders": [{ "folderId": "f" }, { "folderId": "g" }],
    });
    let added = app.call("folders.add", sent).await.data();
    assert_eq!(added["f"]["success"], true, "{added}");
    app
}

/// Adds minimal documents, into a folder if one is named.
async fn add(app: &App, folder: Option<&str>, ids: &[&str]) {
    let documents: Vec<Value> = ids.iter().map(|id| json!({ "documentId": id })).collect();
    let sent = json!({ "organizationId": "acme", "folderId": folder, "documents": documents });
    let added = app.call("documents.add", sent).await.data();
    for (id, entry) in added.as_object().expect("a map") {
        assert_eq!(entry["success"], true, "{id}: {entry}");
    }
}

/// One listed document; null when it does not exist.
async fn find(app: &App, id: &str) -> Value {
    let sent = json!({ "organizationId": "acme", "documentIds": [id] });
    app.call("documents.get", sent).await.data()[0].take()
}

/// The ids of all documents, as listed on one page.
async fn all(app: &App) -> Vec<Value> {
    ids(&app.call("documents.get", json!({ "organizationId": "acme" })).await.data())
}

/// The ids of the documents in a folder.
async fn lying_in(app: &App, folder: &str) -> Vec<Value> {
    let sent = json!({ "organizationId": "acme", "folderId": folder });
    ids(&app.call("documents.get", sent).await.data())
}

fn ids(listed: &Value) -> Vec<Value> {
    listed.as_array().expect("a list").iter().map(|item| item["id"].clone()).collect()
}

/// `d0`, `d1` and so on.
fn numbered(n: usize) -> Vec<String> {
    (0..n).map(|n| format!("d{n}")).collect()
}
