//! Rights of users, apart from membership (contract `permissions`, `access.decision`).

mod add;
mod get;
mod groups;
mod remove;

use serde_json::{Value, json};

use crate::app::App;

/// A resource of the organization.
fn resource(kind: &str, id: &str, role: &str) -> Value {
    json!({ "type": kind, "id": id, "organizationId": "o", "accessRole": role })
}

fn rights(user: &str, resources: Value) -> Value {
    json!({ "user": { "userId": user }, "permissions": { "resources": resources } })
}

async fn grant(app: &App, user: &str, resources: Value) {
    app.call("permissions.add", rights(user, resources)).await.ok();
}

/// Folders `top` and, in it, `sub`; document `deep` in `sub`, document `loose` in none.
async fn world() -> App {
    let app = App::start().await;
    let folders = json!({ "organizationId": "o", "createOrganization": true, "folders": [
        { "folderId": "top" }, { "folderId": "sub", "parentFolderId": "top" },
    ] });
    app.call("folders.add", folders).await.ok();
    for (document, folder) in [("deep", json!("sub")), ("loose", json!(null))] {
        let documents = json!({
            "organizationId": "o", "folderId": folder, "documents": [{ "documentId": document }]
        });
        app.call("documents.add", documents).await.ok();
    }
    app
}

/// The right of one user in the test data.
async fn of(app: &App, user: &str) -> Value {
    let sent = json!({
        "organizationId": "o", "userIds": [user], "folderIds": ["top", "sub"],
        "documentIds": ["deep", "loose"]
    });
    app.call("permissions.get", sent).await.data()[user].take()
}
