//! Names of a compatible vendor (decision 138), with made-up names.

use serde_json::{Value, json};

use crate::app::{App, Options, receiver::Receiver};

async fn start() -> App {
    let names = json!({
        "headerPrefix": "x-acme-",
        "values": {
            "emailProvider": "acmemail", "chatPreference": "teamchat", "agentSource": "acme",
            "managedBy": "acme",
        },
        "deniedKey": "__acme_denied:",
        "regions": { "europe-west1": "eu-west-1" },
    });
    App::start_with(Options { names: Some(names), ..Options::default() }).await
}

async fn send(app: &App, path: &str, data: Value, headers: &[(&str, &str)]) -> crate::app::Reply {
    app.send(path, json!({ "data": data }).to_string(), headers).await
}

#[tokio::test]
async fn credentials_are_accepted_under_the_prefix_and_under_ours() {
    let app = start().await;
    let (key, token) = (app.key.api_key.as_str(), app.key.auth_token.as_str());
    let path = "/v2/organizations/get";
    for headers in [
        [("x-acme-api-key", key), ("x-acme-auth-token", token)],
        [("x-service-api-key", key), ("x-service-auth-token", token)],
        [("x-acme-api-key", key), ("x-service-auth-token", token)],
    ] {
        send(&app, path, json!({}), &headers).await.ok();
    }
    let both = [
        ("x-acme-api-key", key),
        ("x-acme-auth-token", token),
        ("x-service-api-key", key),
        ("x-service-auth-token", token),
    ];
    send(&app, path, json!({}), &both).await.ok();
    let differing =
        [("x-acme-api-key", key), ("x-acme-auth-token", token), ("x-service-api-key", "k")];
    send(&app, path, json!({}), &differing).await.error("PERMISSION_DENIED");
    let wrong = [("x-acme-api-key", key), ("x-acme-auth-token", "no")];
    let error = send(&app, path, json!({}), &wrong).await.error("PERMISSION_DENIED");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("x-acme-api-key") && !message.contains("x-service-"), "{message}");
}

