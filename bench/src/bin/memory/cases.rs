//! The largest bodies, and the largest stored data.

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, Method, Uri},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use embedded::EmbeddedServices;
use queue::Queue;
use roundtable::{Arrival, of_request, queue_name, table_name};
use serde_json::{Value, json};
use service::Table;
use tests::{App, cost, receiver::Receiver, specs};
use yrs::{ClientID, Doc, Options, ReadTxn, Text, Transact};

use crate::live;

/// One event of a function.
pub(crate) struct Case {
    /// The name of its binary.
    pub(crate) function: String,
    /// Size above which a value is large.
    pub(crate) what: &'static str,
    /// The event in the format of Lambda.
    pub(crate) event: Value,
}

/// Passes each case to `measure`, with the address of its DynamoDB and SQS.
pub(crate) async fn each(measure: &mut impl FnMut(&Case, &str)) {
    bodies(measure).await;
    threads(measure).await;
    editors(measure).await;
}

/// A call of an operation in the format of the gateway.
fn call(app: &App, operation: &str, what: &'static str, data: &Value) -> Case {
    let spec = &specs()[operation];
    let path = spec.paths[0];
    let mut headers = HeaderMap::new();
    let mut set = |name: &'static str, value: &str| {
        headers.insert(name, HeaderValue::try_from(value).expect("a value"));
    };
    set("x-service-api-key", &app.key.api_key);
    set("x-service-auth-token", &app.key.auth_token);
    set("x-service-workspace-id", &app.workspace.id);
    set("x-service-workspace-auth-token", &app.workspace.token);
    set("x-service-admin-token", tests::ADMIN_TOKEN);
    let body = Bytes::from(json!({ "data": data }).to_string());
    let uri = Uri::from_static(path);
    let route = format!("POST {path}");
    let from = std::net::Ipv4Addr::LOCALHOST.into();
    let arrival = Arrival { id: "memory", at: app.now(), from };
    let event = of_request(&route, &Method::POST, &uri, &headers, &body, arrival);
    Case { function: spec.binary(), what, event }
}

/// Batches of 500 with long texts, and the most values that a body may have.
async fn bodies(measure: &mut impl FnMut(&Case, &str)) {
    let (app, second) = App::sample_world().await;
    let endpoint = app.stack().aws_endpoint().expect("a port");
    for spec in specs().values() {
        let body = app.sample_body(&spec.binary(), &second);
        let Ok(mut body) = serde_json::from_str::<Value>(&body) else { continue };
        // 5 MB in 50,000 values, none of which is known.
        let value = "x".repeat(80);
        body["data"]["unknown"] = (0..49_000).map(|_| value.as_str()).collect();
        measure(&call(&app, spec.name, "a body full of nothing", &body["data"]), endpoint);
    }
    for (operation, mut data) in cost::batches(500) {
        lengthen(&mut data);
        measure(&call(&app, operation, "500 at once", &data), endpoint);
    }
}

