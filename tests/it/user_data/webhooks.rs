//! Webhook messages that name an erased user, stored and pending.

use std::time::Duration;

use serde_json::{Value, json};
use service::Table;

use super::{
    call, delete,
    erase::{run, run_with_every_call_failing},
    finish, has_word, person, status,
};
use crate::{
    app::{
        App,
        receiver::{Answer, Receiver},
    },
    deliveries,
};

/// A deployment with webhooks of both kinds.
async fn start() -> (App, Receiver) {
    let (app, receiver) = deliveries::start().await;
    let endpoint = json!({ "url": receiver.url, "filterTypes": ["comment_annotation.add"] });
    app.call("webhook-endpoints.create", endpoint).await.ok();
    let basic = json!({ "useWebhookService": true, "webhookServiceConfig": {
        "authToken": "t", "rawNotificationUrl": format!("{}/raw", receiver.url),
    } });
    app.call("configuration.webhooks_update", basic).await.ok();
    app.advance(Duration::from_millis(1));
    (app, receiver)
}

/// Threads of one comment.
async fn threads(app: &App, by: &str, number: usize) {
    let comment = json!([{ "from": person(by), "commentText": format!("Text of {by}") }]);
    let threads = vec![json!({ "commentData": comment }); number];
    call(
        app,
        "comments.annotations_add",
        json!({ "documentId": "welcome", "commentAnnotations": threads }),
    )
    .await;
    app.advance(Duration::from_millis(5));
    app.settle().await;
}

async fn messages(app: &App) -> Vec<Value> {
    let data = app.call("deliveries.messages_get", json!({})).await.data();
    data["messages"].as_array().unwrap().clone()
}

async fn answers(app: &App, message: &Value) -> Vec<Value> {
    let sent = json!({ "messageId": message["id"] });
    let data = app.call("deliveries.attempts_get", sent).await.data();
    data["attempts"].as_array().unwrap().iter().map(|it| it["response"].clone()).collect()
}

/// The ledger's items that name the user.
fn traces(app: &App) -> Vec<String> {
    let items = [Table::Events, Table::Schedule].map(|table| app.items_of(table, &app.key));
    let is_of_webhooks =
        |item: &Value| item["SK"]["S"].as_str().unwrap().starts_with("webhook-message#");
    let items = items.into_iter().flatten().filter(is_of_webhooks);
    items.map(|item| item.to_string()).filter(|item| has_word(item, "zoe")).collect()
}

/// The body of an expunged message.
fn left_of(message: &Value) -> Value {
    let (payload, id) = (&message["payload"], &message["id"]);
    json!({
        "type": "comment_annotation.add", "timestamp": message["timestamp"], "id": id,
        "seq": payload["seq"], "expunged": true,
    })
}

#[tokio::test]
async fn stored_webhook_messages_no_longer_name_the_user() {
    let (app, receiver) = start().await;
    threads(&app, "bob", 1).await;
    receiver.answer(Answer::status(200).body("Thanks, zoe."));
    threads(&app, "zoe", 1).await;
    let before = messages(&app).await;
    assert_eq!(traces(&app).len(), 3, "a message, and its outcome at two endpoints");
    delete(&app, &["zoe"]).await;
    finish(&app).await;
    assert_eq!(traces(&app), [""; 0]);

    let after = messages(&app).await;
    assert_eq!(after[0]["payload"], left_of(&before[0]));
    assert!(after[0]["payload"]["seq"].is_u64());
    assert_eq!(answers(&app, &after[0]).await, [""; 2]);
    assert_eq!(after[1..], before[1..], "what names others stays");
}

#[tokio::test]
async fn pending_retries_after_an_erasure_send_the_expunged_message() {
    let (app, receiver) = start().await;
    receiver.script([500; 4].map(Answer::status));
    threads(&app, "zoe", 1).await;
    app.advance(Duration::from_secs(10));
    app.settle().await;
    let before = receiver.take();
    assert_eq!(before.len(), 4);
    delete(&app, &["zoe"]).await;
    finish(&app).await;
    app.advance(Duration::from_secs(400));
    app.tick().await;
    app.settle().await;
    let mut after = receiver.take();
    after.sort_by_key(|it| it.path.clone());
    let [advanced, raw] = after.as_slice() else { panic!("{after:?}") };
    assert!([advanced, raw].iter().all(|it| it.id() == before[0].id()));
    assert_eq!(advanced.json(), left_of(&messages(&app).await[0]));
    let left = json!({
        "webhookId": raw.id(), "actionType": "newlyAdded", "notificationSource": "comment",
        "expunged": true,
    });
    assert_eq!(raw.json(), left);
    assert_eq!(raw.header("authorization"), "Basic t");
}

#[tokio::test]
async fn messages_of_organizations_that_the_deletion_does_not_name_stay() {
    let (app, _receiver) = start().await;
    threads(&app, "zoe", 1).await;
    let before = messages(&app).await;
    for (organization, is_left) in [("globex", true), ("acme", false)] {
        let sent = json!({ "userIds": ["zoe"], "organizationIds": [organization] });
        app.call("user-data.delete", sent).await.ok();
        finish(&app).await;
        assert_eq!(messages(&app).await == before, is_left, "{organization}");
    }
}

/// The messages exceed one page; whichever call fails, later ones complete the erasure.
#[tokio::test]
async fn an_erasure_interrupted_at_any_call_is_completed_later() {
    let (app, receiver) = start().await;
    threads(&app, "bob", 26).await;
    receiver.answer(Answer::status(200).body("Thanks, zoe."));
    threads(&app, "zoe", 2).await;
    assert_eq!(traces(&app).len(), 6);
    let job = delete(&app, &["zoe"]).await;
    run(&app, &job, 1).await;
    let walk = json!({ "jobId": job, "at": app.now() });
    run_with_every_call_failing(&app, &walk, 3..100).await;
    assert_eq!(traces(&app), [""; 0]);
    finish(&app).await;
    assert_eq!(status(&app, &job).await["tasksLeft"], 0);
}
