//! Events of the streams become entries and messages.

pub(crate) mod numbers;

use std::{collections::BTreeSet, time::Duration};

use embedded::{Effect, EmbeddedServices, Fault, Service};
use roundtable::{dead_letters_name, queue_name};
use serde_json::{Value, json};
use service::{MAX_RECEIVES, Queue, Table};

use crate::{
    app::{App, Credentials, events_of},
    cleanup::is_deletion,
};

/// The sample data after a deletion of every kind, its events not dispatched yet.
async fn world() -> App {
    let app = App::start().await;
    app.fill_sample_world("").await;
    delete_one_of_every_kind(&app, Duration::from_secs(1)).await;
    app.forget_calls();
    app
}

/// Deletes from the sample data, with a pause after each.
pub(crate) async fn delete_one_of_every_kind(app: &App, pause: Duration) {
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
        app.advance(pause);
    }
}

const EVENTS: [&str; 5] =
    ["document.delete", "folder.delete", "user_group.delete", "user.delete", "organization.delete"];

/// The records of the deletions.
fn records(app: &App) -> Vec<Value> {
    let mut records = app.records();
    // The document takes its editors with it.
    records.retain(|it| is_deletion(it) && stored(it)["event"]["type"] != "editor.delete");
    assert_eq!(records.len(), EVENTS.len());
    records
}

fn stored(record: &Value) -> Value {
    events_of(record).remove(0)
}

async fn run(app: &App, records: &[Value]) -> Value {
    let event = json!({ "Records": records });
    app.stack().run_worker("journal.events", event).await.expect("the worker")
}

fn done() -> Value {
    json!({ "batchItemFailures": [] })
}

fn failed(record: &Value) -> Value {
    let sequence = record["dynamodb"]["SequenceNumber"].as_str().expect("a sequence number");
    json!({ "batchItemFailures": [{ "itemIdentifier": sequence }] })
}

fn waiting(app: &App) -> u64 {
    waiting_in(app, &queue_name(Queue::Cleanup))
}

fn waiting_in(app: &App, queue: &str) -> u64 {
    app.embedded().queue_depth(queue).unwrap().visible
}

/// Receives all messages of the queue; returns their bodies.
async fn messages(app: &App) -> Vec<Value> {
    let taken = take(app, &queue_name(Queue::Cleanup)).await;
    taken.iter().map(|it| serde_json::from_str(it["Body"].as_str().unwrap()).unwrap()).collect()
}

/// Receives all messages of a queue.
async fn take(app: &App, queue: &str) -> Vec<Value> {
    let url = format!("http://localhost{}", EmbeddedServices::queue_path(queue));
    let mut messages = Vec::new();
    while waiting_in(app, queue) > 0 {
        let request = json!({
            "QueueUrl": url, "MaxNumberOfMessages": 10, "MessageAttributeNames": ["All"],
        });
        let received = app.embedded().sqs("ReceiveMessage", request).await.unwrap();
        for message in received["Messages"].as_array().expect("messages") {
            messages.push(message.clone());
            let request = json!({ "QueueUrl": url, "ReceiptHandle": message["ReceiptHandle"] });
            app.embedded().sqs("DeleteMessage", request).await.unwrap();
        }
    }
    messages
}

/// The kinds of events in the messages.
fn kinds(messages: &[Value]) -> BTreeSet<&str> {
    let kind = |message: &Value| message["message"]["event"]["type"].as_str().map(str::len);
    assert!(messages.iter().all(|message| kind(message).is_some()), "{messages:?}");
    messages.iter().filter_map(|message| message["message"]["event"]["type"].as_str()).collect()
}

fn no_queue(skip: usize, times: usize, effect: Effect) -> Fault {
    Fault { operation: "SendMessageBatch".to_owned(), skip, times, effect }
}

/// All stored data of callers.
fn resources(app: &App) -> Vec<Value> {
    app.items_of(Table::Resources, &app.key)
}

#[tokio::test]
async fn each_deletion_sends_one_message() {
    let app = world().await;
    let now = app.now();
    for (record, kind) in records(&app).iter().zip(EVENTS) {
        let event = stored(record);
        assert_eq!(event["event"]["type"], kind);
        assert_eq!(run(&app, std::slice::from_ref(record)).await, done());
        let sent = messages(&app).await;
        assert_eq!(sent.len(), 1, "{kind}");
        assert_eq!(sent[0]["tenant"], event["tenant"], "{kind}");
        let order = &sent[0]["message"];
        assert_eq!((&order["event"], &order["at"]), (&event["event"], &event["at"]), "{kind}");
        assert_eq!(order["pass"], 0, "{kind}");
        assert_eq!(order["event"]["organizationId"], "acme", "{kind}");
        assert!(order["at"].as_u64().is_some_and(|at| at < now), "{kind}");
    }
    assert_eq!(run(&app, &records(&app)).await, done());
    let sent = messages(&app).await;
    assert_eq!((sent.len(), kinds(&sent)), (5, BTreeSet::from(EVENTS)));
}