/// Extends texts to their maximum length, within the size of the body.
fn lengthen(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match name.as_str() {
                    "name" => *value = "é".repeat(1000).into(),
                    "commentData" if value.as_array().is_some_and(|all| all.len() == 1) => {
                        value[0]["commentText"] = "x".repeat(8_000).into();
                    }
                    _ => lengthen(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(lengthen),
        _ => {}
    }
}

/// Threads as large as an item, and what follows from them: events, messages of webhooks,
/// notifications; and all that is kept of a user.
async fn threads(measure: &mut impl FnMut(&Case, &str)) {
    const THREADS: usize = 12;
    let app = App::start().await;
    let endpoint = app.stack().aws_endpoint().expect("a port").to_owned();
    let receiver = Receiver::start(&app).await;
    app.call("configuration.advanced_webhooks_update", json!({ "isEnabled": true })).await.ok();
    app.call("webhook-endpoints.create", json!({ "url": receiver.url })).await.ok();
    let on = json!({ "useNotificationService": true });
    app.call("configuration.notifications_update", on).await.ok();
    app.advance(std::time::Duration::from_millis(1));
    let documents = json!({
        "organizationId": "acme", "createOrganization": true,
        "documents": [{ "documentId": "d" }],
    });
    app.call("documents.add", documents).await.ok();
    let users: Vec<Value> = (0..200).map(|n| json!({ "userId": format!("u{n}") })).collect();
    app.call("users.add", json!({ "organizationId": "acme", "users": users })).await.ok();
    let mut lists = vec![];
    for n in 0..THREADS {
        let comment = json!({
            "from": { "userId": "ada" }, "commentText": "x".repeat(280_000),
            "triggerNotification": true, "taggedUserContacts": users,
        });
        let thread = json!({ "annotationId": format!("t{n}"), "commentData": [comment] });
        let sent = json!({
            "organizationId": "acme", "documentId": "d", "commentAnnotations": [thread],
        });
        app.call("comments.annotations_add", sent.clone()).await.ok();
        lists.push(sent);
    }
    measure(&call(&app, "comments.annotations_add", "a large thread", &lists[0]), &endpoint);
    let of_document = json!({ "organizationId": "acme", "documentId": "d", "pageSize": 1000 });
    let list = call(&app, "comments.annotations_get", "large threads", &of_document);
    measure(&list, &endpoint);
    let of_user = json!({ "organizationId": "acme", "userId": "ada" });
    measure(&call(&app, "user-data.get", "large threads", &of_user), &endpoint);

    // Lambda hands over 6 MB at most.
    let (mut records, mut bytes) = (vec![], 0);
    for record in app.records() {
        bytes += record.to_string().len();
        if bytes < 6_000_000 {
            records.push(record);
        }
    }
    let event = json!({ "Records": records });
    let function = "journal-events".to_owned();
    measure(&Case { function, what: "a batch of 6 MB", event: event.clone() }, &endpoint);
    app.stack().run_worker("journal.events", event).await.expect("the worker");
    for (queue, function) in
        [(Queue::Deliveries, "deliveries-send"), (Queue::Notifications, "notifications-deliver")]
    {
        let records = take(&app, queue).await;
        let event = json!({ "Records": records });
        let function = function.to_owned();
        measure(&Case { function, what: "ten large events", event }, &endpoint);
    }
    let of_bob = json!({ "organizationId": "acme", "userId": "u0", "pageSize": 1000 });
    measure(&call(&app, "notifications.get", "large threads", &of_bob), &endpoint);
    app.expect_dead_letters();
}

/// Up to ten messages of a queue, in the format of its worker.
async fn take(app: &App, queue: Queue) -> Vec<Value> {
    let url = format!("http://localhost{}", EmbeddedServices::queue_path(&queue_name(queue)));
    let request = json!({ "QueueUrl": url, "MaxNumberOfMessages": 10 });
    let received = app.embedded().sqs("ReceiveMessage", request).await.expect("the queue");
    let messages = received["Messages"].as_array().into_iter().flatten();
    messages.map(|it| json!({ "messageId": it["MessageId"], "body": it["Body"] })).collect()
}

/// A text that compresses to no less than three quarters.
fn noise(len: usize) -> String {
    let mut random = fastrand::Rng::with_seed(1);
    (0..len).map(|_| char::from(b'0' + random.u8(0..64))).collect()
}

/// Editors of maximum size: of one text, of many parts, and with a maximum of unmerged updates.
async fn editors(measure: &mut impl FnMut(&Case, &str)) {
    let app = App::start().await;
    let endpoint = app.stack().aws_endpoint().expect("a port").to_owned();
    let of = |editor: &str| json!({ "organizationId": "o", "documentId": "d", "editorId": editor });
    let with = |editor: &str, kind: &str, data: Value| {
        let mut sent = of(editor);
        sent["type"] = json!(kind);
        sent["data"] = data;
        sent
    };
    let parts: Value = (0..45_000).map(|n| json!(n)).collect();
    let cases = [
        ("noise", "text", "a text of 3 MB", json!(noise(3_000_000))),
        ("parts", "array", "45,000 values", parts),
        ("long", "text", "4.5 MB that wait 15 times", json!("x".repeat(4_500_000))),
    ];
    for (editor, kind, what, data) in &cases {
        let added = with(editor, kind, data.clone());
        measure(&call(&app, "editors.add", what, &added), &endpoint);
    }
    repeat_log(&app, "long").await;
    for (editor, kind, what, data) in &cases {
        let mut changed = data.clone();
        match &mut changed {
            Value::String(text) => text.insert_str(text.len() / 2, "changed"),
            Value::Array(values) => values.rotate_left(1),
            _ => {}
        }
        let order = json!({ "task": "merge", "organizationId": "o", "documentId": "d",
            "editorId": editor });
        let body = json!({ "tenant": app.key.api_key, "message": order }).to_string();
        let event = json!({ "Records": [{ "messageId": "m", "body": body }] });
        let function = "editors-compact".to_owned();
        measure(&call(&app, "editors.get", what, &of(editor)), &endpoint);
        measure(&Case { function, what, event }, &endpoint);
        measure(&call(&app, "editors.state_get", what, &of(editor)), &endpoint);
        let update = with(editor, kind, changed);
        measure(&call(&app, "editors.update", what, &update), &endpoint);
    }
    many_parts(&app, measure).await;
}

/// Blocks per update, and updates: together the maximum of an editor.
const BLOCKS: u32 = 45_000;
const UPDATES: u32 = 10;

/// An editor of the maximum number of parts: reading it takes the most memory.
async fn many_parts(app: &App, measure: &mut impl FnMut(&Case, &str)) {
    let endpoint = app.stack().aws_endpoint().expect("a port").to_owned();
    let of = json!({ "organizationId": "o", "documentId": "d", "editorId": "many" });
    let mut added = of.clone();
    added["type"] = json!("text");
    added["data"] = json!("");
    app.call("editors.add", added.clone()).await.ok();
    let what = "hundreds of thousands of parts";
    let doc = Doc::with_options(Options { client_id: ClientID::new(1), ..Options::default() });
    let text = doc.get_or_insert_text("content");
    for n in 1..=UPDATES {
        let mut transaction = doc.transact_mut();
        let before = transaction.state_vector();
        for _ in 0..BLOCKS {
            // Each before the last one, so that no two become one block.
            text.insert(&mut transaction, 0, "x");
        }
        let mut sent = of.clone();
        sent["updates"] = json!([STANDARD.encode(transaction.encode_state_as_update_v1(&before))]);
        drop(transaction);
        if n == UPDATES {
            measure(&call(app, "editors.updates_add", what, &sent), &endpoint);
        }
        // The same updates are added once more, and known.
        app.call("editors.updates_add", sent).await.ok();
        app.settle().await;
    }
    added["data"] = json!("y");
    measure(&call(app, "editors.get", what, &of), &endpoint);
    measure(&call(app, "editors.state_get", what, &of), &endpoint);
    measure(&call(app, "editors.update", what, &added), &endpoint);
    for (function, message) in [
        (
            "editors-compact",
            json!({ "task": "merge", "organizationId": "o", "documentId": "d",
            "editorId": "many" }),
        ),
        ("deliveries-send", json!({ "kind": "debounced", "editor": of })),
    ] {
        let body = json!({ "tenant": app.key.api_key, "message": message }).to_string();
        let event = json!({ "Records": [{ "messageId": "m", "body": body }] });
        measure(&Case { function: function.to_owned(), what, event }, &endpoint);
    }
    live::room(app, "many", measure).await;
}

/// Stores the first update of a log repeatedly, which is harmless and takes its memory.
async fn repeat_log(app: &App, editor: &str) {
    let rows = app.items_of(Table::Crdt, &app.key);
    let is_of = |row: &Value| {
        row["SK"]["S"].as_str().is_some_and(|it| it.contains("#log#") && it.contains(editor))
    };
    let Some(mut row) = rows.into_iter().find(is_of) else { return };
    let sort = row["SK"]["S"].as_str().unwrap_or_default().to_owned();
    let http = reqwest::Client::new();
    for n in 0..15 {
        row["SK"]["S"] = json!(sort.replace("#update#01", &format!("#update#02{n:02}")));
        let put = json!({ "TableName": table_name(Table::Crdt), "Item": row }).to_string();
        let sent = http.post(app.stack().aws_endpoint().expect("a port"));
        let sent = sent.header("x-amz-target", "DynamoDB_20120810.PutItem").body(put).send();
        assert_eq!(sent.await.expect("the embedded").status(), 200);
    }
}
