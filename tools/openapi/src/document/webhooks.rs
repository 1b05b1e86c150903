//! The bodies of webhooks, by type of event.

use registry::pascal;
use serde_json::{Map, Value, json};
use service::webhook_body::{
    Body, CommentEvent, EditorEvent, EndpointEvent, MessageEvent, RecordingEvent, WebhookEvent,
};

use crate::schema::Schemas;

/// The page of the contract that describes them.
const CONTRACT: &str = "deliveries";

/// All webhooks that endpoints can subscribe to.
pub(super) fn list(schemas: &mut Schemas) -> Map<String, Value> {
    let mut webhooks = Map::new();
    add::<CommentEvent>(schemas, &mut webhooks);
    add::<EditorEvent>(schemas, &mut webhooks);
    add::<RecordingEvent>(schemas, &mut webhooks);
    add::<EndpointEvent>(schemas, &mut webhooks);
    add::<MessageEvent>(schemas, &mut webhooks);
    webhooks
}

fn add<T: WebhookEvent>(schemas: &mut Schemas, webhooks: &mut Map<String, Value>) {
    let schema = schemas.of::<Body<T>>();
    for (name, meaning) in T::types() {
        let content = json!({ "application/json": { "schema": schema } });
        let webhook = json!({
            "operationId": format!("on{}", pascal(name)),
            "tags": [super::tags::WEBHOOKS],
            "summary": meaning.trim_end_matches('.'),
            "description": super::links::to_page(CONTRACT),
            "security": [],
            "requestBody": { "required": true, "content": content },
            "responses": {
                "2XX": { "description": "Delivered." },
            },
        });
        webhooks.insert(name.to_owned(), json!({ "post": webhook }));
    }
}
