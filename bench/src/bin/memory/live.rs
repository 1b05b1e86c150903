//! The live channel beside the largest editor.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use service::Table;
use tests::{App, socket::Socket};

use crate::cases::Case;

/// The first message of a client with an empty document.
const STEP_1: [u8; 4] = [0, 0, 1, 0];

/// Joins the room of an editor with hundreds of thousands of parts, requests its state, and sends
/// changes.
pub(crate) async fn room(app: &App, editor: &str, measure: &mut impl FnMut(&Case, &str)) {
    let endpoint = app.stack().aws_endpoint().expect("a port");
    let what = "hundreds of thousands of parts";
    let mut measure = |function: &str, what, event| {
        measure(&Case { function: function.to_owned(), what, event }, endpoint);
    };
    let (token, _member) = join(app, editor).await;
    let query = json!({ "protocol": "y", "room": format!("o/d/{editor}"), "token": token });
    let mut connect = event("$connect", "CONNECT");
    connect["queryStringParameters"] = query;
    measure("live-connect", what, connect);
    let mut message = event("$default", "MESSAGE");
    message["body"] = json!(STANDARD.encode(STEP_1));
    measure("live-message", what, message);
    measure("live-disconnect", what, event("$disconnect", "DISCONNECT"));

    let grown = json!({ "editorId": editor, "isLong": true });
    let task = json!({ "organizationId": "o", "documentId": "d", "position": 1,
        "name": "crdt.update", "grown": grown });
    let records: Vec<Value> = (0..10)
        .map(|n| {
            let message = json!({ "event": task });
            let body = json!({ "tenant": app.key.api_key, "message": message }).to_string();
            json!({ "messageId": n.to_string(), "body": body })
        })
        .collect();
    measure("live-fan-out", "ten changes of such an editor", json!({ "Records": records }));
    measure("live-changes", "a batch of 6 MB", changes(app).await);
}

/// A member of the room, until the socket is dropped, and its token.
async fn join(app: &App, editor: &str) -> (String, Socket) {
    let right = json!({ "type": "document", "id": "d", "organizationId": "o",
        "accessRole": "editor" });
    let user = json!({
        "userId": "eve",
        "userProperties": { "name": "Eve", "email": "eve@example.com", "organizationId": "o" },
        "permissions": { "resources": [right] },
    });
    let issued = app.call("users.generate_token", user).await.data();
    let token = issued["token"].as_str().expect("a token").to_owned();
    let query = format!("protocol=y&room=o/d/{editor}&token={token}");
    let mut socket = app.connect(&query).await;
    socket.send(STANDARD.encode(STEP_1)).await;
    socket.text().await;
    (token, socket)
}

/// The event of API Gateway for a socket function.
fn event(route: &str, kind: &str) -> Value {
    json!({
        "requestContext": { "routeKey": route, "eventType": kind, "connectionId": "memory=",
            "requestId": "memory" },
        "isBase64Encoded": false,
    })
}

/// The event of Lambda for changes of the largest live state.
async fn changes(app: &App) -> Value {
    let state = json!({ "organizationId": "o", "documentId": "d", "liveStateDataId": "large",
        "data": { "text": "x".repeat(90_000) } });
    app.call("live-state.broadcast", state).await.ok();
    let rows = app.items_of(Table::Realtime, &app.key);
    let is_state =
        |row: &Value| row["SK"]["S"].as_str().is_some_and(|sort| sort.starts_with("live-state#"));
    let row = rows.into_iter().find(is_state).expect("a live state");
    let keys = json!({ "PK": row["PK"], "SK": row["SK"] });
    let (mut records, mut bytes) = (vec![], 0);
    while bytes < 5_800_000 {
        let record = json!({
            "eventName": "MODIFY",
            "dynamodb": { "Keys": keys, "NewImage": row, "OldImage": row,
                "SequenceNumber": records.len().to_string() },
        });
        bytes += record.to_string().len();
        records.push(record);
    }
    json!({ "Records": records })
}
