//! What the workers ask that nobody sees: cleanup, compaction, erasure.

use std::time::Duration;

use emulator::Emulator;
use futures_util::future::join;
use local::queue_name;
use serde_json::{Value, json};
use service::{Queue, Table};

use super::{Seen, family_of};
use crate::{app::App, cleanup::is_deletion, journal::delete_one_of_every_kind};

/// Deletions of every kind, then each worker by itself until nothing is left, so that it is known
/// whose calls are whose.
pub(super) async fn run_workers(seen: &mut Seen) {
    let (app, _) = App::sample_world().await;
    delete_one_of_every_kind(&app, Duration::ZERO).await;
    app.advance(Duration::from_secs(11));
    app.forget_calls();

    let mut records = app.records();
    assert_eq!(records.iter().filter(|record| is_deletion(record)).count(), 5);
    // It cannot be read, and is set aside.
    records.push(json!({ "eventName": "INSERT", "dynamodb": { "SequenceNumber": "1" } }));
    work(&app, "journal.events", json!({ "Records": records })).await;
    seen.take(family_of("journal.events"), &app);

    assert_eq!(sweep(&app, true).await, 6, "the first order came twice");
    seen.take(family_of("cleanup.sweep"), &app);

    app.advance(Duration::from_secs(21 * 60));
    work(&app, "schedule.release", json!({})).await;
    seen.take(family_of("schedule.release"), &app);
    assert_eq!(sweep(&app, false).await, 5);
    seen.take(family_of("cleanup.sweep"), &app);
}

/// The log of an editor becomes a snapshot, and that one another; then the first one goes.
pub(super) async fn run_compaction(seen: &mut Seen) {
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
        let last = app.records().pop();
        work(&app, "journal.events", json!({ "Records": [last] })).await;
        seen.take(family_of("journal.events"), &app);
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
pub(super) async fn run_erasure(seen: &mut Seen) {
    let (app, _) = App::sample_world().await;
    let editor = json!({
        "organizationId": "acme", "documentId": "welcome", "editorId": "of-ada", "type": "text",
        "data": "x", "userId": "ada",
    });
    app.call("editors.add", editor).await.ok();
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

pub(super) async fn work(app: &App, worker: &str, event: Value) {
    let answer = app.stack().run_worker(worker, event).await.expect("a worker");
    assert!(answer.is_null() || answer == json!({ "batchItemFailures": [] }), "{answer}");
}

/// Gives the messages of the cleanup queue to its worker; answers how many there were. The time of
/// the first one is up as soon as it has begun, so that it sends its order again.
pub(super) async fn sweep(app: &App, mut is_late: bool) -> usize {
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
