//! What webhooks ask.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Seen, family_of, workers::work};
use crate::app::{
    App,
    receiver::{Answer, Receiver},
};

/// Messages that are sent, fail and are recovered; an endpoint that is gone; an editor that is
/// quiet.
pub(super) async fn run_webhooks(seen: &mut Seen) {
    let (app, _) = App::sample_world().await;
    let (family, timer) = (family_of("deliveries.send"), family_of("schedule.release"));
    let receiver = Receiver::start(&app).await;
    receiver.script([500, 410].map(Answer::status));
    let endpoint = json!({ "url": receiver.url, "rateLimit": 1000 });
    let endpoint = app.call("webhook-endpoints.create", endpoint).await.data();
    app.advance(Duration::from_millis(1));
    let at = json!({ "organizationId": "acme", "documentId": "welcome" });
    let with = |members: Value| {
        let mut sent = at.clone();
        sent.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        sent
    };
    let comment = json!([{ "from": { "userId": "ada" }, "commentText": "x" }]);
    let thread = json!({ "annotationId": "late", "commentData": comment });
    app.call("comments.annotations_add", with(json!({ "commentAnnotations": [thread] })))
        .await
        .ok();
    // Too large for the head of the editor.
    let data = crate::editors::noise(70_000);
    let update = json!({ "editorId": "body", "type": "text", "data": data });
    app.call("editors.update", with(update)).await.ok();
    let merge = with(json!({ "editorId": "body", "task": "merge" }));
    work(&app, "editors.compact", message_of(&app, &merge)).await;
    let messages: Vec<String> = app
        .events()
        .iter()
        .rev()
        .take(2)
        .map(|event| format!("msg_{}", event["id"].as_str().unwrap()))
        .collect();
    app.advance(Duration::from_secs(11));
    app.forget_calls();
    work(&app, "journal.events", json!({ "Records": app.records() })).await;
    seen.take(family_of("journal.events"), &app);
    app.advance(Duration::from_secs(400));
    app.forget_calls();
    work(&app, "schedule.release", json!({})).await;
    seen.take(timer, &app);
    let editor = json!({ "organizationId": "acme", "documentId": "welcome", "editorId": "body" });
    let debounced = json!({ "kind": "debounced", "editor": editor });
    work(&app, "deliveries.send", message_of(&app, &debounced)).await;
    for message in &messages {
        let task = json!({ "kind": "deliver", "messageId": message, "endpointId": endpoint["id"] });
        work(&app, "deliveries.send", message_of(&app, &task)).await;
        app.call("deliveries.attempts_get", json!({ "messageId": message })).await.ok();
    }
    let of_endpoint = json!({ "endpointId": endpoint["id"] });
    app.call("deliveries.attempts_get", of_endpoint).await.ok();
    seen.take(family, &app);
    assert_eq!(receiver.count(), 2);
}

fn message_of(app: &App, message: &Value) -> Value {
    let body = json!({ "tenant": app.key.api_key, "message": message }).to_string();
    json!({ "Records": [{ "messageId": "one", "body": body }] })
}
