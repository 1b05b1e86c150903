//! What notifications and mails ask.

use std::time::Duration;

use emulator::Emulator;
use local::queue_name;
use serde_json::{Value, json};
use service::Queue;

use super::{
    Seen, family_of,
    workers::{sweep, work},
};
use crate::app::App;

/// A mail that finds no room at first, the feedback on it, and the link that ends such mails: for a
/// document, and for all of them.
pub(super) async fn run_mails(seen: &mut Seen) {
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
    let feedback = json!({ "Records": [{ "messageId": "feedback", "body": body }] });
    work(&app, "emails.feedback", feedback).await;
    seen.take(family, &app);
    let link = crate::emails::only_mail(&app).unsubscribe(&app);
    assert_eq!(crate::emails::post(&app, &link, crate::emails::ONE_CLICK).await.status(), 200);
    seen.take(family, &app);
}

/// People are notified: after a delay, by a window that fills up, by mail; then the time of the key
/// is moved.
pub(super) async fn run_notices(seen: &mut Seen) {
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
        journal(seen, &app, &mut read).await;
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
        journal(seen, &app, &mut read).await;
        deliver(seen, &app).await;
        // What is looked at a second time becomes due with the time of the key.
        let added = json!({ "organizationId": "acme", "documents": [{ "documentId": "spare" }] });
        app.call("documents.add", added).await.ok();
        let gone = json!({ "organizationId": "acme", "documentIds": ["spare"] });
        app.call("documents.delete", gone).await.ok();
        journal(seen, &app, &mut read).await;
        sweep(&app, false).await;
        seen.take(family_of("cleanup.sweep"), &app);
        app.call("schedule.test_clock_advance", json!({ "seconds": 1300 })).await.ok();
        journal(seen, &app, &mut read).await;
        deliver(seen, &app).await;
    }
}

/// A thread that notifies.
fn sent_again(comment: &Value) -> Value {
    let annotations = json!([{ "commentData": [comment] }]);
    json!({ "organizationId": "acme", "documentId": "welcome", "commentAnnotations": annotations })
}

/// Gives the events that were written since to the worker of the stream.
async fn journal(seen: &mut Seen, app: &App, read: &mut usize) {
    app.advance(Duration::from_secs(11));
    app.forget_calls();
    let new: Vec<Value> = app.records().into_iter().skip(*read).collect();
    *read += new.len();
    work(app, "journal.events", json!({ "Records": new })).await;
    seen.take(family_of("journal.events"), app);
    drain(seen, app, Queue::JournalRetry, "journal.retry").await;
}

/// Gives the messages of the queue of notifications to their worker, until there are none.
async fn deliver(seen: &mut Seen, app: &App) {
    drain(seen, app, Queue::Notifications, "notifications.deliver").await;
}

async fn drain(seen: &mut Seen, app: &App, queue: Queue, worker: &str) {
    let url = format!("http://localhost{}", Emulator::queue_path(&queue_name(queue)));
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
            work(app, worker, json!({ "Records": [record] })).await;
            seen.take(family_of(worker), app);
            let request = json!({ "QueueUrl": url, "ReceiptHandle": message["ReceiptHandle"] });
            app.emulator().sqs("DeleteMessage", request).await.unwrap();
            app.forget_calls();
        }
    }
}
