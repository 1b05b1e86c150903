//! What a family's role allows is what its functions do: no less, and no more.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use emulator::{Call, Emulator, Service};
use futures_util::future::join;
use local::{queue_name, table_name};
use serde_json::{Value, json};
use service::{Access, Family, Queue, Table, Verb};

use crate::{
    app::{
        App, cost,
        receiver::{Answer, Receiver},
    },
    cleanup::is_deletion,
};

/// What was asked, without repetition: service, verb, and the tables or the queue.
type Asked = BTreeSet<(bool, String, Vec<String>)>;

/// What each family asked.
#[derive(Default)]
struct Seen(BTreeMap<&'static str, Asked>);

impl Seen {
    /// Takes what was asked since calls were last forgotten.
    fn take(&mut self, family: &'static str, app: &App) {
        let calls = app.calls();
        app.forget_calls();
        let asked = |call: Call| {
            let targets = call.target.split(',').map(str::to_owned).collect();
            (call.service == Service::Sqs, call.operation, targets)
        };
        self.0.entry(family).or_default().extend(calls.into_iter().map(asked));
    }

    fn of(&self, family: &str) -> &Asked {
        self.0.get(family).unwrap_or_else(|| panic!("nothing was asked by {family}"))
    }
}

/// The family an operation or a worker belongs to.
fn family_of(name: &str) -> &'static str {
    let family = registry::families().into_iter().find(|family| {
        family.operations.iter().any(|route| route.spec.name == name)
            || family.workers.iter().any(|worker| worker.name == name)
    });
    family.unwrap_or_else(|| panic!("{name} has no family")).name
}

/// The first call of each sample at each path, credentials included.
async fn run_samples(seen: &mut Seen) {
    for family in registry::families() {
        for route in &family.operations {
            for path in route.spec.paths {
                let (app, second) = App::sample_world().await;
                let body = app.sample_body(&route.spec.binary(), &second);
                app.advance(Duration::from_secs(11));
                app.forget_calls();
                app.caller().body_at(path, body).await;
                seen.take(family.name, &app);
            }
        }
    }
}

async fn run_batches(seen: &mut Seen) {
    let (app, _) = App::sample_world().await;
    for (operation, body) in cost::batches(3) {
        app.advance(Duration::from_secs(11));
        app.forget_calls();
        app.call(operation, body).await.ok();
        seen.take(family_of(operation), &app);
    }
}

