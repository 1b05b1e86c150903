//! Reports of SES about mails.

use embedded::Fault;
use serde_json::{Value, json};
use service::Table;

use super::{add_user, begin, dropped, mention, rows, start, wait};
use crate::app::App;

const BOUNCES: &str = "bounce@simulator.amazonses.com";
const COMPLAINS: &str = "Complaint@simulator.amazonses.com";

async fn feed_back(app: &App, mail: &str, members: Value) {
    let mut message = json!({
        "mail": mail, "attempt": "1", "messageId": "m1", "recipient": "bob@example.com",
    });
    for (name, value) in members.as_object().expect("members") {
        message[name] = value.clone();
    }
    let body = json!({ "tenant": app.key.api_key, "message": message }).to_string();
    let event = json!({ "Records": [{ "messageId": "m", "body": body }] });
    let answer = app.stack().run_worker("emails.feedback", event).await.expect("a worker");
    assert_eq!(answer, json!({ "batchItemFailures": [] }));
}

#[tokio::test]
async fn an_address_that_bounced_gets_no_more_mails() {
    let app = start().await;
    add_user(&app, "bob", "Bob", BOUNCES).await;
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    assert_eq!(app.mails().len(), 1);
    assert_eq!(rows(&app, "feedback")[0]["returned"], "bounced");
    mention(&app, "d", "u", "y").await;
    wait(&app, 5).await;
    assert_eq!((app.mails().len(), dropped(&app)), (1, vec!["bounced".to_owned()]));
    wait(&app, 400 * 24 * 3600).await;
    mention(&app, "d", "v", "z").await;
    app.settle().await;
    // The first one was kept for 30 days.
    assert_eq!(app.mails().len(), 0, "until it is removed");
    add_user(&app, "bob", "Bob", "bob@example.com").await;
    mention(&app, "d", "w", "z").await;
    app.settle().await;
    assert_eq!(app.mails().len(), 1, "another address");
}

#[tokio::test]
async fn the_trace_of_a_mail_says_pending_while_throttled_and_dropped_after_a_bounce() {
    let app = start().await;
    add_user(&app, "bob", "Bob", BOUNCES).await;
    let fault = Fault {
        operation: "SendEmail".to_owned(),
        skip: 0,
        times: 1,
        effect: embedded::Effect::Throttle,
    };
    app.fault(fault);
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    let row = mail_row(&app).await;
    assert_eq!((&row["state"], row["dueAt"].is_u64()), (&json!("pending"), true), "{row}");
    wait(&app, 60).await;
    let row = mail_row(&app).await;
    assert_eq!((&row["state"], &row["reason"]), (&json!("dropped"), &json!("bounced")), "{row}");
    assert!(row.get("notificationId").is_none());
}

/// The trace of the mail about the first event.
async fn mail_row(app: &App) -> Value {
    let asked = json!({ "organizationId": "acme", "userId": "bob" });
    let rows = app.call("notifications.trace_get", asked).await.data();
    let rows = rows.as_array().expect("rows");
    rows.iter().find(|row| row["channel"] == "email").expect("a mail").clone()
}

#[tokio::test]
async fn an_address_that_complained_gets_no_more_mails_in_upper_or_lower_case() {
    let app = start().await;
    add_user(&app, "bob", "Bob", &COMPLAINS.to_lowercase()).await;
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    add_user(&app, "cy", "Cy", COMPLAINS).await;
    begin(&app, ("d", "u"), "ada", "x", json!([{ "userId": "bob" }, { "userId": "cy" }])).await;
    app.settle().await;
    assert_eq!(app.mails().len(), 1);
    assert_eq!(dropped(&app), ["suppressed", "suppressed"]);
    let items = app.items_of(Table::Schedule, &app.key);
    let of_lists = items.iter().filter(|item| item["SK"]["S"] == "suppressed");
    let text: Vec<String> = of_lists.map(Value::to_string).collect();
    assert!(text.len() == 1 && !text[0].contains('@'), "{text:?}");
}

#[tokio::test]
async fn a_bounce_suppresses_an_address_for_one_tenant_only() {
    let app = start().await;
    feed_back(&app, "f0", json!({ "kind": "Bounce", "bounceType": "Permanent" })).await;
    assert_eq!(app.items_of(Table::Schedule, &app.key).len(), 2);
    let other = app.second_key().await;
    assert!(app.items_of(Table::Schedule, &other).is_empty());
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    assert!(app.mails().is_empty());
}

#[tokio::test]
async fn transient_bounces_and_rejections_suppress_no_address() {
    let app = start().await;
    for (kind, bounce) in [
        ("Bounce", json!("Transient")),
        ("Bounce", json!("Undetermined")),
        ("Delivery", json!(null)),
    ] {
        feed_back(&app, "f0", json!({ "kind": kind, "bounceType": bounce })).await;
    }
    feed_back(&app, "f0", json!({ "kind": "Open" })).await;
    assert!(app.items_of(Table::Schedule, &app.key).is_empty());
    feed_back(&app, "f0", json!({ "kind": "Reject" })).await;
    assert_eq!(rows(&app, "feedback")[0]["returned"], "bounced");
    feed_back(&app, "f1", json!({ "kind": "Bounce", "bounceType": "Permanent", "recipient": "?" }))
        .await;
    assert!(rows(&app, "suppressed").is_empty());
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    assert_eq!(app.mails().len(), 1);
}

#[tokio::test]
async fn reports_in_any_order_and_repeated_have_the_same_result() {
    let app = start().await;
    let send = json!({ "kind": "Send" });
    let bounce = json!({ "kind": "Bounce", "bounceType": "Permanent" });
    let complaint = json!({ "kind": "Complaint" });
    let mut ends = Vec::new();
    for (mail, order) in [
        ("f0", vec![&send, &bounce, &complaint]),
        ("f1", vec![&complaint, &send, &complaint, &bounce, &bounce, &send]),
    ] {
        for members in order {
            feed_back(&app, mail, members.clone()).await;
        }
        let before = app.items_of(Table::Schedule, &app.key);
        feed_back(&app, mail, bounce.clone()).await;
        assert_eq!(app.items_of(Table::Schedule, &app.key), before);
        let key = format!("feedback#{mail}");
        let is_own = |item: &&Value| item["PK"]["S"].as_str().is_some_and(|pk| pk.ends_with(&key));
        let body = before.iter().find(is_own).expect("a row")["body"]["S"].clone();
        let mut body: Value = serde_json::from_str(body.as_str().expect("a text")).expect("JSON");
        body["at"] = json!(null);
        ends.push(body);
    }
    assert_eq!(ends[0], ends[1]);
    assert_eq!(ends[0]["taken"], json!({ "1": "m1" }));
    assert_eq!(rows(&app, "suppressed")[0]["reason"], "suppressed");
}
