//! `notifications.trace_get`.

use serde_json::{Value, json};

use super::scene::{
    add_users, comment, configure, configure_mail, delay, inbox, prefer, reply, say, see, start,
    thread, told_of, trace, wait,
};
use crate::app::App;

#[tokio::test]
async fn each_event_has_a_row_for_each_user_and_channel() {
    let app = start().await;
    configure_mail(&app, json!({ "useEmailService": true })).await;
    delay(&app, 60).await;
    let mention = json!({ "taggedUserContacts": [{ "userId": "bob" }] });
    thread(&app, "d", "t", comment("ada", "x", mention), json!({})).await;
    app.settle().await;
    let [event] = told_of(&app).try_into().unwrap();
    let rows = trace(&app, json!({ "eventId": event })).await;
    let due = rows[0]["dueAt"].clone();
    assert!(due.as_u64().is_some_and(|due| due > app.now() && due <= app.now() + 60_000));
    let row = |user: &str, channel: &str| json!({ "eventId": event, "userId": user, "channel": channel, "state": "pending", "dueAt": due });
    let expected =
        [row("bob", "inbox"), row("bob", "email"), row("cy", "inbox"), row("eve", "inbox")];
    assert_eq!(rows, expected);
    assert_eq!(trace(&app, json!({ "eventId": event, "userId": "bob" })).await, expected[..2]);
    assert_eq!(trace(&app, json!({ "userId": "bob" })).await, expected[..2]);
    assert_eq!(trace(&app, json!({})).await, expected);
    assert_eq!(trace(&app, json!({ "documentId": "d" })).await, expected);
    assert_eq!(trace(&app, json!({ "documentId": "e" })).await, [] as [Value; 0]);
    assert_eq!(trace(&app, json!({ "documentId": "e", "userId": "bob" })).await, [] as [Value; 0]);
    assert_eq!(trace(&app, json!({ "documentId": "e", "eventId": event })).await, [] as [Value; 0]);

    see(&app, "d", "t", "cy").await;
    prefer(&app, "bob", None, json!({ "email": "NONE" })).await;
    wait(&app, 61).await;
    let id = inbox(&app, "bob").await[0]["id"].clone();
    let rows = trace(&app, json!({ "eventId": event })).await;
    assert_eq!((&rows[0]["state"], &rows[0]["notificationId"]), (&json!("delivered"), &id));
    assert_eq!((&rows[1]["state"], &rows[1]["reason"]), (&json!("dropped"), &json!("muted")));
    assert_eq!((&rows[2]["state"], &rows[2]["reason"]), (&json!("dropped"), &json!("seen")));
    assert_eq!(rows[3]["state"], "delivered");
}

#[tokio::test]
async fn the_trace_of_an_event_shows_what_the_configuration_excluded() {
    let app = start().await;
    configure_mail(&app, json!({ "useEmailService": true })).await;
    let off = json!({ "triggers": { "comment.add": false } });
    configure_mail(&app, json!({ "emailServiceConfig": off })).await;
    configure(&app, json!({ "useNotificationService": false })).await;
    let silent = json!({ "triggerNotification": false });
    thread(&app, "d", "t", comment("ada", "x", silent), json!({})).await;
    reply(&app, "d", "t", comment("ada", "y", json!({}))).await;
    app.settle().await;
    let [event] = told_of(&app).try_into().unwrap();
    app.advance(std::time::Duration::from_millis(1));
    configure(&app, json!({ "useNotificationService": true })).await;
    let rows = trace(&app, json!({ "eventId": event })).await;
    assert_eq!(
        rows,
        [
            json!({ "eventId": event, "channel": "inbox", "state": "dropped", "reason": "service_off" }),
            json!({ "eventId": event, "channel": "email", "state": "dropped", "reason": "trigger_off" }),
        ]
    );
    assert_eq!(trace(&app, json!({})).await, [] as [Value; 0]);
    assert_eq!(trace(&app, json!({ "eventId": "none" })).await, [] as [Value; 0]);
    assert_eq!(trace(&app, json!({ "organizationId": "none" })).await, [] as [Value; 0]);
}

/// All rows, page by page.
async fn walk(app: &App, filter: Value, size: usize) -> Vec<Value> {
    let (mut rows, mut token) = (Vec::new(), Value::Null);
    loop {
        let mut sent = filter.clone();
        super::merge(
            &mut sent,
            json!({ "organizationId": "acme", "pageSize": size, "pageToken": token }),
        );
        let reply = app.call("notifications.trace_get", sent).await.ok();
        let page = reply["data"].as_array().unwrap();
        assert!(page.len() <= size);
        rows.extend(page.iter().cloned());
        token = reply["pageToken"].clone();
        if token.is_null() {
            return rows;
        }
    }
}

#[tokio::test]
async fn pages_of_any_size_are_complete_and_the_latest_event_comes_first() {
    let app = start().await;
    configure_mail(&app, json!({ "useEmailService": true })).await;
    let users: Vec<String> = (0..110).map(|n| format!("user-{n:03}")).collect();
    add_users(&app, &users.iter().map(String::as_str).collect::<Vec<_>>()).await;
    for n in 0..3 {
        let mention = json!({ "taggedUserContacts": [{ "userId": "bob" }] });
        let comment = comment("ada", "x", mention);
        thread(&app, "d", &format!("t{n}"), comment, json!({})).await;
        app.advance(std::time::Duration::from_millis(5));
    }
    app.settle().await;
    for filter in [json!({}), json!({ "userId": "bob" }), json!({ "documentId": "d" })] {
        let all = walk(&app, filter.clone(), 1000).await;
        let expected = if filter["userId"].is_null() { 3 * 114 } else { 6 };
        assert_eq!(all.len(), expected, "{filter}");
        assert!(all.is_sorted_by(|a, b| a["eventId"].as_str() >= b["eventId"].as_str()));
        for size in [1, 7, 113, 342] {
            if size > 1 || expected < 10 {
                assert_eq!(walk(&app, filter.clone(), size).await, all, "{filter} {size}");
            }
        }
    }
    let [event, ..] = told_of(&app).try_into().map(|it: [String; 3]| it).unwrap();
    let filter = json!({ "eventId": event });
    assert_eq!(walk(&app, filter.clone(), 9).await, trace(&app, filter).await);
}

#[tokio::test]
async fn an_invalid_member_is_refused_with_its_path() {
    let app = start().await;
    for (sent, path) in [
        (json!({}), "organizationId"),
        (json!({ "organizationId": "acme", "userId": "" }), "userId"),
        (json!({ "organizationId": "acme", "documentId": 7 }), "documentId"),
        (json!({ "organizationId": "acme", "eventId": true }), "eventId"),
        (json!({ "organizationId": "acme", "pageSize": 0 }), "pageSize"),
        (json!({ "organizationId": "acme", "pageToken": "x" }), "pageToken"),
    ] {
        let wrong = super::wrong(&app, "notifications.trace_get", sent).await;
        assert_eq!(wrong, json!(["data", path]));
    }
}

#[tokio::test]
async fn the_trace_of_an_event_is_kept_for_14_days() {
    let app = start().await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    wait(&app, 14 * 86_400 - 60).await;
    assert_eq!(trace(&app, json!({ "userId": "bob" })).await.len(), 1);
    wait(&app, 120).await;
    assert_eq!(trace(&app, json!({ "userId": "bob" })).await, [] as [Value; 0]);
    assert_eq!(trace(&app, json!({})).await, [] as [Value; 0]);
}
