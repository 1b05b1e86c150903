//! Events of the outbox become messages of the queues.

use std::{collections::BTreeSet, time::Duration};

use emulator::{Effect, Emulator, Fault};
use local::{PREFIX, queue_name, table_name};
use serde_json::{Value, json};
use service::{MAX_RECEIVES, Queue, Table};

use crate::{app::App, cleanup::is_deletion};

/// The sample world after a deletion of every kind, its events not sent on yet.
async fn world() -> App {
    let app = App::start().await;
    app.fill_sample_world("").await;
    delete_one_of_every_kind(&app, Duration::from_secs(1)).await;
    app.forget_calls();
    app
}

/// Deletes from the sample world, with a pause behind each.
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

fn records(app: &App) -> Vec<Value> {
    let records = app.emulator().stream(&table_name(Table::Events), None, 1000).unwrap();
    let records = records.into_iter().map(|record| record.record);
    let records: Vec<Value> = records.filter(is_deletion).collect();
    assert_eq!(records.len(), EVENTS.len());
    records
}

fn stored(record: &Value) -> Value {
    let body = record["dynamodb"]["NewImage"]["body"]["S"].as_str().expect("a body");
    serde_json::from_str(body).expect("JSON")
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
    app.emulator().queue_depth(queue).unwrap().visible
}

/// What every message of the queue says, which are taken out of it.
async fn messages(app: &App) -> Vec<Value> {
    let taken = take(app, &queue_name(Queue::Cleanup)).await;
    taken.iter().map(|it| serde_json::from_str(it["Body"].as_str().unwrap()).unwrap()).collect()
}

/// Takes every message out of a queue.
async fn take(app: &App, queue: &str) -> Vec<Value> {
    let url = format!("http://localhost{}", Emulator::queue_path(queue));
    let mut messages = Vec::new();
    while waiting_in(app, queue) > 0 {
        let request = json!({
            "QueueUrl": url, "MaxNumberOfMessages": 10, "MessageAttributeNames": ["All"],
        });
        let received = app.emulator().sqs("ReceiveMessage", request).await.unwrap();
        for message in received["Messages"].as_array().expect("messages") {
            messages.push(message.clone());
            let request = json!({ "QueueUrl": url, "ReceiptHandle": message["ReceiptHandle"] });
            app.emulator().sqs("DeleteMessage", request).await.unwrap();
        }
    }
    messages
}

/// The kinds of the events that the messages tell of.
fn kinds(messages: &[Value]) -> BTreeSet<&str> {
    let kind = |message: &Value| message["message"]["event"]["type"].as_str().map(str::len);
    assert!(messages.iter().all(|message| kind(message).is_some()), "{messages:?}");
    messages.iter().filter_map(|message| message["message"]["event"]["type"].as_str()).collect()
}

fn no_queue(skip: usize, times: usize, effect: Effect) -> Fault {
    Fault { operation: "SendMessageBatch".to_owned(), skip, times, effect }
}

/// Everything that is stored for callers.
fn resources(app: &App) -> Vec<Value> {
    app.items_of(Table::Resources, &app.key)
}

#[tokio::test]
async fn each_deletion_becomes_one_message() {
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
async fn a_record_that_tells_of_no_insertion_is_skipped() {
    let app = world().await;
    let [first, second, third, ..] = records(&app).try_into().map(|r: [Value; 5]| r).unwrap();
    let other = |record: &Value, name: Value| {
        let mut record = record.clone();
        record["eventName"] = name;
        record
    };
    for name in [json!("REMOVE"), json!("MODIFY"), json!("insert"), json!(null)] {
        assert_eq!(run(&app, &[other(&first, name)]).await, done());
    }
    assert_eq!(app.calls(), [], "it costs nothing");
    let around = [first, other(&second, json!("REMOVE")), third];
    assert_eq!(run(&app, &around).await, done());
    let expected = BTreeSet::from(["document.delete", "user_group.delete"]);
    let sent = messages(&app).await;
    assert_eq!((sent.len(), kinds(&sent)), (2, expected));
}

#[tokio::test]
async fn a_record_that_cannot_be_read_holds_up_no_other_and_ends_with_its_reason() {
    let app = world().await;
    app.expect_dead_letters();
    let dead = format!("{PREFIX}{}", Queue::JournalRetry.dead_letters());
    let records = records(&app);
    let with_body = |body: Value| {
        let mut record = records[2].clone();
        record["dynamodb"]["NewImage"]["body"] = body;
        record
    };
    let changed = |change: fn(&mut Value)| {
        let mut event = stored(&records[2]);
        change(&mut event);
        with_body(json!({ "S": event.to_string() }))
    };
    let mut without_image = records[2].clone();
    without_image["dynamodb"].as_object_mut().unwrap().remove("NewImage");
    for broken in [
        without_image,
        with_body(json!({ "N": "1" })),
        with_body(json!({ "S": "" })),
        with_body(json!({ "S": "{" })),
        with_body(json!({ "S": "{}" })),
        changed(|event| event["event"]["type"] = json!("nothing.happened")),
        changed(|event| event["event"] = json!({ "type": "user_group.delete" })),
        changed(|event| event["tenant"] = json!(null)),
        changed(|event| event["at"] = json!("now")),
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

/// Repaired, they are moved back as the operator's guide says.
#[tokio::test]
async fn an_event_that_failed_by_itself_is_fanned_out_when_it_comes_again() {
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
async fn an_event_waits_until_the_queue_takes_it() {
    let app = world().await;
    let records = records(&app);
    app.fault(no_queue(1, 1000, Effect::InternalError));
    // They are handled at the same time, so any one may be the first that is taken.
    let answer = run(&app, &records).await;
    assert!([failed(&records[0]), failed(&records[1])].contains(&answer), "{answer}");
    assert_eq!(messages(&app).await.len(), 1);
    assert_eq!(run(&app, &records[1..]).await, failed(&records[1]));
    assert_eq!((waiting(&app), waiting_in(&app, &queue_name(Queue::JournalRetry))), (0, 0));
    app.emulator().clear_faults();
    assert_eq!(run(&app, &records).await, done());
    let sent = messages(&app).await;
    assert_eq!((sent.len(), kinds(&sent)), (5, BTreeSet::from(EVENTS)));
}

#[tokio::test]
async fn a_queue_that_takes_nothing_at_first_is_offered_the_message_again() {
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
    let mut event = stored(&record);
    event["tenant"] = json!("rt_gone");
    record["dynamodb"]["NewImage"]["body"]["S"] = json!(event.to_string());
    assert_eq!(run(&app, &[record]).await, done());
    assert_eq!(waiting(&app), 0);
}

#[tokio::test]
async fn a_repeated_record_is_sent_again_and_does_no_harm() {
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
