//! The world that the samples in `events/` are made for.

use std::path::PathBuf;

use local::table_name;
use serde_json::{Value, json};
use service::Table;

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
        app.add_sample_job().await;
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
        let presence = json!({
            "organizationId": "acme", "documentId": "welcome", "users": [user("ada")],
        });
        self.call("presence.add", presence).await.ok();
        let state = json!({
            "organizationId": "acme", "documentId": "welcome", "liveStateDataId": "slides",
            "data": { "page": 1, "title": format!("Slides{mark}") },
        });
        self.call("live-state.broadcast", state).await.ok();
        let file =
            json!({ "url": format!("https://cdn.example.com/demo{mark}.mp3").replace(' ', "-") });
        let recordings = json!({ "organizationId": "acme", "documentId": "roadmap", "recordings": [{
            "annotationId": "demo", "displayName": format!("Demo{mark}"),
            "recordedTime": { "duration": 4200 }, "attachments": [file], "from": user("ada"),
        }] });
        self.call("recordings.add", recordings).await.ok();
        self.configure(mark).await;
        self.enable_activities(false).await;
        let activities = json!({ "organizationId": "acme", "documentId": "roadmap", "activities": [{
            "id": "roadmap-drafted", "featureType": "custom", "actionType": "roadmap.draft",
            "actionUser": user("ada"), "targetEntityId": "roadmap-2027",
            "displayMessageTemplate": format!("{{{{actionUser.name}}}} drafted it{mark}"),
        }] });
        self.call("activities.add", activities).await.ok();
        self.fill_thread(mark).await;
        let editor = json!({
            "organizationId": "acme", "documentId": "welcome", "editorId": "body",
            "type": "text", "data": format!("Welcome{mark}"),
        });
        self.call("editors.add", editor).await.ok();
        let domains = json!({ "domains": ["app.example.com"] });
        self.call("workspace.domains_add", domains).await.ok();
        self.add_sample_agent(mark).await;
        self.fill_notifications(mark).await;
        self.add_sample_message().await;
    }

    /// An agent with two versions. Its id is generated, so samples name it `{{agentId}}`.
    async fn add_sample_agent(&self, mark: &str) {
        let agent = json!({
            "name": format!("Reviewer{mark}"), "description": format!("Reviews{mark}"),
            "enabled": true, "instructions": format!("Review{mark}."),
            "contextGathering": { "strategies": ["web-page-text"] }, "execution": {},
        });
        let created = self.call("agents.create", agent).await.data();
        let id = created["agentId"].as_str().expect("an id").to_owned();
        let version = json!({ "agentId": id, "instructions": format!("Review well{mark}.") });
        self.call("agents.version_update", version).await.ok();
        *self.sample_agent.lock().expect("no panic") = id;
    }

    /// A job that erases somebody nobody knows. Its id is generated, so samples name it `{{jobId}}`.
    async fn add_sample_job(&self) {
        let sent = json!({ "userIds": ["gone"], "organizationIds": ["acme"] });
        let job = self.call("user-data.delete", sent).await.data();
        *self.sample_job.lock().expect("no panic") = job["jobId"].as_str().expect("an id").into();
    }

    /// A webhook message, of the thread that was added. Its id follows from that event, so
    /// samples name it `{{messageId}}`.
    async fn add_sample_message(&self) {
        for stored in self.events() {
            let is_thread = stored["event"]["event"] == "comment_annotation.add";
            if !is_thread || stored["tenant"] != self.key.api_key.as_str() {
                continue;
            }
            let id = format!("msg_{}", stored["id"].as_str().expect("an id"));
            self.put_sample_message(&id, &stored.to_string()).await;
            *self.sample_message.lock().expect("no panic") = id;
        }
    }

    /// The message and what became of it: nothing of this world is sent anywhere.
    async fn put_sample_message(&self, id: &str, event: &str) {
        let endpoint = self.sample_endpoint().expect("an endpoint");
        let (key, sort) = (format!("key#{}", self.key.api_key), format!("webhook-message#{id}"));
        let message = json!({
            "PK": { "S": key }, "SK": { "S": sort }, "body": { "S": event },
            "context": { "S": "{}" }, "endpoints": { "SS": [endpoint] },
        });
        let attempt = json!({ "M": {
            "id": { "S": "atm_sample" }, "url": { "S": "https://hooks.example.com" },
            "statusCode": { "N": "200" }, "durationMs": { "N": "7" },
            "response": { "S": "Thanks." }, "trigger": { "S": "scheduled" },
            "succeeded": { "BOOL": true }, "at": { "N": "1795161600000" },
        } });
        let delivery = json!({
            "PK": { "S": format!("{key}#webhook-endpoint#{endpoint}") }, "SK": { "S": sort },
            "_version": { "S": "sample" }, "messageId": { "S": id },
            "endpointId": { "S": endpoint }, "status": { "S": "success" },
            "createdAt": { "N": "1795161600000" }, "attempts": { "L": [attempt] },
        });
        for (table, item) in [(Table::Events, message), (Table::Schedule, delivery)] {
            let put = json!({ "TableName": table_name(table), "Item": item }).to_string();
            let sent = self.client.post(self.stack().aws_endpoint());
            let sent = sent.header("x-amz-target", "DynamoDB_20120810.PutItem").body(put).send();
            assert_eq!(sent.await.expect("the emulator").status(), 200);
        }
    }

    async fn configure(&self, mark: &str) {
        let triggers = json!({ "triggers": { format!("x{mark}"): true } });
        for (name, config) in [
            ("email", json!({ "emailServiceConfig": { "fromCompany": format!("Acme{mark}") } })),
            ("notifications", json!({ "notificationServiceConfig": triggers })),
            ("activities", json!({ "activityServiceConfig": triggers })),
            ("webhooks", json!({ "webhookServiceConfig": { "authToken": format!("t{mark}") } })),
            ("advanced_webhooks", json!({ "isEnabled": true, "publicKey": format!("k{mark}") })),
        ] {
            self.call(&format!("configuration.{name}_update"), config).await.ok();
        }
        // Nothing that happens in this world goes there: no test waits for the network.
        let endpoint = json!({
            "url": "https://hooks.example.com", "filterTypes": ["huddle.create"], "description": format!("Customers{mark}"), "uid": "crm",
        });
        self.call("webhook-endpoints.create", endpoint).await.ok();
    }

    /// The webhook endpoint that the tenant has, if any.
    fn sample_endpoint(&self) -> Option<String> {
        let items = self.items_of(Table::Resources, &self.key);
        items.iter().find_map(|item| {
            item["SK"]["S"].as_str()?.strip_prefix("webhook#endpoint#").map(str::to_owned)
        })
    }

    async fn fill_notifications(&self, mark: &str) {
        let person = |id: &str| json!({ "userId": id, "name": format!("{id}{mark}") });
        for (id, all) in [("review-1", false), ("release-1", true)] {
            let notification = json!({
                "organizationId": "acme", "documentId": "welcome", "notificationId": id,
                "actionUser": person("ada"), "notifyUsers": [person("bob")], "notifyAll": all,
                "displayHeadlineMessageTemplate": format!("News{mark}"),
                "displayBodyMessage": format!("Please read them.{mark}"),
            });
            self.call("notifications.add", notification).await.ok();
        }
        for documents in [json!(["welcome"]), json!(null)] {
            let preference = json!({
                "organizationId": "acme", "documentIds": documents, "userIds": ["ada"],
                "config": { "inbox": "MINE" },
            });
            self.call("notifications.config_set", preference).await.ok();
        }
        let seen = json!({
            "organizationId": "acme", "documentId": "welcome", "annotationId": "thread-1",
            "userId": "ada",
        });
        self.call("notifications.seen", seen).await.ok();
    }

    /// A thread of two comments, with a reaction to the first.
    async fn fill_thread(&self, mark: &str) {
        let user = |id: &str| json!({ "userId": id, "name": format!("{id}{mark}") });
        let comments = json!([
            { "commentId": 111_111, "from": user("ada"), "commentText": format!("Right?{mark}") },
            { "commentId": 222_222, "from": user("bob"), "commentText": format!("Yes.{mark}") },
        ]);
        let threads = json!({ "organizationId": "acme", "documentId": "welcome", "commentAnnotations": [
            { "annotationId": "intro", "commentData": comments },
        ] });
        self.call("comments.annotations_add", threads).await.ok();
        let reaction = json!({
            "organizationId": "acme", "documentId": "welcome", "annotationId": "intro",
            "commentId": 111_111, "icon": "HEART_FACE", "from": user("ada"),
        });
        self.call("comments.reactions_add", reaction).await.ok();
    }

    /// The body of a function's sample, for this deployment.
    pub fn sample_body(&self, binary: &str, second: &Credentials) -> String {
        let text = sample(binary)
            .replace("{{apiKey}}", &self.key.api_key)
            .replace("{{authToken}}", &self.key.auth_token)
            .replace("{{secondApiKey}}", &second.api_key)
            .replace("{{agentId}}", &self.sample_agent.lock().expect("no panic"))
            .replace("{{jobId}}", &self.sample_job.lock().expect("no panic"))
            .replace("{{messageId}}", &self.sample_message.lock().expect("no panic"))
            .replace("{{workspaceId}}", &self.workspace.id)
            .replace("{{workspaceToken}}", &self.workspace.token)
            .replace("{{endpointId}}", &self.sample_endpoint().unwrap_or_default());
        let event: Value = serde_json::from_str(&text).expect("a sample is JSON");
        event["body"].as_str().unwrap_or_default().to_owned()
    }
}