#[tokio::test]
async fn a_record_without_a_new_event_is_skipped_without_a_call() {
    let app = world().await;
    let [first, second, third, ..] = records(&app).try_into().map(|r: [Value; 5]| r).unwrap();
    let mut removed = second.clone();
    removed["dynamodb"].as_object_mut().unwrap().remove("NewImage");
    let mut carried_before = second.clone();
    carried_before["dynamodb"]["OldImage"] = second["dynamodb"]["NewImage"].clone();
    let mut carries_none = second.clone();
    carries_none["dynamodb"]["NewImage"].as_object_mut().unwrap().remove("_events");
    for nothing in [&removed, &carried_before, &carries_none] {
        assert_eq!(run(&app, std::slice::from_ref(nothing)).await, done());
    }
    assert_eq!(app.calls(), [], "it costs nothing");
    assert_eq!(run(&app, &[first, carried_before, third]).await, done());
    let expected = BTreeSet::from(["document.delete", "user_group.delete"]);
    let sent = messages(&app).await;
    assert_eq!((sent.len(), kinds(&sent)), (2, expected));
}

#[tokio::test]
async fn a_record_that_cannot_be_read_holds_up_no_other_and_ends_with_its_reason() {
    let app = world().await;
    app.expect_dead_letters();
    let dead = dead_letters_name(Queue::JournalRetry);
    let records = records(&app);
    let with_events = |events: Value| {
        let mut record = records[2].clone();
        record["dynamodb"]["NewImage"]["_events"] = events;
        record
    };
    let text = records[2]["dynamodb"]["NewImage"]["_events"]["S"].as_str().expect("a text");
    let carried: Value = serde_json::from_str(text).expect("JSON");
    let changed = |change: fn(&mut Value)| {
        let mut carried = carried.clone();
        change(&mut carried);
        with_events(json!({ "S": carried.to_string() }))
    };
    let mut without_key = records[2].clone();
    without_key["dynamodb"]["NewImage"].as_object_mut().unwrap().remove("PK");
    for broken in [
        without_key,
        with_events(json!({ "N": "1" })),
        with_events(json!({ "S": "" })),
        with_events(json!({ "S": "{}" })),
        changed(|carried| carried["events"][0]["type"] = json!("nothing.happened")),
        changed(|carried| carried["tenant"] = json!(null)),
        changed(|carried| carried["at"] = json!("now")),
    ] {
        let batch = [&records[0], &records[1], &broken, &records[3]].map(Value::clone);
        assert_eq!(run(&app, &batch).await, done(), "{broken}");
        let sent = messages(&app).await;
        let expected = BTreeSet::from(["document.delete", "folder.delete", "user.delete"]);
        assert_eq!((sent.len(), kinds(&sent)), (3, expected), "{broken}");

        assert_eq!(waiting_in(&app, &queue_name(Queue::JournalRetry)), 1, "{broken}");
        for _ in 0..MAX_RECEIVES {
            let _ = app.try_settle().await;
            app.advance(Duration::from_secs(7 * 60));
        }
        let letter = take(&app, &dead).await.pop().expect("a dead letter");
        let attribute = |name: &str| letter["MessageAttributes"][name]["StringValue"].clone();
        assert_eq!(attribute("worker"), "journal.retry", "{letter}");
        assert!(attribute("reason").as_str().is_some_and(|it| it.len() > 10), "{letter}");
        assert!(attribute("messageId").is_string(), "{letter}");
        messages(&app).await;
    }
}

/// Two tenants, one of them with an event whose messages every queue refuses.
#[tokio::test]
async fn an_event_whose_message_is_refused_does_not_block_other_tenants() {
    let app = App::start().await;
    let other = app.second_key().await;
    let delete = async |key: &Credentials, id: &str| {
        let documents = json!({ "organizationId": "acme", "createOrganization": true,
            "documents": [{ "documentId": id }] });
        app.call_as(key, "documents.add", documents).await.ok();
        let deleted = json!({ "organizationId": "acme", "documentIds": [id] });
        app.call_as(key, "documents.delete", deleted).await.ok();
        app.advance(Duration::from_millis(1));
    };
    delete(&app.key, "poison").await;
    delete(&other, "good").await;
    let mut records = app.records();
    records.retain(is_deletion);
    app.fault(no_queue(0, 100, Effect::Refuse("poison".to_owned())));
    assert_eq!(run(&app, &records).await, done(), "the stream goes on");
    let sent = messages(&app).await;
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0]["tenant"], other.api_key.as_str());
    assert_eq!(waiting_in(&app, &queue_name(Queue::JournalRetry)), 0, "refused there, too");
}

