//! The world that the samples in `events/` are made for.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::{App, Credentials};

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../events"))
}

/// The sample of a function, as it stands.
pub fn sample(binary: &str) -> String {
    let file = folder().join(format!("{binary}.json"));
    std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

impl App {
    /// Starts a deployment that holds what the samples refer to; answers with a second key, too.
    pub async fn sample_world() -> (Self, Credentials) {
        let app = Self::start().await;
        let second = app.second_key().await;
        app.fill_sample_world("").await;
        app.forget_calls();
        (app, second)
    }

    /// Adds what the samples refer to. `mark` goes into every name, to find it again where it
    /// must not be.
    pub async fn fill_sample_world(&self, mark: &str) {
        let organizations = json!({ "organizations": [
            { "organizationId": "acme", "organizationName": format!("Acme{mark}"), "tier": "gold" },
        ] });
        self.call("organizations.add", organizations).await.ok();
        let folders = json!({ "organizationId": "acme", "folders": [
            { "folderId": "handbook", "folderName": format!("Handbook{mark}") },
            { "folderId": "policies", "folderName": format!("Policies{mark}"), "parentFolderId": "handbook" },
        ] });
        self.call("folders.add", folders).await.ok();
        for (id, folder) in [("welcome", json!("handbook")), ("roadmap", json!(null))] {
            let documents = json!({ "organizationId": "acme", "folderId": folder, "documents": [
                { "documentId": id, "documentName": format!("{id}{mark}"), "owner": format!("ada{mark}") },
            ] });
            self.call("documents.add", documents).await.ok();
        }
        let user = |id: &str| json!({ "userId": id, "name": format!("{id}{mark}"), "email": format!("{id}@example.com") });
        let users = json!({ "organizationId": "acme", "users": [user("ada"), user("bob")] });
        self.call("users.add", users).await.ok();
        let users =
            json!({ "organizationId": "acme", "documentId": "welcome", "users": [user("ada")] });
        self.call("users.add", users).await.ok();
        let groups = json!({ "organizationId": "acme", "organizationUserGroups": [
            { "groupId": "writers", "groupName": format!("Writers{mark}") },
        ] });
        self.call("user-groups.add", groups).await.ok();
        let members = json!({
            "organizationId": "acme", "organizationUserGroupId": "writers", "userIds": ["ada"],
        });
        self.call("user-groups.users_add", members).await.ok();
        let grant = json!({ "user": { "userId": "bob" }, "permissions": { "resources": [
            { "type": "document", "id": "welcome", "organizationId": "acme", "accessRole": "viewer" },
        ] } });
        self.call("permissions.add", grant).await.ok();
        let editor = json!({
            "organizationId": "acme", "documentId": "welcome", "editorId": "body",
            "type": "text", "data": format!("Welcome{mark}"),
        });
        self.call("editors.add", editor).await.ok();
        let domains = json!({ "domains": ["app.example.com"] });
        self.call("workspace.domains_add", domains).await.ok();
    }

    /// The body of a function's sample, for this deployment.
    pub fn sample_body(&self, binary: &str, second: &Credentials) -> String {
        let text = sample(binary)
            .replace("{{apiKey}}", &self.key.api_key)
            .replace("{{authToken}}", &self.key.auth_token)
            .replace("{{secondApiKey}}", &second.api_key)
            .replace("{{workspaceId}}", &self.workspace.id)
            .replace("{{workspaceToken}}", &self.workspace.token);
        let event: Value = serde_json::from_str(&text).expect("a sample is JSON");
        event["body"].as_str().unwrap_or_default().to_owned()
    }
}
