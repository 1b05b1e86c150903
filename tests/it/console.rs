//! The console of the local stack.

use std::time::Duration;

use embedded::EmbeddedServices;
use roundtable::{ControlRequest, queue_name};
use serde_json::{Value, json};
use service::{MAX_RECEIVES, Queue};
use tests::{ADMIN_TOKEN, Credentials};

use crate::{
    app::App,
    end_users::{member, with_document},
};

async fn get(app: &App, path: &str, token: &str, host: &str) -> (u16, Value) {
    let request = reqwest::Client::new().get(format!("{}{path}", app.base));
    let request = request.header("x-service-admin-token", token).header("host", host);
    let reply = request.send().await.unwrap();
    let status = reply.status().as_u16();
    (status, serde_json::from_slice(&reply.bytes().await.unwrap()).unwrap_or_default())
}

async fn listed(app: &App, path: &str) -> Value {
    let (status, found) = get(app, path, ADMIN_TOKEN, "localhost").await;
    assert_eq!(status, 200, "{found}");
    found
}

async fn post(app: &App, path: &str, token: &str, body: Value) -> reqwest::Response {
    let request = reqwest::Client::new().post(format!("{}/console/api/{path}", app.base));
    let request = request.header("x-service-admin-token", token);
    let request = request.header("content-type", "application/json").body(body.to_string());
    request.send().await.unwrap()
}

async fn call(app: &App, api_key: &str, path: &str, data: Value) -> reqwest::Response {
    let body = json!({ "apiKey": api_key, "path": path, "data": data });
    post(app, "call", ADMIN_TOKEN, body).await
}

#[tokio::test]
async fn the_routes_need_the_token_of_the_operator_and_a_local_host() {
    let app = App::start().await;
    for path in [
        "server",
        "keys",
        "connections",
        "calls",
        "inbox",
        "mails",
        "queues",
        "dead-letters?queue=deliveries",
    ] {
        let path = format!("/console/api/{path}");
        for (token, host) in
            [("wrong", "localhost"), ("", "localhost"), (ADMIN_TOKEN, "evil.example")]
        {
            assert_eq!(get(&app, &path, token, host).await.0, 403, "{path} {token} {host}");
        }
        assert_eq!(get(&app, &path, ADMIN_TOKEN, "127.0.0.1:3000").await.0, 200, "{path}");
    }
    let body = json!({ "apiKey": app.key.api_key });
    assert_eq!(post(&app, "credentials", "wrong", body).await.status(), 403);
    let (status, _) = get(&app, "/", "", "localhost").await;
    assert_eq!(status, 200, "the page itself says nothing");
}

#[tokio::test]
async fn the_console_makes_calls_in_the_name_of_a_key_and_lists_them() {
    let app = App::start().await;
    let keys = listed(&app, "/console/api/keys").await;
    assert_eq!(keys["keys"][0]["apiKey"], app.key.api_key);
    let added = json!({ "organizations": [{ "organizationId": "acme" }] });
    let reply = call(&app, &app.key.api_key, "/v2/organizations/add", added).await;
    assert_eq!(reply.status(), 200);
    let id = reply.headers()["x-request-id"].to_str().unwrap().to_owned();
    let calls = listed(&app, "/console/api/calls").await;
    let last = calls["items"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["requestId"], &last["status"]), (&json!(id), &json!(200)));
    assert_eq!(last["operation"], "organizations.add");
    assert!(last["units"].as_str().unwrap().starts_with("read="), "{last}");
    assert!(!calls.to_string().contains(&app.key.auth_token), "no token is shown");
    let next = calls["next"].as_u64().unwrap();
    let later = listed(&app, &format!("/console/api/calls?after={next}")).await;
    assert_eq!(later["items"], json!([]));
    assert_eq!(call(&app, "nobody", "/v2/organizations/get", json!({})).await.status(), 404);
}

