//! Content of editors in webhooks of their changes (contract `deliveries.body`).

use std::time::Duration;

use serde_json::{Value, json};

use super::{O, endpoint, pass};
use crate::app::{
    App,
    receiver::{Received, Receiver},
};

const QUIET: Duration = Duration::from_secs(6);

/// A deployment with a basic and an advanced webhook for changes of editors.
async fn start() -> (App, Receiver) {
    let (app, receiver) = super::start().await;
    endpoint(&app, &receiver, json!({ "filterTypes": ["crdt.update_data"] })).await;
    let basic = json!({ "useWebhookService": true, "webhookServiceConfig": {
        "rawNotificationUrl": format!("{}/raw", receiver.url),
        "triggers": { "crdt.update_data": true },
    } });
    app.call("configuration.webhooks_update", basic).await.ok();
    app.advance(Duration::from_millis(1));
    (app, receiver)
}

fn of(editor: &str) -> Value {
    json!({ "organizationId": O, "documentId": "welcome", "editorId": editor })
}

async fn add(app: &App, editor: &str, kind: &str, data: Value) {
    let mut sent = of(editor);
    for (name, value) in [("type", json!(kind)), ("data", data), ("userId", json!("ada"))] {
        sent[name] = value;
    }
    app.call("editors.add", sent).await.ok();
    app.settle().await;
}

/// The bodies received by both.
fn received(receiver: &Receiver) -> (Value, Value) {
    let (raw, advanced): (Vec<Received>, Vec<Received>) =
        receiver.take().into_iter().partition(|it| it.path.ends_with("/raw"));
    let ([raw], [advanced]) = (raw.as_slice(), advanced.as_slice()) else {
        panic!("{} raw, {} advanced", raw.len(), advanced.len())
    };
    (advanced.json()["data"].take(), raw.json())
}

#[tokio::test]
async fn a_message_of_an_editor_has_the_content_that_crdt_get_returns() {
    let (app, receiver) = start().await;
    for (kind, data) in [
        ("text", json!("Hello")),
        ("map", json!({ "rows": [1, { "x": null }], "userId": "bob" })),
        ("array", json!(["a", 2.5, []])),
        ("xml", json!("<paragraph>Hi &amp; bye</paragraph>")),
    ] {
        add(&app, kind, kind, data.clone()).await;
        pass(&app, QUIET).await;
        let mut shown = app.call("editors.get", of(kind)).await.data()[0].take();
        assert_eq!(shown["data"], data);
        for member in ["type", "contentKey"] {
            shown.as_object_mut().unwrap().remove(member);
        }
        let (advanced, raw) = received(&receiver);
        assert_eq!(advanced["crdtData"], shown, "{kind}");
        assert_eq!(raw["crdtData"], shown, "{kind}");
        assert_eq!(shown["lastUpdatedBy"], "ada");
    }
}

#[tokio::test]
async fn the_message_has_the_content_at_the_end_of_the_debounce() {
    let (app, receiver) = start().await;
    add(&app, "body", "text", json!("a")).await;
    let mut update = of("body");
    (update["type"], update["data"], update["userId"]) = (json!("text"), json!("b"), json!("bob"));
    app.call("editors.update", update).await.ok();
    app.settle().await;
    pass(&app, QUIET).await;
    let editor = received(&receiver).0["crdtData"].take();
    assert_eq!((&editor["data"], &editor["lastUpdatedBy"]), (&json!("b"), &json!("bob")));
}

#[tokio::test]
async fn a_message_with_too_much_content_omits_it_and_is_marked_truncated() {
    let (app, receiver) = start().await;
    for len in [200_000, 300_000] {
        add(&app, &len.to_string(), "text", json!("x".repeat(len))).await;
        pass(&app, QUIET).await;
        let (advanced, raw) = received(&receiver);
        for body in [advanced, raw] {
            let is_large = len > 256 * 1024;
            assert_eq!(body["crdtData"]["id"], json!(len.to_string()));
            assert_eq!(body["crdtData"].get("data").is_none(), is_large);
            assert_eq!(body.get("truncated").is_some(), is_large);
        }
    }
}

#[tokio::test]
async fn a_message_of_a_deleted_editor_has_no_content() {
    let (app, receiver) = start().await;
    add(&app, "body", "text", json!("a")).await;
    let sent = json!({ "organizationId": O, "documentId": "welcome", "editorIds": ["body"] });
    app.call("editors.delete", sent).await.ok();
    pass(&app, QUIET).await;
    let (advanced, raw) = received(&receiver);
    for body in [advanced, raw] {
        assert_eq!(body["crdtData"]["id"], "body");
        assert!(body["crdtData"].get("data").is_none() && body.get("truncated").is_none());
        assert_eq!(body["actionUser"]["userId"], "ada");
    }
}