/// SQS refuses some characters that ids may have, or counts them differently.
#[tokio::test]
async fn bodies_of_messages_are_ascii() {
    let app = App::start().await;
    let documents = json!({ "organizationId": "acme", "createOrganization": true,
        "documents": [{ "documentId": "é🦀\u{fffd}" }] });
    app.call("documents.add", documents).await.ok();
    let deleted = json!({ "organizationId": "acme", "documentIds": ["é🦀\u{fffd}"] });
    app.call("documents.delete", deleted).await.ok();
    let mut records = app.records();
    records.retain(is_deletion);
    assert_eq!(run(&app, &records).await, done());
    let taken = take(&app, &queue_name(Queue::Cleanup)).await.remove(0);
    let body = taken["Body"].as_str().expect("a body");
    assert!(body.is_ascii(), "{body}");
    let body: Value = serde_json::from_str(body).expect("JSON");
    assert_eq!(body["message"]["event"]["documentId"], "é🦀\u{fffd}");
}

/// After the fix, they are redriven as in the operator's guide.
#[tokio::test]
async fn a_failed_event_is_passed_on_when_the_retry_worker_gets_it_again() {
    let app = world().await;
    let record = &records(&app)[2];
    let event = stored(record);
    let body = json!({ "tenant": event["tenant"], "ahead": 0, "message": event }).to_string();
    let again = json!({ "Records": [{ "messageId": "again", "body": body }] });
    let answer = app.stack().run_worker("journal.retry", again).await;
    assert_eq!(answer, Some(done()));
    assert_eq!(kinds(&messages(&app).await), BTreeSet::from(["user_group.delete"]));
}

#[tokio::test]
async fn events_wait_until_the_queue_takes_them() {
    let app = world().await;
    let records = records(&app);
    app.fault(no_queue(0, 1000, Effect::InternalError));
    assert_eq!(run(&app, &records).await, failed(&records[0]));
    assert_eq!(run(&app, &records[1..]).await, failed(&records[1]));
    assert_eq!((waiting(&app), waiting_in(&app, &queue_name(Queue::JournalRetry))), (0, 0));
    app.embedded().clear_faults();
    assert_eq!(run(&app, &records).await, done());
    let sent = messages(&app).await;
    assert_eq!((sent.len(), kinds(&sent)), (5, BTreeSet::from(EVENTS)));
}

#[tokio::test]
async fn all_messages_of_a_batch_of_events_are_sent_in_one_call() {
    let app = world().await;
    assert_eq!(run(&app, &records(&app)).await, done());
    let sent = app.calls().into_iter().filter(|call| call.service == Service::Sqs);
    assert_eq!(sent.map(|call| call.items).collect::<Vec<_>>(), [EVENTS.len()]);
}

#[tokio::test]
async fn a_message_that_the_queue_refuses_once_is_sent_again() {
    for effect in [Effect::Unprocessed, Effect::Throttle, Effect::InternalError] {
        let app = world().await;
        app.fault(no_queue(0, 1, effect.clone()));
        assert_eq!(run(&app, &records(&app)[..1]).await, done(), "{effect:?}");
        assert_eq!(messages(&app).await.len(), 1, "{effect:?}");
    }
    let app = world().await;
    app.fault(no_queue(0, 1000, Effect::Unprocessed));
    let record = records(&app).remove(0);
    assert_eq!(run(&app, std::slice::from_ref(&record)).await, failed(&record));
    assert_eq!(waiting(&app), 0);
}

#[tokio::test]
async fn the_event_of_a_key_that_is_gone_is_dropped() {
    let app = world().await;
    let mut record = records(&app).remove(0);
    let text = record["dynamodb"]["NewImage"]["_events"]["S"].as_str().expect("a text");
    let text = text.replace(&app.key.api_key, "rt_gone");
    record["dynamodb"]["NewImage"]["_events"]["S"] = json!(text);
    assert_eq!(run(&app, &[record]).await, done());
    assert_eq!(waiting(&app), 0);
}

#[tokio::test]
async fn a_repeated_record_is_sent_again_and_changes_nothing() {
    let app = world().await;
    let records = records(&app);
    app.settle().await;
    let fresh = json!({
        "organizationId": "acme", "createOrganization": true, "folderId": "handbook",
        "createFolder": true, "documents": [{ "documentId": "welcome" }],
    });
    app.call("documents.add", fresh).await.ok();
    let users = json!({ "organizationId": "acme", "users": [{ "userId": "ada" }] });
    app.call("users.add", users).await.ok();
    app.settle().await;
    let before = resources(&app);
    for kept in ["document#welcome", "folder#handbook", "user#ada"] {
        assert!(before.iter().any(|item| item["SK"]["S"] == kept), "{kept}");
    }

    let again = [records.clone(), records].concat();
    assert_eq!(run(&app, &again).await, done());
    assert_eq!(waiting(&app), 10);
    app.fault(no_queue(0, 1, Effect::LoseReply));
    assert_eq!(run(&app, &again[..1]).await, done());
    assert_eq!(waiting(&app), 12, "the first try was taken, and the second as well");

    assert_eq!(app.settle().await, 12);
    app.advance(Duration::from_secs(21 * 60));
    app.tick().await;
    app.settle().await;
    assert_eq!(resources(&app), before);
    assert_eq!(waiting(&app), 0);
}