/// Lists with filters that no sample has.
async fn run_filters(seen: &mut Seen) {
    let (app, second) = App::sample_world().await;
    let o = "acme";
    for (operation, body) in [
        ("organizations.get", json!({})),
        ("organizations.get", json!({ "organizationIds": [o, "x"] })),
        ("documents.get", json!({ "organizationId": o })),
        ("documents.get", json!({ "organizationId": o, "folderId": "handbook" })),
        ("documents.get", json!({ "organizationId": o, "documentIds": ["welcome", "roadmap"] })),
        ("users.get", json!({ "organizationId": o, "userIds": ["ada", "bob"] })),
        ("users.get", json!({ "organizationId": o, "allDocuments": true })),
        ("users.get", json!({ "organizationId": o, "allDocuments": true, "userIds": ["ada"] })),
        ("users.get", json!({ "organizationId": o, "organizationUserGroupIds": ["writers"] })),
        (
            "users.get",
            json!({
                "organizationId": o, "organizationUserGroupIds": ["writers"],
                "userIds": ["ada", "bob"],
            }),
        ),
        ("user-groups.get", json!({ "organizationId": o })),
        (
            "user-groups.get",
            json!({ "organizationId": o, "organizationUserGroupIds": ["writers"] }),
        ),
        ("folders.get", json!({ "organizationId": o })),
        ("folders.get", json!({ "organizationId": o, "folderId": "handbook", "maxDepth": 2 })),
        (
            "permissions.get",
            json!({ "organizationId": o, "userIds": ["ada"], "folderIds": ["handbook"] }),
        ),
        ("agents.get", json!({})),
        ("agents.get", json!({ "agentId": "spell-check" })),
        ("webhook-endpoints.get", json!({})),
        ("presence.get", json!({ "organizationId": o, "documentId": "welcome" })),
        (
            "presence.get",
            json!({ "organizationId": o, "documentId": "welcome", "userIds": ["ada"] }),
        ),
        (
            "presence.get",
            json!({ "organizationId": o, "documentId": "welcome", "userIds": ["ada", "bob"] }),
        ),
        (
            "live-state.get",
            json!({ "organizationId": o, "documentId": "welcome", "liveStateDataId": "slides" }),
        ),
        ("notifications.get", json!({ "organizationId": o })),
        ("notifications.get", json!({ "organizationId": o, "userId": "bob" })),
        (
            "notifications.get",
            json!({ "organizationId": o, "userId": "bob", "documentId": "welcome" }),
        ),
        (
            "notifications.get",
            json!({ "organizationId": o, "notificationIds": ["review-1", "release-1"] }),
        ),
        ("notifications.trace_get", json!({ "organizationId": o })),
        ("notifications.trace_get", json!({ "organizationId": o, "eventId": "review-1" })),
        ("notifications.delete", json!({ "organizationId": o, "userId": "bob" })),
        ("recordings.get", json!({ "organizationId": o })),
        ("recordings.get", json!({ "organizationId": o, "recordingIds": ["demo", "x"] })),
        ("activities.get", json!({ "organizationId": o })),
        ("activities.get", json!({ "organizationId": o, "activityIds": ["roadmap-drafted", "x"] })),
        ("activities.get", json!({ "organizationId": o, "targetEntityId": "roadmap-2027" })),
        ("activities.get", json!({ "organizationId": o, "userId": "ada" })),
        ("activities.delete", json!({ "organizationId": o, "documentId": "roadmap" })),
        ("comments.annotations_get", json!({ "organizationId": o })),
        ("comments.annotations_get", json!({ "organizationId": o, "folderId": "handbook" })),
        ("comments.annotations_get", json!({ "organizationId": o, "userIds": ["ada"] })),
        ("comments.annotations_get", json!({ "organizationId": o, "mentionedUserIds": ["ada"] })),
        ("comments.annotations_get", json!({ "organizationId": o, "annotationIds": ["intro"] })),
        ("workspace.api_keys_get", json!({})),
        ("workspace.api_keys_get", json!({ "apiKeys": [app.key.api_key, second.api_key] })),
    ] {
        app.advance(Duration::from_secs(11));
        app.forget_calls();
        app.call(operation, body).await.ok();
        seen.take(family_of(operation), &app);
    }
}

/// Deletions of every kind, then each worker by itself until nothing is left, so that it is known
/// whose calls are whose.
async fn run_workers(seen: &mut Seen) {
    let (app, _) = App::sample_world().await;
    let o = "acme";
    for (operation, body) in [
        ("documents.delete", json!({ "organizationId": o, "documentIds": ["welcome"] })),
        ("folders.delete", json!({ "organizationId": o, "folderId": "handbook" })),
        (
            "user-groups.delete",
            json!({ "organizationId": o, "organizationUserGroupIds": ["writers"] }),
        ),
        ("users.delete", json!({ "organizationId": o, "userIds": ["ada"] })),
        ("organizations.delete", json!({ "organizationIds": [o] })),
    ] {
        app.call(operation, body).await.ok();
    }
    app.advance(Duration::from_secs(11));
    app.forget_calls();

    let records = app.emulator().stream(&table_name(Table::Events), None, 1000).unwrap();
    let records: Vec<Value> = records.into_iter().map(|record| record.record).collect();
    assert_eq!(records.iter().filter(|record| is_deletion(record)).count(), 5);
    work(&app, "fan-out.events", json!({ "Records": records })).await;
    seen.take(family_of("fan-out.events"), &app);

    assert_eq!(sweep(&app, true).await, 6, "the first order came twice");
    seen.take(family_of("cleanup.sweep"), &app);

    app.advance(Duration::from_secs(21 * 60));
    work(&app, "schedule.release", json!({})).await;
    seen.take(family_of("schedule.release"), &app);
    assert_eq!(sweep(&app, false).await, 5);
    seen.take(family_of("cleanup.sweep"), &app);
}

