//! The hourly limit of mails (contract `emails.limits`).

use std::{ops::Range, time::Duration};

use serde_json::{Value, json};
use service::Table;

use super::{ONE_CLICK, begin, dropped, mails, mention, post, prefer, recipients, start, wait};
use crate::app::App;

/// Mentions `bob` this many times, a second apart.
async fn flood(app: &App, document: &str, threads: Range<usize>) {
    for n in threads {
        mention(app, document, &format!("t{n:02}"), &format!("text {n:02}.")).await;
        wait(app, 1).await;
    }
}

/// The states of `bob`'s mails, those of the first event first.
async fn traced(app: &App) -> Vec<Value> {
    let sent = json!({ "organizationId": "acme", "userId": "bob", "pageSize": 1000 });
    let rows = app.call("notifications.trace_get", sent).await.data();
    let rows = rows.as_array().expect("rows").iter().rev();
    rows.filter(|row| row["channel"] == "email").cloned().collect()
}

/// The hint for the collapsed mail.
fn wake_rest(app: &App) -> Value {
    let rest = app.items_of(Table::Schedule, &app.key).into_iter().find_map(|item| {
        let generation = item["SK"]["S"].as_str()?.strip_prefix("mail#")?.to_owned();
        let body: Value = serde_json::from_str(item["body"]["S"].as_str()?).ok()?;
        (body["state"]["is"] == "waiting").then_some(generation)
    });
    let key = json!({
        "row": "mail", "organizationId": "acme", "userId": "bob",
        "generation": rest.expect("a mail that waits"),
    });
    let body = json!({ "tenant": app.key.api_key, "message": { "wake": key } }).to_string();
    json!({ "Records": [{ "messageId": "m", "body": body }] })
}

#[tokio::test]
async fn mails_above_20_in_an_hour_become_one_mail_at_its_end() {
    let app = start().await;
    let begun = app.now();
    flood(&app, "d", 0..25).await;
    assert_eq!(recipients(&app), vec!["bob@example.com"; 20]);
    let rows = traced(&app).await;
    assert_eq!(rows.len(), 25);
    assert!(rows[..20].iter().all(|row| row["state"] == "delivered"), "{rows:?}");
    let due = rows[20]["dueAt"].as_u64().expect("a time");
    assert!((begun + 3_600_000..begun + 3_602_000).contains(&due), "{due} {begun}");
    for row in &rows[20..] {
        assert_eq!((&row["state"], &row["dueAt"]), (&json!("pending"), &json!(due)));
    }
    let sent = json!({ "organizationId": "acme", "userId": "bob" });
    let inbox = app.call("notifications.get", sent).await.data();
    assert_eq!(inbox.as_array().map(Vec::len), Some(25), "what is in the product does not wait");
    begin(&app, ("d", "x"), "ada", "for another", json!([{ "userId": "cy" }])).await;
    wait(&app, (due - app.now()) / 1000 - 1).await;
    assert_eq!(recipients(&app)[20..], ["cy@example.com"], "others are not concerned");

    wait(&app, 2).await;
    let all = mails(&app);
    assert_eq!(all.len(), 22);
    assert_eq!(all[21].subject, "5 new comments in Plan");
    for n in 0..25 {
        let text = format!("text {n:02}.");
        let shown = all.iter().filter(|mail| mail.text.contains(&text)).count();
        assert_eq!(shown, 1, "{text}");
    }
    let rows = traced(&app).await;
    assert!(rows.iter().all(|row| row["state"] == "delivered"), "{rows:?}");
    assert!(rows.iter().all(|row| row["notificationId"].is_string()), "{rows:?}");

    flood(&app, "d", 25..27).await;
    assert_eq!(mails(&app).len(), 24, "the next hour is like any other");
    assert_eq!(mails(&app)[23].subject, "Comment thread in Plan");
    wait(&app, 2 * 3600).await;
    assert_eq!(mails(&app).len(), 24);
}

