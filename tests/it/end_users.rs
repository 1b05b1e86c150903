//! End users: rights and identity of their token (decision 47).

mod admission;
mod ends;
mod limits;
mod names;
mod revoked;
mod rights;
mod roles;
mod settings;

use serde_json::{Value, json};

use crate::app::{App, Options};

/// A token of a user with rights in the token.
pub(crate) async fn token(app: &App, user: &str, resources: Value) -> String {
    let data = json!({
        "userId": user,
        "userProperties": { "name": user.to_uppercase(), "email": format!("{user}@example.com") },
        "permissions": { "resources": resources },
    });
    let issued = app.call("users.generate_token", data).await.data();
    issued["token"].as_str().expect("a token").to_owned()
}

/// A token of a user who is a member of the organization `acme`.
pub(crate) async fn member(app: &App, user: &str, role: &str) -> String {
    let users = json!({
        "organizationId": "acme", "createOrganization": true,
        "users": [{ "userId": user, "accessRole": role }],
    });
    app.call("users.add", users).await.ok();
    token(app, user, json!([])).await
}

/// The organization `acme` with the document `d`, restricted to its members.
pub(crate) async fn with_document() -> App {
    let app = App::start().await;
    add_document(&app).await;
    app
}

/// The organization and document of [`with_document`] where functions share nothing, as in AWS:
/// they know of each other only what they have read.
pub(crate) async fn with_document_in_parts() -> App {
    let app = App::start_with(Options { is_separate: true, ..Options::default() }).await;
    add_document(&app).await;
    app
}

/// Adds the organization and the document to a deployment that runs.
pub(crate) async fn add_document(app: &App) {
    let documents = json!({
        "organizationId": "acme", "createOrganization": true,
        "documents": [{ "documentId": "d", "documentName": "D" }],
    });
    app.call("documents.add", documents).await.ok();
    let access = json!({
        "organizationId": "acme", "documentIds": ["d"], "accessType": "organizationPrivate",
    });
    app.call("documents.access_update", access).await.ok();
}

/// The organization and document of a call, with additional members.
pub(crate) fn at(data: Value) -> Value {
    let mut all = json!({ "organizationId": "acme", "documentId": "d" });
    let members = data.as_object().expect("an object").clone();
    all.as_object_mut().expect("an object").extend(members);
    all
}
