//! Folders (contract `folders`).

mod access_update;
mod add;
mod delete;
mod get;
mod many;
mod update;

use serde_json::{Value, json};

use crate::app::App;

/// Adds an organization with folders given as (id, parent).
async fn with_folders(folders: &[(&str, &str)]) -> App {
    let app = App::start().await;
    let folders: Vec<Value> = folders
        .iter()
        .map(|(id, parent)| json!({ "folderId": id, "folderName": id, "parentFolderId": parent }))
        .collect();
    let sent = json!({ "organizationId": "o", "createOrganization": true, "folders": folders });
    let data = app.call("folders.add", sent).await.data();
    assert!(data.as_object().unwrap().values().all(|entry| entry["success"] == true), "{data}");
    app
}

/// The folders of the organization, flat.
async fn all(app: &App) -> Vec<Value> {
    app.call("folders.get", json!({ "organizationId": "o" }))
        .await
        .data()
        .as_array()
        .unwrap()
        .clone()
}

async fn ids(app: &App) -> Vec<String> {
    all(app).await.iter().map(|folder| folder["folderId"].as_str().unwrap().to_owned()).collect()
}

/// The parent of a folder.
async fn parent(app: &App, id: &str) -> Value {
    let data =
        app.call("folders.get", json!({ "organizationId": "o", "folderId": id })).await.data();
    data[0]["parentFolderId"].clone()
}