#[tokio::test]
async fn a_collective_mail_omits_documents_muted_in_the_meantime() {
    let app = start().await;
    flood(&app, "d", 0..22).await;
    flood(&app, "e", 22..24).await;
    prefer(&app, "bob", Some("d"), "NONE").await;
    wait(&app, 3600).await;
    let all = mails(&app);
    assert_eq!((all.len(), all[20].subject.as_str()), (21, "2 new comments in Map"));
    assert!(!all[20].text.contains("text 21."), "{}", all[20].text);
    let rows = traced(&app).await;
    let states: Vec<&Value> = rows[20..].iter().map(|row| &row["state"]).collect();
    assert_eq!(states, ["dropped", "dropped", "delivered", "delivered"]);
    assert_eq!(rows[20]["reason"], "muted");
}

#[tokio::test]
async fn one_click_in_a_collective_mail_drops_the_mails_that_wait() {
    let app = start().await;
    flood(&app, "d", 0..22).await;
    wait(&app, 3600).await;
    let link = mails(&app)[20].unsubscribe(&app);
    flood(&app, "d", 30..52).await;
    assert_eq!(mails(&app).len(), 41);
    assert_eq!(post(&app, &link, ONE_CLICK).await.status(), 200);
    wait(&app, 3600).await;
    assert_eq!((mails(&app).len(), dropped(&app)), (41, vec!["muted".to_owned()]));
    let rows = traced(&app).await;
    let last = &rows[rows.len() - 1];
    assert_eq!((&last["state"], &last["reason"]), (&json!("dropped"), &json!("muted")));
}

#[tokio::test]
async fn simultaneous_workers_send_a_collective_mail_once() {
    let app = start().await;
    flood(&app, "d", 0..22).await;
    let event = wake_rest(&app);
    let run = || app.stack().run_worker("emails.send", event.clone());
    run().await.expect("a worker");
    assert_eq!(mails(&app).len(), 20, "it is not due");
    app.advance(Duration::from_secs(3600));
    futures_util::future::join_all((0..5).map(|_| run())).await;
    assert_eq!(mails(&app).len(), 21);
    run().await.expect("a worker");
    wait(&app, 300).await;
    assert_eq!(mails(&app).len(), 21);
}

#[tokio::test]
async fn custom_notifications_are_included_in_a_collective_mail() {
    let app = start().await;
    for n in 0..23 {
        let sent = json!({
            "organizationId": "acme", "documentId": "d", "notifyAll": false,
            "actionUser": { "userId": "ada", "name": "Ada" }, "notifyUsers": [{ "userId": "bob" }],
            "displayHeadlineMessageTemplate": "{actionUser} released {version}",
            "displayHeadlineMessageTemplateData": { "version": format!("1.{n}") },
            "displayBodyMessage": format!("body {n}."),
        });
        app.call("notifications.add", sent).await.ok();
        wait(&app, 1).await;
    }
    wait(&app, 3600).await;
    let all = mails(&app);
    assert_eq!((all.len(), all[20].subject.as_str()), (21, "3 updates in Plan"));
    for n in 20..23 {
        let text = &all[20].text;
        assert!(text.contains(&format!("Ada released 1.{n}")), "{text}");
        assert!(text.contains(&format!("body {n}.")), "{text}");
    }
}

#[tokio::test]
async fn mails_above_the_daily_limit_are_dropped_and_stay_in_the_inbox() {
    let app = start().await;
    let limits = json!({ "apiKey": app.key.api_key, "mailsPerDay": 2 });
    app.call("operator.api_key_limits_update", limits).await.ok();
    app.advance(Duration::from_secs(11));
    flood(&app, "d", 0..4).await;
    assert_eq!(recipients(&app), vec!["bob@example.com"; 2]);
    let rows = traced(&app).await;
    let reasons: Vec<&Value> = rows.iter().map(|row| &row["reason"]).collect();
    assert_eq!(reasons, [&Value::Null, &Value::Null, &json!("daily_limit"), &json!("daily_limit")]);
    let sent = json!({ "organizationId": "acme", "userId": "bob" });
    let inbox = app.call("notifications.get", sent).await.data();
    assert_eq!(inbox.as_array().map(Vec::len), Some(4));
    app.advance(Duration::from_secs(24 * 60 * 60));
    flood(&app, "d", 4..5).await;
    assert_eq!(recipients(&app).len(), 3, "another day");
}