#[tokio::test]
async fn beside_the_id_of_a_workspace_the_auth_token_is_that_of_the_workspace() {
    let app = start().await;
    let (id, token) = (app.workspace.id.as_str(), app.workspace.token.as_str());
    let path = "/v2/workspace/authtokens/get";
    let sent = json!({ "apiKey": app.key.api_key });
    for name in ["x-acme-auth-token", "x-acme-workspace-auth-token"] {
        let headers = [("x-acme-workspace-id", id), (name, token)];
        send(&app, path, sent.clone(), &headers).await.ok();
    }
    let headers = [("x-service-workspace-id", id), ("x-service-auth-token", token)];
    send(&app, path, sent, &headers).await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn a_page_may_send_the_headers_of_both_families() {
    let app = start().await;
    let asked = reqwest::Client::new()
        .request(reqwest::Method::OPTIONS, format!("{}/v2/livestate/get", app.base))
        .header("origin", "https://app.example.com")
        .header("access-control-request-method", "POST");
    let answer = asked.send().await.unwrap();
    let allowed = answer.headers()["access-control-allow-headers"].to_str().unwrap().to_owned();
    for name in ["x-acme-api-key", "x-acme-auth-token", "x-service-api-key"] {
        assert!(allowed.contains(name), "{allowed}");
    }
}

#[tokio::test]
async fn the_provider_of_mails_is_read_and_written_by_its_name() {
    let app = start().await;
    for sent in ["acmemail", "thirdparty"] {
        let config = json!({
            "type": sent, "apiKey": "k", "fromEmail": "a@example.com", "fromCompany": "Acme",
        });
        let sent = json!({ "emailServiceConfig": config });
        let saved = app.call("configuration.email_update", sent).await.data();
        assert_eq!(saved["emailServiceConfig"]["type"], "acmemail");
        let shown = app.call("configuration.email_get", json!({})).await.data();
        assert_eq!(shown["emailServiceConfig"]["type"], "acmemail");
        assert_eq!(shown["emailServiceConfig"]["fromCompany"], "Acme");
    }
    let key = json!({
        "ownerEmail": "you@example.com", "type": "testing",
        "emailServiceConfig": { "type": "acmemail" },
    });
    app.call("workspace.api_key_create", key).await.ok();
}

#[tokio::test]
async fn regions_of_the_vendor_are_accepted_for_keys() {
    let app = start().await;
    let key = |region: &str| {
        let owner = "you@example.com";
        json!({ "ownerEmail": owner, "type": "production", "persistenceDBRegion": region })
    };
    for region in ["europe-west1", "eu-west-1"] {
        app.call("workspace.api_key_create", key(region)).await.ok();
    }
    app.call("workspace.api_key_create", key("europe-west9")).await.error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn the_preference_of_the_chat_is_read_and_written_by_its_name() {
    let app = start().await;
    let document = json!({
        "organizationId": "o", "createOrganization": true, "documents": [{ "documentId": "d" }],
    });
    app.call("documents.add", document).await.ok();
    let user = json!({ "organizationId": "o", "users": [{ "userId": "ada", "name": "Ada" }] });
    app.call("users.add", user).await.ok();
    for name in ["teamchat", "chat"] {
        let sent = json!({
            "organizationId": "o", "documentIds": ["d"], "userIds": ["ada"],
            "config": { name: "NONE", "inbox": "ALL" },
        });
        let reply = app.call("notifications.config_set", sent).await;
        assert_eq!(reply.header("x-ignored-members"), None);
        let asked = json!({ "organizationId": "o", "documentIds": ["d"], "userId": "ada" });
        let shown = app.call("notifications.config_get", asked).await.data();
        assert_eq!(shown[0]["config"]["teamchat"], "NONE", "{shown}");
        assert_eq!(shown[0]["config"].get("chat"), None);
    }
}

#[tokio::test]
async fn the_source_of_agents_has_its_name_in_threads_filters_and_webhooks() {
    let app = start().await;
    let receiver = Receiver::start(&app).await;
    let on = json!({ "isEnabled": true });
    app.call("configuration.advanced_webhooks_update", on).await.ok();
    app.call("webhook-endpoints.create", json!({ "url": receiver.url })).await.ok();
    for (id, source) in [("a", "acme"), ("b", "service")] {
        let reason = json!({ "title": "t", "description": "d", "severity": "low" });
        let agent = json!({ "agentSource": source, "agentId": "lighthouse", "reason": reason });
        let comment = json!({
            "from": { "userId": "ada" }, "commentText": "x", "agent": agent,
            "context": { "agent": { "agentSource": "service" } },
        });
        let sent = json!({
            "organizationId": "o", "documentId": "d", "createOrganization": true,
            "createDocument": true,
            "commentAnnotations": [{ "annotationId": id, "commentData": [comment] }],
        });
        let added = app.call("comments.annotations_add", sent).await.data();
        assert_eq!(added[id]["success"], true, "{added}");
    }
    for source in ["acme", "service"] {
        let filter = json!({ "organizationId": "o", "documentId": "d", "agentSource": source });
        let listed = app.call("comments.annotations_get", filter).await.data();
        assert_eq!(listed.as_array().unwrap().len(), 2);
        for thread in listed.as_array().unwrap() {
            assert_eq!(thread["agent"]["agentSource"], "acme");
            let comment = &thread["comments"][0];
            assert_eq!(comment["agent"]["agentSource"], "acme");
            assert_eq!(comment["context"]["agent"]["agentSource"], "service", "free JSON stays");
        }
    }
    app.settle().await;
    let received = receiver.take();
    assert_eq!(received.len(), 2);
    for message in received {
        let thread = &message.json()["data"]["commentAnnotation"];
        assert_eq!(thread["agent"]["agentSource"], "acme");
    }
    let list = app.call("agents.get", json!({})).await.data();
    let built_in = list["agents"].as_array().unwrap().iter().find(|it| it["id"] == "lighthouse");
    assert_eq!(built_in.unwrap()["managedBy"], "acme");
}

#[tokio::test]
async fn denied_threads_have_the_key_of_the_vendor() {
    let app = start().await;
    let documents = json!({
        "organizationId": "o", "createOrganization": true, "documents": [{ "documentId": "d" }],
    });
    app.call("documents.add", documents).await.ok();
    let access = json!({ "organizationId": "o", "documentIds": ["d"], "accessType": "restricted" });
    app.call("documents.access_update", access).await.ok();
    let comment = json!({ "from": { "userId": "nobody" }, "commentText": "x" });
    let sent = json!({
        "organizationId": "o", "documentId": "d", "verifyUserPermissions": true,
        "commentAnnotations": [{ "commentData": [comment] }],
    });
    let entries = app.call("comments.annotations_add", sent).await.data();
    assert_eq!(entries["__acme_denied:0"]["success"], false, "{entries}");
}

#[tokio::test]
async fn stored_data_stays_neutral() {
    let app = start().await;
    let sent = json!({
        "organizationId": "o", "documentIds": ["d"], "userIds": ["ada"],
        "config": { "teamchat": "NONE" },
    });
    app.call("notifications.config_set", sent).await.ok();
    let stored = app.items_of(service::Table::Resources, &app.key);
    assert!(!json!(stored).to_string().contains("teamchat"));
}

#[tokio::test]
async fn without_the_setting_the_names_are_unknown() {
    let app = App::start().await;
    let headers = [
        ("x-acme-api-key", app.key.api_key.as_str()),
        ("x-acme-auth-token", app.key.auth_token.as_str()),
    ];
    send(&app, "/v2/organizations/get", json!({}), &headers).await.error("PERMISSION_DENIED");
    let sent = json!({ "emailServiceConfig": { "type": "acmemail" } });
    app.call("configuration.email_update", sent).await.error("INVALID_ARGUMENT");
}