/// The log of an editor becomes a snapshot, and that one another; then the first one goes.
async fn run_compaction(seen: &mut Seen) {
    let (app, _) = App::sample_world().await;
    let family = family_of("editors.compact");
    let editor = json!({ "organizationId": "acme", "documentId": "welcome", "editorId": "body" });
    let order = |task: &str| {
        let mut message = editor.clone();
        message["task"] = json!(task);
        let body = json!({ "tenant": app.key.api_key, "message": message }).to_string();
        json!({ "Records": [{ "messageId": task, "body": body }] })
    };
    for data in ["a", "b"] {
        let mut update = editor.clone();
        update["type"] = json!("text");
        // Too large for the head, compressed or not.
        update["data"] = json!(crate::editors::noise(70_000) + data);
        app.call("editors.update", update).await.ok();
        seen.take(family, &app);
        let records = app.emulator().stream(&table_name(Table::Events), None, 1000).unwrap();
        let last = records.into_iter().map(|record| record.record).next_back();
        work(&app, "fan-out.events", json!({ "Records": [last] })).await;
        seen.take(family_of("fan-out.events"), &app);
        app.advance(Duration::from_secs(11));
        work(&app, "editors.compact", order("merge")).await;
        app.call("editors.get", editor.clone()).await.ok();
        seen.take(family, &app);
    }
    app.advance(Duration::from_secs(21 * 60));
    work(&app, "schedule.release", json!({})).await;
    seen.take(family_of("schedule.release"), &app);
    work(&app, "editors.compact", order("sweep")).await;
    seen.take(family, &app);
}

/// A user whose data is everywhere, erased.
async fn run_erasure(seen: &mut Seen) {
    let (app, _) = App::sample_world().await;
    let sent = json!({ "userIds": ["ada"], "organizationIds": ["acme"] });
    let job = app.call("user-data.delete", sent).await.data();
    let recipient = format!("key#{}#organization#acme#recipient#ada", app.key.api_key);
    let row = json!({ "PK": { "S": recipient }, "SK": { "S": "activity#x" } });
    crate::schedule::put(&app, Table::Schedule, &row).await;
    app.advance(Duration::from_secs(11));
    app.forget_calls();
    let message = json!({
        "jobId": job["jobId"], "userId": "ada", "organizationIds": ["acme"], "at": app.now(),
    });
    for pass in [0, 1] {
        let mut message = message.clone();
        message["pass"] = json!(pass);
        let body = json!({ "tenant": app.key.api_key, "message": message }).to_string();
        let event = json!({ "Records": [{ "messageId": "erase", "body": body }] });
        work(&app, "user-data.erase", event).await;
        seen.take(family_of("user-data.erase"), &app);
    }
}

/// A mail that finds no room at first, what is told of it, and the link that ends such mails: for a
/// document, and for all of them.
async fn run_mails(seen: &mut Seen) {
    let (app, _) = App::sample_world().await;
    let family = family_of("emails.send");
    crate::emails::set_up(&app).await;
    let limits = json!({ "isEnabled": true, "batchWindowSeconds": 60, "maxActivities": 20 });
    let batch = json!({ "notificationServiceConfig": { "batchConfig": { "user": limits } } });
    app.call("configuration.notifications_update", batch).await.ok();
    let effect = emulator::Effect::Throttle;
    let fault = emulator::Fault { operation: "SendEmail".to_owned(), skip: 0, times: 2, effect };
    app.fault(fault);
    for document in ["welcome", "roadmap"] {
        crate::emails::mention(&app, document, "access", "x").await;
    }
    crate::emails::wait(&app, 60).await;
    let event = crate::emails::wake(&app);
    app.advance(Duration::from_secs(11));
    app.forget_calls();
    for _ in 0..2 {
        work(&app, "emails.send", event.clone()).await;
        app.advance(Duration::from_secs(11));
    }
    seen.take(family, &app);
    let bounce = json!({
        "kind": "Bounce", "bounceType": "Permanent", "mail": "m", "attempt": "1",
        "messageId": "m", "recipient": "eve@example.com",
    });
    let body = json!({ "tenant": app.key.api_key, "message": bounce }).to_string();
    let told = json!({ "Records": [{ "messageId": "told", "body": body }] });
    work(&app, "emails.feedback", told).await;
    seen.take(family, &app);
    let link = crate::emails::only_mail(&app).unsubscribe(&app);
    assert_eq!(crate::emails::post(&app, &link, crate::emails::ONE_CLICK).await.status(), 200);
    seen.take(family, &app);
}

