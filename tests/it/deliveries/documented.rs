//! Bodies match openapi.json.

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};

use super::{endpoint, pass, start};
use crate::app::sample;

fn document() -> Value {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi.json");
    serde_json::from_str(&std::fs::read_to_string(file).expect("openapi.json")).expect("JSON")
}

/// Every member is documented, and none is missing.
fn check(document: &Value, schema: &Value, value: &Value, at: &str) {
    if let Some(target) = schema["$ref"].as_str() {
        let target = document.pointer(target.trim_start_matches('#')).expect("a schema");
        return check(document, target, value, at);
    }
    if let Some(options) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        if !value.is_null() {
            check(document, &options[0], value, at);
        }
        return;
    }
    if let Some(words) = schema["enum"].as_array() {
        assert!(words.contains(value), "{at}: {value}");
    }
    for element in value.as_array().into_iter().flatten() {
        check(document, &schema["items"], element, &format!("{at}[]"));
    }
    let (Some(known), Some(members)) = (schema["properties"].as_object(), value.as_object()) else {
        return;
    };
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(members.contains_key(name.as_str().unwrap()), "{at}.{name} is missing");
    }
    for (name, member) in members {
        match known.get(name) {
            Some(schema) => check(document, schema, member, &format!("{at}.{name}")),
            None => assert_eq!(schema["additionalProperties"], true, "{at}.{name} is unknown"),
        }
    }
}

#[tokio::test]
async fn bodies_have_the_members_that_are_documented() {
    let (app, receiver) = start().await;
    let types = [
        "comment_annotation.add",
        "comment.add",
        "crdt.update_data",
        "crdt.version_added",
        "recorder.done",
        "endpoint.updated",
    ];
    endpoint(&app, &receiver, json!({ "filterTypes": types })).await;
    // No endpoint hears of itself.
    let id = endpoint(&app, &receiver, json!({ "filterTypes": ["comment.delete"] })).await;
    let intro = json!({ "organizationId": "acme", "documentId": "welcome", "commentAnnotations": [
        { "annotationId": "intro", "commentData": [{ "from": { "userId": "ada" } }] },
    ] });
    app.call("comments.annotations_add", intro).await.ok();
    for binary in ["comments-annotations-add", "comments-add", "recordings-add", "editors-add"] {
        let event: Value = serde_json::from_str(&sample(binary)).expect("JSON");
        let (path, body) = (event["rawPath"].as_str().unwrap(), event["body"].as_str().unwrap());
        app.caller().body_at(path, body.replace("roadmap", "welcome")).await.ok();
    }
    let notes = json!({ "organizationId": "acme", "documentId": "welcome", "editorId": "notes", "name": "First" });
    app.call("editors.versions_add", notes).await.ok();
    let changed = json!({ "endpointId": id, "description": "Everything" });
    app.call("webhook-endpoints.update", changed).await.ok();
    app.settle().await;
    pass(&app, Duration::from_secs(61)).await;
    app.settle().await;

    let (document, mut seen) = (document(), BTreeSet::new());
    for received in receiver.take() {
        let body: Value = serde_json::from_slice(&received.body).unwrap();
        let kind = body["type"].as_str().unwrap().to_owned();
        let webhook = &document["webhooks"][&kind]["post"]["requestBody"]["content"];
        let schema = &webhook["application/json"]["schema"];
        assert!(schema.is_object(), "{kind} is not documented");
        check(&document, schema, &body, &kind);
        seen.insert(kind);
    }
    assert_eq!(seen.len(), types.len(), "{seen:?}");
}
