use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::{at, member, token, with_document};
use crate::app::{App, specs};

/// The part of an operation's sample that an end user may send.
fn confined(sample: &str, members: &[String]) -> Value {
    fn keep(value: &mut Value, members: &[String], head: &str) {
        match value {
            Value::Object(object) => {
                let is_allowed = |path: &str| members.iter().any(|it| it == path);
                let leads_on =
                    |path: &str| members.iter().any(|it| it.starts_with(&format!("{path}.")));
                object.retain(|name, value| {
                    let path = format!("{head}{name}");
                    if is_allowed(&path) {
                        return true;
                    }
                    if leads_on(&path) {
                        keep(value, members, &format!("{path}."));
                        return true;
                    }
                    false
                });
            }
            Value::Array(elements) => {
                elements.iter_mut().for_each(|element| keep(element, members, head));
            }
            _ => {}
        }
    }
    let body: Value = serde_json::from_str(sample).unwrap();
    let mut data = body.get("data").cloned().unwrap_or(body);
    keep(&mut data, members, "");
    data
}

/// Operations about others in the organization, which its members alone may call.
const OF_FELLOWS: [&str; 2] = ["user-groups.get", "users.get"];

/// Every operation with an end user's token: it refuses the token, or its sample succeeds with the
/// rights and fails without.
#[tokio::test]
async fn every_operation_accepts_or_refuses_end_users_as_it_declares() {
    for spec in specs().values() {
        let (app, second) = App::sample_world().await;
        app.call("workspace.api_key_config_update", json!({ "enableThreadEditing": true }))
            .await
            .ok();
        let resources = json!([
            { "type": "organization", "id": "acme" },
            { "type": "document", "id": "welcome", "organizationId": "acme" },
            { "type": "document", "id": "roadmap", "organizationId": "acme" },
        ]);
        let ada = token(&app, "ada", resources).await;
        let body = app.sample_body(&spec.binary(), &second);
        if !spec.end_users.may_call() {
            let bearer = format!("Bearer {ada}");
            let headers = [("authorization", bearer.as_str())];
            let reply = app.send(spec.paths[0], body, &headers).await;
            reply.error("PERMISSION_DENIED");
            continue;
        }
        let mut data = confined(&body, &spec.end_users.paths());
        for name in ["documentIds", "documentId"] {
            if spec.end_users.one_of().any(|it| it == name) && data.get("documentId").is_none() {
                data["documentIds"] = json!(["welcome"]);
            }
        }
        let names_documents = ["documentId", "documentIds"].iter().any(|it| data.get(it).is_some());
        for id in ["welcome", "roadmap"] {
            let access = json!({
                "organizationId": "acme", "documentIds": [id], "accessType": "restricted",
            });
            app.call("documents.access_update", access).await.ok();
        }
        app.settle().await;
        let eve = token(&app, "eve", json!([])).await;
        let refused = app.caller().end_user(&eve).call(spec.name, data.clone()).await;
        let is_of_fellows = OF_FELLOWS.contains(&spec.name);
        match names_documents {
            true => drop(refused.error("NOT_FOUND")),
            false if is_of_fellows => drop(refused.error("PERMISSION_DENIED")),
            false => drop(refused.ok()),
        }
        let (everybody, editors) = ("end users", "end users who are editors");
        let callers = spec.end_users.callers();
        for (user, role, may) in
            [("vera", "viewer", callers == everybody), ("carl", "commenter", callers != editors)]
        {
            let rights = ["welcome", "roadmap"].map(|id| {
                json!({ "type": "document", "id": id, "organizationId": "acme", "accessRole": role })
            });
            let user = token(&app, user, json!(rights)).await;
            let reply = app.caller().end_user(&user).call(spec.name, data.clone()).await;
            match (may && !is_of_fellows, callers == everybody) {
                (true, true) => drop(reply.ok()),
                // The data that the call would change may belong to another user.
                (true, false) => assert_ne!(reply.status(), 403, "{}: {}", spec.name, reply.text()),
                (false, _) => drop(reply.error("PERMISSION_DENIED")),
            }
        }
        let reply = app.caller().end_user(&ada).call(spec.name, data).await;
        assert_eq!(reply.status(), 200, "{}: {}", spec.name, reply.text());
        assert_eq!(reply.header("x-ignored-members"), None, "{}", spec.name);
        assert!(!reply.text().contains(&app.key.api_key), "{} tells the API key", spec.name);
    }
}

#[tokio::test]
async fn a_token_is_refused_when_it_is_altered_or_48_hours_old() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let read = at(json!({}));
    app.caller().end_user(&ada).call("live-state.get", read.clone()).await.ok();
    for wrong in ["", "x", &ada[..ada.len() - 2], app.key.auth_token.as_str()] {
        let reply = app.caller().end_user(wrong).call("live-state.get", read.clone()).await;
        reply.error("PERMISSION_DENIED");
    }
    app.advance(Duration::from_secs(48 * 60 * 60));
    let reply = app.caller().end_user(&ada).call("live-state.get", read).await;
    let message = reply.error("PERMISSION_DENIED")["message"].to_string();
    assert!(message.contains("expired"), "{message}");
}

#[tokio::test]
async fn pages_need_an_origin_that_the_key_admits_and_a_token_of_a_user_if_it_says_so() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let domains = json!({ "domains": ["app.example.com"] });
    app.call("workspace.domains_add", domains).await.ok();
    let from = |origin: &str| app.caller().header("origin", origin);
    let read = at(json!({}));
    let (good, bad) = ("https://app.example.com", "https://evil.example.com");
    from(good).end_user(&ada).call("live-state.get", read.clone()).await.ok();
    from(bad).end_user(&ada).call("live-state.get", read.clone()).await.error("PERMISSION_DENIED");
    from(good).call("live-state.get", read.clone()).await.ok();
    let setting = json!({ "requireJwtToken": true });
    app.call("workspace.api_key_config_update", setting).await.ok();
    from(good).call("live-state.get", read.clone()).await.error("PERMISSION_DENIED");
    from(good).end_user(&ada).call("live-state.get", read.clone()).await.ok();
    app.call("live-state.get", read).await.ok();
}

#[tokio::test]
async fn cors_allows_calls_of_end_users_from_any_origin() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let url = format!("{}/v2/livestate/get", app.base);
    let asked = reqwest::Client::new()
        .request(Method::OPTIONS, &url)
        .header("origin", "https://app.example.com")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type");
    let answer = asked.send().await.unwrap();
    assert_eq!(answer.status(), 204);
    let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("access-control-allow-origin"), "*");
    assert!(header("access-control-allow-methods").contains("POST"));
    assert!(header("access-control-allow-headers").contains("authorization"));
    let caller = app.caller().end_user(&ada).header("origin", "https://app.example.com");
    let reply = caller.call("live-state.get", at(json!({}))).await;
    assert_eq!(reply.header("access-control-allow-origin").as_deref(), Some("*"));
    assert!(reply.header("access-control-expose-headers").unwrap().contains("x-request-id"));
}