/// People are notified: after a delay, by a window that fills up, by mail; then the time of the key
/// is moved.
async fn run_notices(seen: &mut Seen) {
    let (app, _) = App::sample_world().await;
    let on = json!({ "comment_annotation.add": true });
    let batch = json!({ "isEnabled": true, "batchWindowSeconds": 600, "maxActivities": 2 });
    let notices = json!({ "useNotificationService": true, "notificationServiceConfig": {
        "triggers": { "comment": on }, "batchConfig": { "document": batch },
        "delayConfig": { "isEnabled": true, "delaySeconds": 900 },
    } });
    app.call("configuration.notifications_update", notices).await.ok();
    let mails = json!({ "useEmailService": true, "emailServiceConfig": { "triggers": on } });
    app.call("configuration.email_update", mails).await.ok();
    let mut read = 0;
    for _ in 0..2 {
        let comment = json!({
            "from": { "userId": "bob" }, "commentText": "x", "triggerNotification": true,
            "taggedUserContacts": [{ "userId": "ada" }],
        });
        let sent = json!({ "organizationId": "acme", "documentId": "welcome", "commentAnnotations":
            [{ "commentData": [comment] }, { "commentData": [comment] }] });
        app.call("comments.annotations_add", sent).await.ok();
        let gone = json!({ "organizationId": "acme", "documentIds": ["roadmap"] });
        app.call("documents.delete", gone).await.ok();
        fan_out(seen, &app, &mut read).await;
        deliver(seen, &app).await;
        sweep(&app, false).await;
        seen.take(family_of("cleanup.sweep"), &app);
        app.advance(Duration::from_secs(901));
        work(&app, "schedule.release", json!({})).await;
        seen.take(family_of("schedule.release"), &app);
        deliver(seen, &app).await;
        // Nobody sends the mails, so they are announced again.
        app.advance(Duration::from_secs(200));
        work(&app, "schedule.release", json!({})).await;
        seen.take(family_of("schedule.release"), &app);
        app.call("comments.annotations_add", sent_again(&comment)).await.ok();
        fan_out(seen, &app, &mut read).await;
        deliver(seen, &app).await;
        // What is looked at a second time becomes due with the time of the key.
        let added = json!({ "organizationId": "acme", "documents": [{ "documentId": "spare" }] });
        app.call("documents.add", added).await.ok();
        let gone = json!({ "organizationId": "acme", "documentIds": ["spare"] });
        app.call("documents.delete", gone).await.ok();
        fan_out(seen, &app, &mut read).await;
        sweep(&app, false).await;
        seen.take(family_of("cleanup.sweep"), &app);
        app.call("schedule.test_clock_advance", json!({ "seconds": 1300 })).await.ok();
        fan_out(seen, &app, &mut read).await;
        deliver(seen, &app).await;
    }
}

/// A thread that notifies.
fn sent_again(comment: &Value) -> Value {
    let annotations = json!([{ "commentData": [comment] }]);
    json!({ "organizationId": "acme", "documentId": "welcome", "commentAnnotations": annotations })
}

/// Gives the events that were written since to the worker of the stream.
async fn fan_out(seen: &mut Seen, app: &App, read: &mut usize) {
    app.advance(Duration::from_secs(11));
    app.forget_calls();
    let records = app.emulator().stream(&table_name(Table::Events), None, 10_000).unwrap();
    let new: Vec<Value> = records.into_iter().skip(*read).map(|record| record.record).collect();
    *read += new.len();
    work(app, "fan-out.events", json!({ "Records": new })).await;
    seen.take(family_of("fan-out.events"), app);
}

