//! Events that expired in the stream are found on their items and dispatched.

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};

use crate::{
    app::App,
    deliveries::thread,
    journal::numbers::{entries, last, listen},
};

const HOUR: u64 = 60 * 60;

async fn world() -> App {
    let app = App::start().await;
    app.fill_sample_world("").await;
    app.advance(Duration::from_millis(1));
    listen(&app).await;
    app.settle().await;
    app.advance(Duration::from_secs(1));
    app
}

/// The ids of the messages to the endpoint.
async fn sent(app: &App) -> BTreeSet<String> {
    let found = app.call("deliveries.messages_get", json!({})).await.data();
    let messages = found["messages"].as_array().expect("messages");
    messages.iter().map(|it| it["id"].as_str().expect("an id").to_owned()).collect()
}

async fn repair(app: &App, since: u64) -> Value {
    let order = json!({ "since": since });
    app.stack().run_worker("operator.events_repair", order).await.expect("the worker")
}

/// The function of the stream is down for two days: three threads are added, and one of them is
/// changed.
#[tokio::test]
async fn events_that_nobody_read_for_two_days_are_numbered_and_passed_on() {
    let app = world().await;
    let (since, before, last) = (app.now(), entries(&app), last(&app));
    for id in ["t1", "t2", "t3"] {
        thread(&app, id).await;
        app.advance(Duration::from_secs(60));
    }
    let change = json!({ "organizationId": "acme", "documentId": "welcome",
        "annotationIds": ["t1"], "updatedData": { "status": { "id": "RESOLVED", "name": "Resolved",
        "type": "terminal" } } });
    app.call("comments.annotations_update", change).await.ok();
    assert_eq!(repair(&app, since).await["passedOn"], 0, "they may still come from the stream");

    app.advance(Duration::from_secs(48 * HOUR) + Duration::from_millis(1));
    app.settle().await;
    assert_eq!(entries(&app), before, "the stream has forgotten them");
    let done = repair(&app, since).await;
    assert_eq!((&done["next"], &done["unreadable"]), (&Value::Null, &json!(0)), "{done}");
    assert_eq!(done["passedOn"], 3, "what t1 said first was overwritten: {done}");
    let mut after = entries(&app);
    after.retain(|seq, _| !before.contains_key(seq));
    let expected: Vec<u64> = (last + 1..=last + 3).collect();
    assert_eq!(after.keys().copied().collect::<Vec<_>>(), expected);

    app.settle().await;
    let sent = sent(&app).await;
    let is_sent = |id: &String| sent.contains(&format!("msg_{id}"));
    assert!(after.values().all(is_sent), "the journal dispatches them: {after:?}, {sent:?}");

    let ids = entries(&app);
    assert_eq!(repair(&app, since).await["passedOn"], 3);
    assert_eq!(entries(&app), ids, "once more, they keep their numbers");
}

#[tokio::test]
async fn a_repair_passes_on_nothing_older_than_since_and_requires_since() {
    let app = world().await;
    thread(&app, "t1").await;
    app.advance(Duration::from_secs(48 * HOUR));
    let before = entries(&app);
    assert_eq!(repair(&app, app.now()).await["passedOn"], 0);
    assert_eq!(entries(&app), before);
    let answer = app.stack().run_worker("operator.events_repair", json!({})).await.unwrap();
    assert!(answer["error"].as_str().is_some_and(|error| error.contains("since")), "{answer}");
}
