//! Events of a document are numbered from 1 without gaps, whatever repeats or fails.

use std::collections::BTreeMap;

use embedded::{Effect, Fault};
use futures_util::future::join_all;
use roundtable::queue_name;
use serde_json::{Value, json};
use service::{Queue, Table};

use super::{done, run, take, waiting_in};
use crate::{
    app::{App, Credentials, events_of},
    deliveries::thread,
    schedule::put,
};

/// An address without a listener.
const NOWHERE: &str = "http://127.0.0.1:9999/";

/// The sample data, with webhooks for all events.
async fn world() -> App {
    let app = App::start().await;
    app.fill_sample_world("").await;
    listen(&app).await;
    app.settle().await;
    app
}

pub(crate) async fn listen(app: &App) {
    let enabled = json!({ "isEnabled": true });
    app.call("configuration.advanced_webhooks_update", enabled).await.ok();
    app.call("webhook-endpoints.create", json!({ "url": NOWHERE })).await.ok();
    app.advance(std::time::Duration::from_millis(1));
}

/// The entries of the document `welcome`: the id of each number.
pub(crate) fn entries(app: &App) -> BTreeMap<u64, String> {
    let items = app.items_of(Table::Events, &app.key);
    let bodies = items.iter().filter_map(|item| item["body"]["S"].as_str());
    let stored = bodies.map(|body| serde_json::from_str::<Value>(body).expect("JSON"));
    let here = stored.filter(|stored| stored["event"]["documentId"] == "welcome");
    // The message of the samples has no number.
    let entry = |stored: Value| {
        let id = stored["id"].as_str().expect("an id").to_owned();
        Some((stored["seq"].as_u64()?, id))
    };
    here.filter_map(entry).collect()
}

/// The last number of the document `welcome`.
pub(crate) fn last(app: &App) -> u64 {
    let items = app.items_of(Table::Events, &app.key);
    let is_counter = |item: &&Value| {
        let place = item["PK"]["S"].as_str().unwrap_or_default();
        place.ends_with("document#welcome") && item["SK"]["S"] == "counter"
    };
    let counter = items.iter().find(is_counter);
    counter.and_then(|item| item["seq"]["N"].as_str()?.parse().ok()).unwrap_or(0)
}

/// The records of the document `welcome` after the first `n`.
fn new_records(app: &App, n: usize) -> Vec<Value> {
    app.records().into_iter().skip(n).collect()
}

#[tokio::test]
async fn fifty_writers_at_once_leave_no_gap() {
    let app = world().await;
    let before = last(&app);
    let ids: Vec<String> = (0..50).map(|n| format!("t{n}")).collect();
    join_all(ids.iter().map(|id| thread(&app, id))).await;
    app.settle().await;
    let numbers: Vec<u64> = entries(&app).into_keys().filter(|seq| *seq > before).collect();
    assert_eq!(numbers, (before + 1..=before + 50).collect::<Vec<_>>());
    assert_eq!(last(&app), before + 50);
}

/// Threads and editors are in the partition of their document, recordings in that of the
/// organization: their events have separate lanes.
#[tokio::test]
async fn events_from_several_partitions_are_numbered_without_gaps() {
    let app = world().await;
    let (before, read) = (last(&app), app.records().len());
    for n in 0..8 {
        thread(&app, &format!("t{n}")).await;
        let attachment = json!({
            "attachmentId": n, "url": "https://cdn.example.com/take.mp4", "mimeType": "video/mp4",
            "name": "take.mp4", "type": "mp4", "size": 1,
        });
        let recording = json!({
            "organizationId": "acme", "documentId": "welcome", "recordings": [{
                "annotationId": format!("r{n}"), "recordingType": "screen", "recordedTime": { "duration": 1 },
                "attachments": [attachment], "from": { "userId": "ada" },
            }],
        });
        app.call("recordings.add", recording).await.ok();
        let editor = json!({
            "organizationId": "acme", "documentId": "welcome", "editorId": format!("e{n}"),
            "type": "text", "data": "x",
        });
        app.call("editors.add", editor).await.ok();
    }
    let records = new_records(&app, read);
    assert_eq!(records.len(), 24);
    // Shards are read side by side: one lane may be far ahead of another.
    let is_of_document = |record: &&Value| {
        let partition = &record["dynamodb"]["NewImage"]["PK"]["S"];
        partition.as_str().is_some_and(|partition| partition.ends_with("#document#welcome"))
    };
    let (ahead, behind): (Vec<Value>, Vec<Value>) =
        records.iter().cloned().partition(|record| is_of_document(&record));
    assert_eq!((ahead.len(), behind.len()), (16, 8));
    for part in [&ahead[..9], &behind[..3], &ahead[3..], &behind[..], &ahead[..], &records[..]] {
        assert_eq!(run(&app, part).await, done());
    }
    assert_eq!(last(&app), before + 24);
    // Events of the editors wait for their webhook.
    assert_eq!(entries(&app).into_keys().filter(|seq| *seq > before).count(), 16);
    app.settle().await;
    assert_eq!(last(&app), before + 24);
}

#[tokio::test]
async fn a_batch_that_comes_again_keeps_its_numbers_however_it_is_split() {
    let app = world().await;
    let (before, read) = (last(&app), app.records().len());
    for n in 0..40 {
        thread(&app, &format!("t{n}")).await;
    }
    let records = new_records(&app, read);
    // The first consumer dies after some writes; the store does not know it.
    app.fault(Fault {
        operation: "PutItem".to_owned(),
        skip: 20,
        times: 1000,
        effect: Effect::InternalError,
    });
    assert_ne!(run(&app, &records).await, done());
    app.embedded().clear_faults();
    for part in [&records[..7], &records[..3], &records[3..35], &records[20..], &records[..]] {
        assert_eq!(run(&app, part).await, done());
    }
    let expected = records.iter().map(|record| events_of(record)[0]["id"].clone());
    let expected: BTreeMap<u64, Value> = (before + 1..).zip(expected).collect();
    let mut kept = entries(&app);
    kept.retain(|seq, _| *seq > before);
    let kept: BTreeMap<u64, Value> = kept.into_iter().map(|(seq, id)| (seq, json!(id))).collect();
    assert_eq!(kept, expected);
    take(&app, &queue_name(Queue::Deliveries)).await;
}