/// Gives the messages of the queue of notifications to their worker, until there are none.
async fn deliver(seen: &mut Seen, app: &App) {
    let url =
        format!("http://localhost{}", Emulator::queue_path(&queue_name(Queue::Notifications)));
    loop {
        let request = json!({ "QueueUrl": url, "MaxNumberOfMessages": 10 });
        let received = app.emulator().sqs("ReceiveMessage", request).await.unwrap();
        let messages = received["Messages"].as_array().cloned().unwrap_or_default();
        if messages.is_empty() {
            return;
        }
        app.forget_calls();
        for message in messages {
            let record = json!({ "messageId": message["MessageId"], "body": message["Body"] });
            work(app, "notifications.deliver", json!({ "Records": [record] })).await;
            seen.take(family_of("notifications.deliver"), app);
            let request = json!({ "QueueUrl": url, "ReceiptHandle": message["ReceiptHandle"] });
            app.emulator().sqs("DeleteMessage", request).await.unwrap();
            app.forget_calls();
        }
    }
}

/// Messages that are sent, fail and are recovered; an endpoint that is gone; an editor that is
/// quiet.
async fn run_webhooks(seen: &mut Seen) {
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
    let records = app.emulator().stream(&table_name(Table::Events), None, 1000).unwrap();
    let events: Vec<Value> = records.into_iter().map(|it| event_of(&it.record)).collect();
    app.advance(Duration::from_secs(11));
    app.forget_calls();
    let mut messages = vec![];
    for event in events.iter().rev().take(2) {
        let message = json!({ "organizationId": "acme", "eventId": event["id"] });
        work(&app, "deliveries.dispatch", message_of(&app, &message)).await;
        messages.push(format!("msg_{}", event["id"].as_str().unwrap()));
    }
    seen.take(family, &app);
    app.advance(Duration::from_secs(400));
    app.forget_calls();
    work(&app, "schedule.release", json!({})).await;
    seen.take(timer, &app);
    let quiet = json!({
        "organizationId": "acme", "eventId": events.last().unwrap()["id"],
        "quiet": { "organizationId": "acme", "documentId": "welcome", "editorId": "body" },
    });
    work(&app, "deliveries.dispatch", message_of(&app, &quiet)).await;
    for message in &messages {
        let task = json!({ "messageId": message, "endpointId": endpoint["id"] });
        work(&app, "deliveries.send", message_of(&app, &task)).await;
        app.call("deliveries.attempts_get", json!({ "messageId": message })).await.ok();
    }
    seen.take(family, &app);
    assert_eq!(receiver.count(), 2);
}

fn event_of(record: &Value) -> Value {
    let body = record["dynamodb"]["NewImage"]["body"]["S"].as_str().expect("a body");
    serde_json::from_str(body).expect("JSON")
}

fn message_of(app: &App, message: &Value) -> Value {
    let body = json!({ "tenant": app.key.api_key, "message": message }).to_string();
    json!({ "Records": [{ "messageId": "one", "body": body }] })
}

async fn work(app: &App, worker: &str, event: Value) {
    let answer = app.stack().run_worker(worker, event).await.expect("a worker");
    assert!(answer.is_null() || answer == json!({ "batchItemFailures": [] }), "{answer}");
}

/// Gives the messages of the cleanup queue to its worker; answers how many there were. The time of
/// the first one is up as soon as it has begun, so that it sends its order again.
async fn sweep(app: &App, mut is_late: bool) -> usize {
    let url = format!("http://localhost{}", Emulator::queue_path(&queue_name(Queue::Cleanup)));
    let mut swept = 0;
    loop {
        let request = json!({ "QueueUrl": url, "MaxNumberOfMessages": 10 });
        let received = app.emulator().sqs("ReceiveMessage", request).await.unwrap();
        let messages = received["Messages"].as_array().cloned().unwrap_or_default();
        if messages.is_empty() {
            return swept;
        }
        for message in messages {
            let record = json!({ "messageId": message["MessageId"], "body": message["Body"] });
            let event = json!({ "Records": [record] });
            let clock = async {
                if std::mem::take(&mut is_late) {
                    app.advance(Duration::from_secs(60));
                }
            };
            // Polled first, the worker has read the clock before it is moved.
            join(work(app, "cleanup.sweep", event), clock).await;
            let request = json!({ "QueueUrl": url, "ReceiptHandle": message["ReceiptHandle"] });
            app.emulator().sqs("DeleteMessage", request).await.unwrap();
            swept += 1;
        }
    }
}

