//! Data that remain of an erased user anywhere (contract `user-data.remains`).

use std::time::Duration;

use serde_json::{Value, json};
use service::Table;

use super::{
    add_comment, add_thread, call, delete, erase::world, finish, has_word, person, status,
};
use crate::{app::App, end_users};

/// Texts that name the user: id, name, address, and words.
const MARKERS: [&str; 4] = ["zoe", "Name of zoe", "zoe@example.com", "Text of zoe"];

/// Rows that remain, with the part of the contract that says so.
const REMAINS: [(Table, &str, &str); 6] = [
    (Table::Resources, "organization-grant#", "for 49 hours a record that rights ended"),
    (Table::Events, "event#", "events with recipients, for 90 days"),
    (Table::Schedule, "pending", "the same, while they are delivered"),
    (Table::Schedule, "recipients#", "the same"),
    (Table::Schedule, "message#", "the second look of a clean-up, for 20 minutes"),
    (Table::Realtime, "live-event#", "events of the live channel, for an hour"),
];

/// Attributes that remain: the events of the last write, until the next one.
const EVENTS: &str = "_events";

/// The items of all tables of the deployment that name the user besides what remains.
fn left_over(app: &App) -> Vec<String> {
    let mut found = vec![];
    for table in Table::ALL {
        for mut item in app.embedded().dump(&roundtable::table_name(table)).expect("a dump") {
            let sort = item["SK"]["S"].as_str().unwrap_or_default().to_owned();
            let is_known =
                |(of, head, _): &(Table, &str, &str)| *of == table && sort.starts_with(head);
            if REMAINS.iter().any(is_known) || item.get("_gone").is_some() {
                continue;
            }
            item.as_object_mut().expect("an item").remove(EVENTS);
            let text = item.to_string();
            let marks: Vec<&str> =
                MARKERS.into_iter().filter(|mark| has_word(&text, mark)).collect();
            if !marks.is_empty() {
                found.push(format!("{} {sort} {marks:?}: {text}", table.name()));
            }
        }
    }
    found
}

/// Data of zoe in every kind of item.
async fn everywhere(app: &App) {
    app.call(
        "configuration.webhooks_update",
        json!({ "useWebhookService": true,
        "webhookServiceConfig": { "rawNotificationUrl": "http://127.0.0.1:9009/none" } }),
    )
    .await
    .ok();
    let text =
        json!({ "documentId": "d", "editorId": "e", "type": "text", "data": "x", "userId": "zoe" });
    call(app, "editors.add", text).await;
    let custom = json!({ "documents": [{ "documentId": "e", "owner": person("zoe") }] });
    call(app, "documents.update", custom).await;
    app.enable_activities(true).await;
    let all: Vec<Value> = (0..90)
        .map(|n| {
            let by = if n % 2 == 0 { "zoe" } else { "bob" };
            json!({
                "commentId": n, "from": person(by), "context": { "for": person("zoe") },
                "commentText": format!("Text of {by}. {{{{zoe}}}} {}", "x".repeat(2_000)),
                "triggerNotification": true, "triggerActivities": true,
            })
        })
        .collect();
    add_thread(app, "d", json!({ "annotationId": "long", "commentData": all[..1] })).await;
    for some in all[1..].chunks(30) {
        let sent = json!({ "documentId": "d", "annotationId": "long", "commentData": some });
        call(app, "comments.add", sent).await;
    }
    app.settle().await;
    let document = json!({ "type": "document", "id": "d", "organizationId": "acme" });
    end_users::token(app, "zoe", json!([document])).await;
    add_comment(app, "last", "zoe").await;
}

#[tokio::test]
async fn a_completed_erasure_leaves_nothing_of_the_user() {
    let app = world().await;
    everywhere(&app).await;
    app.settle().await;
    assert!(left_over(&app).len() > 60, "{}", left_over(&app).len());
    let job = delete(&app, &["zoe"]).await;
    finish(&app).await;
    assert_eq!(status(&app, &job).await["isDeleteCompleted"], true);
    assert_eq!(left_over(&app), Vec::<String>::new());
}

