//! Live state (contract `live-state`), and how it ends.

mod broadcast;
mod get;

use std::time::Duration;

use serde_json::{Value, json};

use crate::app::App;

/// Writes the live state `id` of a document.
async fn write(app: &App, document: &str, id: &str, data: Value, merge: bool) {
    let sent = json!({
        "organizationId": "o", "documentId": document, "liveStateDataId": id,
        "data": data, "merge": merge,
    });
    let data = app.call("live-state.broadcast", sent).await.data();
    assert_eq!(data, json!({ "success": true }));
}

/// The live state of a document.
async fn all(app: &App, document: &str) -> Vec<Value> {
    let sent = json!({ "organizationId": "o", "documentId": document });
    app.call("live-state.get", sent).await.data().as_array().unwrap().clone()
}

/// Data and revision of the only live state of the document `d`.
async fn only(app: &App) -> (Value, u64) {
    let mut states = all(app, "d").await;
    assert_eq!(states.len(), 1, "{states:?}");
    (states[0]["data"].take(), states[0]["revision"].as_u64().unwrap())
}

#[tokio::test]
async fn live_state_is_kept_until_its_document_is_deleted_and_other_documents_keep_theirs() {
    let app = App::start().await;
    let documents = json!({
        "organizationId": "o", "createOrganization": true, "documents": [{ "documentId": "d" }],
    });
    app.call("documents.add", documents.clone()).await.ok();
    for document in ["d", "da", "d#data#x"] {
        write(&app, document, "x", json!({ "at": document }), false).await;
        write(&app, document, "y", json!({}), false).await;
    }
    app.advance(Duration::from_secs(400 * 24 * 60 * 60));
    app.embedded().sweep_expired().unwrap();
    assert_eq!(all(&app, "d").await.len(), 2);
    let gone = json!({ "organizationId": "o", "documentIds": ["d"] });
    assert_eq!(app.call("documents.delete", gone).await.data()["d"]["success"], true);
    app.settle().await;
    assert_eq!(all(&app, "d").await, Vec::<Value>::new());
    for document in ["da", "d#data#x"] {
        let states = all(&app, document).await;
        assert_eq!((states.len(), &states[0]["data"]["at"]), (2, &json!(document)));
    }
    write(&app, "d", "x", json!({}), true).await;
    assert_eq!(only(&app).await, (json!({}), 1), "it begins anew");
}

#[tokio::test]
async fn live_state_written_to_a_new_document_of_the_same_id_stays() {
    let app = App::start().await;
    let documents = json!({
        "organizationId": "o", "createOrganization": true, "documents": [{ "documentId": "d" }],
    });
    app.call("documents.add", documents.clone()).await.ok();
    write(&app, "d", "old", json!({}), false).await;
    app.call("documents.delete", json!({ "organizationId": "o", "documentIds": ["d"] })).await.ok();
    app.advance(Duration::from_secs(1));
    app.call("documents.add", documents).await.ok();
    write(&app, "d", "new", json!({}), false).await;
    app.settle().await;
    let states = all(&app, "d").await;
    assert_eq!((states.len(), &states[0]["liveStateDataId"]), (1, &json!("new")));
}

#[tokio::test]
async fn the_live_state_of_a_deleted_organization_is_removed() {
    let app = App::start().await;
    let organizations = json!({ "organizations": [{ "organizationId": "o" }] });
    app.call("organizations.add", organizations).await.ok();
    write(&app, "d", "x", json!({}), false).await;
    app.call("organizations.delete", json!({ "organizationIds": ["o"] })).await.ok();
    app.settle().await;
    assert_eq!(all(&app, "d").await, Vec::<Value>::new());
}