async fn seen() -> Seen {
    let mut seen = Seen::default();
    run_samples(&mut seen).await;
    run_batches(&mut seen).await;
    run_filters(&mut seen).await;
    run_workers(&mut seen).await;
    run_compaction(&mut seen).await;
    run_erasure(&mut seen).await;
    run_mails(&mut seen).await;
    run_notices(&mut seen).await;
    run_webhooks(&mut seen).await;
    seen
}

fn verbs(family: &Family, table: &str) -> &'static [Verb] {
    let of = |access: &Access| match access {
        Access::Table(named, verbs) if table_name(*named) == table => Some(*verbs),
        _ => None,
    };
    family.access.iter().find_map(of).unwrap_or(&[])
}

/// The steps of a transaction, which is recorded as one call.
const STEPS: [Verb; 4] =
    [Verb::ConditionCheckItem, Verb::DeleteItem, Verb::PutItem, Verb::UpdateItem];

fn allows(family: &Family, is_sqs: bool, operation: &str, target: &str) -> bool {
    let sends =
        |access: &Access| matches!(access, Access::Send(queue) if queue_name(*queue) == target);
    let queries =
        |access: &Access| matches!(access, Access::Index(table, _) if table_name(*table) == target);
    let verbs = verbs(family, target);
    match operation {
        "SendMessage" | "SendMessageBatch" if is_sqs => family.access.iter().any(sends),
        _ if is_sqs => false,
        "SendEmail" => family.access.iter().any(|access| matches!(access, Access::SendMail)),
        "TransactWriteItems" => verbs.iter().any(|verb| STEPS.contains(verb)),
        "Query" if family.access.iter().any(queries) => true,
        operation => verbs.iter().any(|verb| verb.action() == format!("dynamodb:{operation}")),
    }
}

#[tokio::test]
async fn a_role_allows_all_that_is_done_and_nothing_else() {
    let seen = seen().await;
    let mut faults = Vec::new();
    for family in registry::families() {
        for (is_sqs, operation, targets) in seen.of(family.name) {
            for target in targets {
                if !allows(&family, *is_sqs, operation, target) {
                    faults.push(format!("{}: {operation} of {target} is denied", family.name));
                }
            }
        }
        faults.extend(unused(&family, seen.of(family.name)));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// What a family holds and never used.
fn unused(family: &Family, asked: &Asked) -> Vec<String> {
    let was_asked = |operations: &[&str], target: String| {
        asked.iter().any(|(_, operation, targets)| {
            operations.contains(&operation.as_str()) && targets.contains(&target)
        })
    };
    let mut unused = Vec::new();
    for access in family.access {
        match access {
            Access::Table(table, verbs) => {
                for verb in *verbs {
                    let name = format!("{verb:?}");
                    // Which steps a transaction had is not recorded.
                    let used = match STEPS.contains(verb) {
                        true => was_asked(&["TransactWriteItems", &name], table_name(*table)),
                        false => was_asked(&[&name], table_name(*table)),
                    };
                    if !used {
                        unused.push(format!("{}: {name} of {table:?} is unused", family.name));
                    }
                }
            }
            Access::Index(table, index) => {
                if !was_asked(&["Query"], table_name(*table)) {
                    unused.push(format!("{}: {index} of {table:?} is unused", family.name));
                }
            }
            Access::SendMail => {
                if !asked.iter().any(|(_, operation, _)| operation == "SendEmail") {
                    unused.push(format!("{}: mails are never sent", family.name));
                }
            }
            Access::Send(queue) => {
                if !was_asked(&["SendMessageBatch", "SendMessage"], queue_name(*queue)) {
                    unused.push(format!("{}: {queue:?} is unused", family.name));
                }
            }
        }
    }
    unused
}