#[tokio::test]
async fn the_first_screen_says_what_runs() {
    let app = App::start().await;
    let server = listed(&app, "/console/api/server").await;
    assert_eq!(server["connections"], 0, "{server}");
    assert!(server["version"].is_string() && server["dataFolder"].is_null(), "{server}");
    let page = reqwest::get(&app.base).await.unwrap().text().await.unwrap();
    for part in page.split('"').filter(|part| part.starts_with('/')) {
        assert_eq!(get(&app, part, "", "localhost").await.0, 200, "{part}");
    }
}

#[tokio::test]
async fn the_token_of_a_key_is_shown_to_who_asks_for_it() {
    let app = App::start().await;
    let credentials = async |api_key: &str| {
        post(&app, "credentials", ADMIN_TOKEN, json!({ "apiKey": api_key })).await
    };
    let found: Value =
        serde_json::from_str(&credentials(&app.key.api_key).await.text().await.unwrap()).unwrap();
    assert_eq!(found["authToken"], app.key.auth_token);
    assert_eq!(credentials("nobody").await.status(), 404);
}

#[tokio::test]
async fn calls_of_the_console_itself_are_not_listed() {
    let app = App::start().await;
    let next = listed(&app, "/console/api/calls").await["next"].clone();
    let body = json!({
        "apiKey": app.key.api_key, "path": "/v2/organizations/get", "data": {}, "isOwn": true,
    });
    assert_eq!(post(&app, "call", ADMIN_TOKEN, body).await.status(), 200);
    assert_eq!(listed(&app, "/console/api/calls").await["next"], next);
}

#[tokio::test]
async fn open_connections_are_listed_with_their_users() {
    let app = with_document().await;
    let ada = member(&app, "ada", "viewer").await;
    let connected = app.connect(&format!("protocol=events&token={ada}")).await;
    let found = listed(&app, "/console/api/connections").await;
    let open = found["connections"].as_array().unwrap();
    assert_eq!(open.len(), 1, "{found}");
    assert_eq!((&open[0]["userId"], &open[0]["protocol"]), (&json!("ada"), &json!("events")));
    assert_eq!(open[0]["apiKey"], app.key.api_key);
    assert!(!found.to_string().contains(&ada), "no token is shown");
    assert_eq!(listed(&app, "/console/api/server").await["connections"], 1);
    drop(connected);
}

#[tokio::test]
async fn the_inbox_receives_webhooks_and_answers_with_the_status_in_its_url() {
    let app = App::start().await;
    app.call("configuration.advanced_webhooks_update", json!({ "isEnabled": true })).await.ok();
    let url = format!("{}/inbox/test?status=503&times=1", app.base);
    app.call("webhook-endpoints.create", json!({ "url": url })).await.ok();
    let documents = json!({
        "organizationId": "acme", "createOrganization": true, "documents": [{ "documentId": "d" }],
    });
    app.call("documents.add", documents).await.ok();
    let thread = json!({ "organizationId": "acme", "documentId": "d", "commentAnnotations": [
        { "commentData": [{ "from": { "userId": "ada" }, "commentText": "x" }] },
    ] });
    app.call("comments.annotations_add", thread).await.ok();
    for _ in 0..2 {
        app.settle().await;
        app.advance(Duration::from_secs(10));
        app.tick().await;
    }
    app.settle().await;
    let inbox = listed(&app, "/console/api/inbox").await;
    let items = inbox["items"].as_array().unwrap();
    assert!(!items.is_empty());
    for id in items.iter().map(|it| &it["id"]) {
        let of = items.iter().filter(|it| it["id"] == *id);
        let seen: Vec<(u64, u64)> = of
            .map(|it| (it["attempt"].as_u64().unwrap(), it["status"].as_u64().unwrap()))
            .collect();
        assert_eq!(seen, [(1, 503), (2, 200)], "{inbox}");
    }
}

