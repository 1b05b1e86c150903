//! Webhooks, from the event to a receiver that verifies each request.

mod attempts_get;
mod basic;
mod burst;
mod changed;
mod content;
mod cost;
mod crashes;
mod dispatch;
mod documented;
mod endpoints_recover;
mod many_endpoints;
mod messages_get;
mod messages_resend;
mod operational;
mod send;

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};
use ring::hmac;
use serde_json::{Value, json};
use standardwebhooks::Webhook;

use crate::app::{
    App, Options,
    receiver::{Received, Receiver},
};

pub(crate) const O: &str = "acme";

/// A deployment with advanced webhooks and a receiver.
pub(crate) async fn start() -> (App, Receiver) {
    start_with(Options::default()).await
}

async fn start_with(options: Options) -> (App, Receiver) {
    let app = App::start_with(options).await;
    app.call("configuration.advanced_webhooks_update", json!({ "isEnabled": true })).await.ok();
    let organizations = json!({ "organizations": [{ "organizationId": O, "tier": "gold" }] });
    app.call("organizations.add", organizations).await.ok();
    let documents = json!({ "organizationId": O, "documents": [
        { "documentId": "welcome", "documentName": "Welcome" },
    ] });
    app.call("documents.add", documents).await.ok();
    let receiver = Receiver::start(&app).await;
    (app, receiver)
}

/// Adds an endpoint at the receiver; returns its id after its own events are delivered.
async fn endpoint(app: &App, receiver: &Receiver, members: Value) -> String {
    let mut sent = json!({ "url": receiver.url, "filterTypes": ["comment_annotation.add"] });
    sent.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    let created = app.call("webhook-endpoints.create", sent).await.data();
    app.advance(Duration::from_millis(1));
    created["id"].as_str().unwrap().to_owned()
}

async fn secret(app: &App, endpoint: &str) -> String {
    let sent = json!({ "endpointId": endpoint });
    let data = app.call("webhook-endpoints.secret_get", sent).await.data();
    data["secret"].as_str().unwrap().to_owned()
}

/// Adds a thread, with the event `comment_annotation.add`.
pub(crate) async fn thread(app: &App, id: &str) {
    let threads = json!({ "organizationId": O, "documentId": "welcome", "commentAnnotations": [{
        "annotationId": id,
        "commentData": [{ "from": { "userId": "ada", "name": "Ada" }, "commentText": "Right?" }],
    }] });
    app.call("comments.annotations_add", threads).await.ok();
}

/// The attempts of an endpoint: newest first.
async fn attempts(app: &App, endpoint: &str) -> Vec<Value> {
    let data = app.call("deliveries.attempts_get", json!({ "endpointId": endpoint })).await.data();
    data["attempts"].as_array().unwrap().clone()
}

/// Asserts the signature of a request with two independent verifiers.
fn verify(received: &Received, secret: &str) {
    let mut headers = received.headers.clone();
    Webhook::new(secret).unwrap().verify(&received.body, &headers).expect("a signature");
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mut signed = format!("{}.{}.", received.id(), received.header("webhook-timestamp"));
    signed.push_str(std::str::from_utf8(&received.body).unwrap());
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), signed.as_bytes());
    let expected = format!("v1,{}", STANDARD.encode(tag));
    assert!(received.header("webhook-signature").split(' ').any(|it| it == expected));
    // And it was the body that was signed.
    headers.insert("webhook-id", "msg_other".parse().unwrap());
    assert!(Webhook::new(secret).unwrap().verify(&received.body, &headers).is_err());
}

/// The delivery rows of one endpoint.
fn deliveries(app: &App, endpoint: &str) -> Vec<Value> {
    let items = app.items_of(service::Table::Schedule, &app.key);
    let is_of = |item: &Value| {
        item["PK"]["S"].as_str().unwrap().ends_with(&format!("webhook-endpoint#{endpoint}"))
            && item["SK"]["S"].as_str().unwrap().starts_with("webhook-message#")
    };
    items.into_iter().filter(is_of).collect()
}

fn statuses(app: &App, endpoint: &str) -> Vec<String> {
    let status = |item: Value| item["status"]["S"].as_str().unwrap().to_owned();
    deliveries(app, endpoint).into_iter().map(status).collect()
}

/// Advances the clock, and runs due work.
async fn pass(app: &App, time: Duration) {
    app.advance(time);
    app.tick().await;
    app.settle().await;
}