/// Workers hours late, and each message twice.
#[tokio::test]
async fn late_and_repeated_workers_leave_nothing_of_the_user() {
    let app = world().await;
    everywhere(&app).await;
    let job = delete(&app, &["zoe"]).await;
    app.advance(Duration::from_secs(3 * 3600));
    add_comment(&app, "late", "zoe").await;
    let membership = json!({ "documentId": "e", "users": [person("zoe")] });
    call(&app, "users.add", membership).await;
    finish(&app).await;
    super::erase::run(&app, &job, 0).await;
    super::erase::run(&app, &job, 1).await;
    finish(&app).await;
    assert_eq!(status(&app, &job).await["isDeleteCompleted"], true);
    assert_eq!(left_over(&app), Vec::<String>::new());
}

/// The rows of versions that did not write all of them are found by a walk, once.
#[tokio::test]
async fn rows_of_earlier_versions_are_erased_and_their_missing_links_are_written_once() {
    let app = super::start().await;
    let comment = json!({ "commentId": 1, "from": person("bob"), "commentText": "{{zoe}} {{cy}}" });
    let thread = json!({
        "annotationId": "t", "commentData": [comment], "context": { "for": person("zoe") },
    });
    add_thread(&app, "d", thread).await;
    let news = json!({
        "documentId": "d", "notificationId": "n", "actionUser": person("bob"),
        "notifyUsers": [person("bob")], "metadata": { "for": [person("zoe"), person("cy")] },
        "displayHeadlineMessageTemplate": "News", "displayBodyMessage": "Read it.",
    });
    call(&app, "notifications.add", news).await;
    forget_rows(&app).await;
    let rows = |user: &str| {
        let items = app.items_of(Table::Resources, &app.key).into_iter();
        let head = format!("link#{user}#beside#");
        items.filter(|item| item["SK"]["S"].as_str().unwrap().starts_with(&head)).count()
    };
    assert_eq!((rows("zoe"), rows("cy")), (0, 0));
    delete(&app, &["zoe"]).await;
    finish(&app).await;
    assert_eq!(left_over(&app), Vec::<String>::new());
    assert_eq!((rows("zoe"), rows("cy")), (0, 2), "the next erasure finds everybody");
    let items = app.items_of(Table::Resources, &app.key);
    let record = items.iter().find(|item| item["SK"]["S"] == "organization#acme").unwrap();
    assert_eq!(record["_findsPeople"]["BOOL"], true);
}

/// Makes the data that of a version without rows for users who are named in passing.
async fn forget_rows(app: &App) {
    let table = roundtable::table_name(Table::Resources);
    for mut item in app.items_of(Table::Resources, &app.key) {
        let sort = item["SK"]["S"].as_str().unwrap().to_owned();
        let key = json!({ "PK": item["PK"], "SK": item["SK"] });
        if sort.starts_with("link#") && sort.contains("#beside#") {
            dynamodb(app, "DeleteItem", json!({ "TableName": table, "Key": key })).await;
        } else if sort == "organization#acme" || sort == "notification#n" {
            item.as_object_mut().unwrap().remove("_findsPeople");
            if let Some(Value::Object(links)) = item.pointer_mut("/_links/M") {
                links.retain(|rest, _| !rest.starts_with("link#beside#"));
            }
            dynamodb(app, "PutItem", json!({ "TableName": table, "Item": item })).await;
        }
    }
}

async fn dynamodb(app: &App, operation: &str, request: Value) {
    let sent = reqwest::Client::new()
        .post(app.stack().aws_endpoint().expect("a port"))
        .header("x-amz-target", format!("DynamoDB_20120810.{operation}"))
        .body(request.to_string())
        .send();
    sent.await.unwrap().error_for_status().unwrap();
}