#[tokio::test]
async fn a_batch_consumed_four_times_at_once_is_numbered_once() {
    let app = world().await;
    let (before, read) = (last(&app), app.records().len());
    for n in 0..20 {
        thread(&app, &format!("t{n}")).await;
    }
    let records = new_records(&app, read);
    let answers = join_all((0..4).map(|_| run(&app, &records))).await;
    assert!(answers.iter().all(|answer| *answer == done()), "{answers:?}");
    assert_eq!(last(&app), before + 20);
    let kept: Vec<u64> = entries(&app).into_keys().filter(|seq| *seq > before).collect();
    assert_eq!(kept, (before + 1..=before + 20).collect::<Vec<_>>());
    app.settle().await;
}

async fn put_config(app: &App, key: &Credentials, is_enabled: Value) {
    let item = json!({
        "PK": { "S": format!("key#{}", key.api_key) }, "SK": { "S": "webhook#settings" },
        "isEnabled": is_enabled, "_version": { "S": "x" }, "_written": { "N": "1" },
    });
    put(app, Table::Resources, &item).await;
}

#[tokio::test]
async fn an_event_that_always_fails_waits_with_its_number_and_holds_up_no_other() {
    let app = world().await;
    app.expect_dead_letters();
    let read = app.records().len();
    thread(&app, "first").await;
    let other = app.second_key().await;
    let organization = json!({ "organizationId": "acme", "createOrganization": true,
        "documents": [{ "documentId": "welcome" }] });
    app.call_as(&other, "documents.add", organization).await.ok();
    let enabled = json!({ "isEnabled": true });
    app.call_as(&other, "configuration.advanced_webhooks_update", enabled).await.ok();
    app.call_as(&other, "webhook-endpoints.create", json!({ "url": NOWHERE })).await.ok();
    app.advance(std::time::Duration::from_millis(1));
    let comment = json!([{ "from": { "userId": "ada" }, "commentText": "x" }]);
    let sent = json!({ "organizationId": "acme", "documentId": "welcome",
        "commentAnnotations": [{ "annotationId": "other", "commentData": comment }] });
    app.call_as(&other, "comments.annotations_add", sent).await.ok();
    thread(&app, "second").await;
    // The configuration of the other key cannot be read.
    put_config(&app, &other, json!({ "S": "neither" })).await;
    let before = entries(&app).len();

    let records = new_records(&app, read);
    assert_eq!(run(&app, &records).await, done());
    assert_eq!(entries(&app).len(), before + 2, "those around it are kept");
    let aside = take(&app, &queue_name(Queue::JournalRetry)).await;
    let bodies = aside.iter().map(|message| message["Body"].as_str().unwrap());
    let aside: Vec<Value> = bodies.map(|body| serde_json::from_str(body).unwrap()).collect();
    assert!(aside.iter().all(|message| message["tenant"] == other.api_key.as_str()));
    let aside = aside.into_iter().find(|message| message["message"]["seq"] == 1);
    let aside = aside.expect("the thread, with its number");

    // Repaired, it is passed on with the number it has.
    put_config(&app, &other, json!({ "BOOL": true })).await;
    let again = json!({ "Records": [{ "messageId": "again", "body": aside.to_string() }] });
    assert_eq!(app.stack().run_worker("journal.retry", again).await, Some(done()));
    let kept = app.items_of(Table::Events, &other);
    let kept = kept.iter().filter_map(|item| item["body"]["S"].as_str());
    let kept: Vec<Value> = kept.map(|body| serde_json::from_str(body).unwrap()).collect();
    assert_eq!(kept.iter().map(|it| &it["seq"]).collect::<Vec<_>>(), [&json!(1)]);
    assert_eq!(waiting_in(&app, &queue_name(Queue::JournalRetry)), 0);
    take(&app, &queue_name(Queue::Deliveries)).await;
}

#[tokio::test]
async fn an_event_without_subscribers_costs_one_write_for_its_number() {
    let app = App::start().await;
    app.fill_sample_world("").await;
    let disabled = json!({ "isEnabled": false });
    app.call("configuration.advanced_webhooks_update", disabled).await.ok();
    app.settle().await;
    app.advance(std::time::Duration::from_millis(1));
    let (before, read, kept) = (last(&app), app.records().len(), entries(&app).len());
    thread(&app, "quiet").await;
    let records = new_records(&app, read);
    app.forget_calls();
    assert_eq!(run(&app, &records).await, done());
    let writes = app.calls().into_iter().filter(|call| call.operation == "UpdateItem");
    assert_eq!(writes.map(|call| call.units).collect::<Vec<_>>(), [1.0]);
    let others = app.calls().into_iter().filter(|call| call.operation != "UpdateItem");
    let others = others.map(|call| call.operation).collect::<Vec<_>>();
    let reads = ["BatchGetItem", "GetItem", "Query"];
    assert!(others.iter().all(|operation| reads.contains(&operation.as_str())), "{others:?}");
    assert!(others.len() <= 3, "{others:?}");
    assert_eq!((last(&app), entries(&app).len()), (before + 1, kept));
}