#[tokio::test]
async fn the_inbox_refuses_requests_from_web_pages_and_for_other_hosts() {
    let app = App::start().await;
    let url = format!("{}/inbox/test", app.base);
    let client = reqwest::Client::new();
    for (name, value) in [("origin", "https://evil.example"), ("host", "evil.example")] {
        let sent = client.post(&url).header(name, value).body("{}").send().await.unwrap();
        assert_eq!(sent.status(), 403, "{name}");
    }
    assert_eq!(listed(&app, "/console/api/inbox").await["items"], json!([]));
    assert_eq!(client.post(&url).body("{}").send().await.unwrap().status(), 200);
    assert_eq!(listed(&app, "/console/api/inbox").await["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn dead_letters_have_reasons_and_are_redriven() {
    let app = App::start().await;
    app.expect_dead_letters();
    let (queue, dead) = (queue_name(Queue::Cleanup), "dead-letters?queue=cleanup");
    let url = format!("http://localhost{}", EmbeddedServices::queue_path(&queue));
    let message = json!({ "QueueUrl": url, "MessageBody": "no message of ours" });
    app.embedded().sqs("SendMessage", message).await.unwrap();
    let give_up = async || {
        for _ in 0..MAX_RECEIVES {
            let _ = app.try_settle().await;
            app.advance(Duration::from_secs(7 * 60));
        }
    };
    give_up().await;
    let letters = listed(&app, &format!("/console/api/{dead}")).await;
    assert_eq!(letters["items"].as_array().unwrap().len(), 1, "{letters}");
    let letter = &letters["items"][0];
    assert_eq!(
        (&letter["worker"], &letter["body"]),
        (&json!("cleanup.sweep"), &json!("no message of ours"))
    );
    assert!(!letter["reason"].as_str().unwrap().is_empty());
    let redrive =
        async |queue: &str| post(&app, "redrive", ADMIN_TOKEN, json!({ "queue": queue })).await;
    assert_eq!(redrive("nothing").await.status(), 404);
    assert_eq!(redrive("cleanup").await.status(), 200);
    // The message is tried again, and fails again.
    give_up().await;
    let again = listed(&app, &format!("/console/api/{dead}")).await;
    assert_eq!(again["items"].as_array().unwrap().len(), 1);
    assert_ne!(again["items"][0]["id"], letter["id"]);

    // The commands of a server do the same.
    let name =
        format!("roundtable-{}-{}", std::process::id(), app.base.rsplit(':').next().unwrap());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir(&folder).unwrap();
    roundtable::listen(app.embedded().clone(), folder.clone()).unwrap();
    let order = async |order: ControlRequest| {
        let folder = folder.clone();
        tokio::task::spawn_blocking(move || roundtable::order(&folder, &order)).await.unwrap()
    };
    let depths = order(ControlRequest::Queues).await.unwrap();
    let of_cleanup = depths.lines().find(|line| line.starts_with("cleanup "));
    let words: Vec<&str> = of_cleanup.unwrap().split_whitespace().collect();
    assert_eq!(words, ["cleanup", "0", "1"], "{depths}");
    let shown = order(ControlRequest::DeadLetters("cleanup".to_owned())).await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), again["items"][0]);
    let unknown = order(ControlRequest::Redrive("nothing".to_owned())).await.unwrap_err();
    assert!(
        unknown.contains("there is no queue nothing; there are ") && unknown.contains("cleanup")
    );
    let moved = order(ControlRequest::Redrive("cleanup".to_owned())).await.unwrap();
    assert!(moved.starts_with("1 dead letter"), "{moved}");
    assert_eq!(order(ControlRequest::DeadLetters("cleanup".to_owned())).await.unwrap(), "");
    give_up().await;
    assert_eq!(
        order(ControlRequest::DeadLetters("cleanup".to_owned())).await.unwrap().lines().count(),
        1
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

async fn session(app: &App, body: Value) -> (u16, Value) {
    let request = reqwest::Client::new().post(format!("{}/dev/session", app.base));
    let reply = request.body(body.to_string()).send().await.unwrap();
    let status = reply.status().as_u16();
    (status, serde_json::from_slice(&reply.bytes().await.unwrap()).unwrap_or_default())
}

#[tokio::test]
async fn sessions_are_not_begun_by_pages_of_others() {
    let app = App::start().await;
    for (path, body) in [("demo", "ada"), ("dev", r#"{"userId":"ada"}"#)] {
        let session = |name: &'static str, value: &str| {
            let request = reqwest::Client::new().post(format!("{}/{path}/session", app.base));
            request.body(body).header(name, value).send()
        };
        for foreign in ["https://evil.example", "http://localhost:1", "null"] {
            assert_eq!(session("origin", foreign).await.unwrap().status(), 403, "{path} {foreign}");
        }
        for name in ["evil.example", "evil.example:3000", "localhost.evil.example"] {
            assert_eq!(session("host", name).await.unwrap().status(), 403, "{path} {name}");
        }
        for (name, value) in [("accept", "*/*"), ("origin", app.base.as_str())] {
            assert_eq!(session(name, value).await.unwrap().status(), 200, "{path} {name}");
        }
    }
}

#[tokio::test]
async fn a_session_of_development_makes_what_it_needs_and_keeps_who_is_known() {
    let app = App::start().await;
    let asked = json!({
        "userId": "ada", "name": "Ada", "email": "ada@example.com", "color": "#2a55d6",
        "organizationId": "acme", "documentId": "launch", "documentName": "Launch plan",
    });
    let (status, made) = session(&app, asked.clone()).await;
    assert_eq!(status, 200, "{made}");
    assert_eq!((&made["organizationId"], &made["documentId"]), (&json!("acme"), &json!("launch")));
    let known = json!({
        "userId": "ada", "name": "Ada", "email": "ada@example.com", "color": "#2a55d6",
    });
    assert_eq!(made["me"], known);
    // Another one knows who she is, also when it is asked for by her id alone.
    let again = json!({ "userId": "ada", "organizationId": "acme", "documentId": "launch" });
    let (_, again) = session(&app, again).await;
    assert_eq!(again["me"], known);
    let bob = json!({ "userId": "bob", "organizationId": "acme", "documentId": "launch" });
    let (_, bob) = session(&app, bob).await;
    assert_eq!(bob["me"]["name"], "bob");

    let thread = json!({ "organizationId": "acme", "documentId": "launch", "commentAnnotations": [{
        "annotationId": "t", "commentData": [{ "commentText": "x" }],
    }] });
    let ada = app.caller().end_user(again["token"].as_str().unwrap());
    assert_eq!(ada.call("comments.annotations_add", thread).await.data()["t"]["success"], true);
    let bob = app.caller().end_user(bob["token"].as_str().unwrap());
    let place = json!({ "organizationId": "acme", "documentIds": ["launch"] });
    let seen = bob.call("comments.annotations_get", place.clone()).await.data();
    assert_eq!(seen[0]["from"]["name"], "Ada");

    // Sessions are of the tenant whose key an app gets, which is always the same one.
    let key = app.stack().development_key().await.unwrap().expect("a laptop");
    let same = app.stack().development_key().await.unwrap().expect("a laptop");
    assert_eq!((&key.api_key, &key.auth_token), (&same.api_key, &same.auth_token));
    let tenant = Credentials { api_key: key.api_key, auth_token: key.auth_token };
    let found = app.call_as(&tenant, "documents.get", place).await.data();
    assert_eq!(found[0]["documentName"], "Launch plan");
    let config = app.call_as(&tenant, "configuration.notifications_get", json!({})).await.data();
    assert_eq!(config["useNotificationService"], true);
    let (_, unnamed) = session(&app, json!({ "userId": "eve" })).await;
    assert_eq!(
        (&unnamed["organizationId"], &unnamed["documentId"]),
        (&json!("dev"), &json!("dev"))
    );
}

#[tokio::test]
async fn a_session_of_development_that_cannot_be_says_why() {
    let app = App::start().await;
    for (body, why) in [
        (json!({}), "userId"),
        (json!("ada"), "JSON object"),
        (json!({ "userId": "ada", "role": "admin" }), "role"),
        (json!({ "userId": "ada", "email": "nobody" }), "email"),
        (json!({ "userId": "" }), "userId"),
    ] {
        let (status, reply) = session(&app, body.clone()).await;
        assert_eq!(status, 400, "{body} {reply}");
        assert!(reply["message"].as_str().unwrap().contains(why), "{body} {reply}");
    }
}
