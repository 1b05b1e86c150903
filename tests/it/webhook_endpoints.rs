//! Endpoints of advanced webhooks (contract `webhook-endpoints`).

mod create;
mod delete;
mod get;
mod secret_get;
mod secret_rotate;
mod update;

use serde_json::{Value, json};

pub(crate) use crate::workspace::field;

use crate::app::{App, Credentials, Reply};

/// All operations, with valid bodies.
const OPERATIONS: [&str; 6] = ["create", "get", "update", "delete", "secret_get", "secret_rotate"];

/// A deployment with advanced webhooks.
async fn enabled() -> App {
    let app = App::start().await;
    enable(&app, &app.key, true).await;
    app
}

async fn enable(app: &App, key: &Credentials, on: bool) {
    let sent = json!({ "isEnabled": on });
    app.call_as(key, "configuration.advanced_webhooks_update", sent).await.ok();
}

async fn call(app: &App, operation: &str, sent: Value) -> Reply {
    app.call(&format!("webhook-endpoints.{operation}"), sent).await
}

/// Creates an endpoint; returns the reply.
async fn create(app: &App, members: Value) -> Value {
    let mut sent = json!({ "url": "https://hooks.example.com" });
    sent.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    call(app, "create", sent).await.data()
}

fn id(endpoint: &Value) -> String {
    endpoint["id"].as_str().unwrap().to_owned()
}

async fn secret(app: &App, id: &str) -> String {
    let data = call(app, "secret_get", json!({ "endpointId": id })).await.data();
    data["secret"].as_str().unwrap().to_owned()
}

/// Asserts that a body is refused at a field.
async fn refused(app: &App, operation: &str, sent: Value, path: &str) {
    let error = call(app, operation, sent.clone()).await.error("INVALID_ARGUMENT");
    assert_eq!(field(&error), format!("data.{path}"), "{error}");
}

/// The body of an operation on an endpoint that may not exist.
fn body(operation: &str, id: &str) -> Value {
    match operation {
        "create" => json!({ "url": "https://hooks.example.com" }),
        "get" => json!({}),
        "update" => json!({ "endpointId": id, "disabled": true }),
        _ => json!({ "endpointId": id }),
    }
}

/// Contract `webhook-endpoints.get`, contract `webhook-endpoints.update`, contract `webhook-endpoints.delete`.
#[tokio::test]
async fn webhooks_never_configured_and_webhooks_disabled_have_different_errors() {
    let app = App::start().await;
    let messages = async |id: &str| {
        let mut messages = Vec::new();
        for operation in OPERATIONS {
            let error =
                call(&app, operation, body(operation, id)).await.error("FAILED_PRECONDITION");
            messages.push(error["message"].as_str().unwrap().to_owned());
        }
        messages.dedup();
        assert_eq!(messages.len(), 1, "{messages:?}");
        messages.remove(0)
    };
    let never = messages("ep_x").await;
    assert!(never.contains("not configured"), "{never}");
    enable(&app, &app.key, true).await;
    let id = id(&create(&app, json!({})).await);
    let newer = create(&app, json!({})).await;
    let page = call(&app, "get", json!({ "limit": 1 })).await.data();
    enable(&app, &app.key, false).await;
    for id in [id.as_str(), "ep_x"] {
        let disabled = messages(id).await;
        assert!(disabled.contains("disabled"), "{disabled}");
    }
    let next = json!({ "limit": 1, "iterator": page["iterator"] });
    call(&app, "get", next.clone()).await.error("FAILED_PRECONDITION");
    // The endpoints are back.
    enable(&app, &app.key, true).await;
    assert_eq!(page["endpoints"], json!([newer]));
    let next = call(&app, "get", next).await.data();
    assert_eq!(next["endpoints"][0]["id"], json!(id));
}

/// Contract `webhook-endpoints.delete`.
#[tokio::test]
async fn an_invalid_body_is_refused_before_the_precondition_and_existence_are_checked() {
    let app = App::start().await;
    for operation in OPERATIONS {
        let wrong = match operation {
            "create" => json!({}),
            "get" => json!({ "iterator": "x" }),
            "update" => json!({ "endpointId": "ep_x" }),
            _ => json!({ "endpointId": 1 }),
        };
        call(&app, operation, wrong).await.error("INVALID_ARGUMENT");
    }
    enable(&app, &app.key, true).await;
    for operation in ["update", "delete", "secret_get", "secret_rotate"] {
        call(&app, operation, body(operation, "ep_x")).await.error("NOT_FOUND");
        for wrong in [json!(null), json!(""), json!(1), json!("x".repeat(257)), json!(["ep_x"])] {
            let mut sent = body(operation, "ep_x");
            sent["endpointId"] = wrong;
            refused(&app, operation, sent, "endpointId").await;
        }
    }
}

#[tokio::test]
async fn an_endpoint_belongs_to_its_api_key() {
    let app = enabled().await;
    let second = app.second_key().await;
    let id = id(&create(&app, json!({})).await);
    enable(&app, &second, true).await;
    for operation in ["update", "delete", "secret_get", "secret_rotate"] {
        let name = format!("webhook-endpoints.{operation}");
        app.call_as(&second, &name, body(operation, &id)).await.error("NOT_FOUND");
    }
    let listed = app.call_as(&second, "webhook-endpoints.get", json!({})).await.data();
    assert_eq!(listed["endpoints"], json!([]));
}
