//! The delay, and the check when it is over (rules N6, N7, N11, N13, N17, N18).

use serde_json::json;

use super::scene::{
    change, comment, configure, counts, delay, fates, inbox, prefer, reply, say, see, start,
    thread, told_of, trace, wait, work,
};
use crate::app::App;

#[tokio::test]
async fn n6_a_notification_appears_only_after_its_delay_of_10_to_15552000_seconds() {
    // Near delays are kept by the queue, far ones by the timer: the switch is between 840 and 841.
    for seconds in [10, 840, 841, 900, 901, 15_552_000] {
        let app = start().await;
        delay(&app, seconds).await;
        say(&app, "d", "t", "ada").await;
        app.settle().await;
        let event = told_of(&app).pop().unwrap();
        wait(&app, seconds - 7).await;
        assert_eq!(counts(&app, ["bob", "cy"]).await, [0, 0], "{seconds} s");
        let row = &trace(&app, json!({ "eventId": event, "userId": "bob" })).await[0];
        assert_eq!(row["state"], "pending");
        assert!(row["dueAt"].as_u64().unwrap() > app.now());
        wait(&app, 8).await;
        assert_eq!(counts(&app, ["bob", "cy"]).await, [1, 1], "{seconds} s");
        assert!(inbox(&app, "bob").await[0]["timestamp"].as_u64() >= row["dueAt"].as_u64());
    }
}

#[tokio::test]
async fn n6_a_changed_delay_applies_only_to_later_comments() {
    let app = start().await;
    delay(&app, 600).await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    delay(&app, 60).await;
    say(&app, "d", "s", "ada").await;
    wait(&app, 61).await;
    assert_eq!(counts(&app, ["bob"]).await, [1]);
    let off = json!({ "delayConfig": { "isEnabled": false } });
    configure(&app, json!({ "notificationServiceConfig": off })).await;
    wait(&app, 500).await;
    assert_eq!(counts(&app, ["bob"]).await, [1], "fixed when it happened");
    wait(&app, 40).await;
    assert_eq!(counts(&app, ["bob"]).await, [2]);
}

#[tokio::test]
async fn n7_a_comment_seen_during_the_delay_is_dropped() {
    let app = start().await;
    delay(&app, 60).await;
    see(&app, "d", "t", "bob").await;
    app.advance(std::time::Duration::from_millis(5));
    say(&app, "d", "t", "ada").await;
    see(&app, "d", "t", "cy").await;
    wait(&app, 61).await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [1, 0, 1], "seen before is not seen");
    assert_eq!(fates(&app, "cy").await, ["inbox dropped seen"]);
    see(&app, "d", "t", "eve").await;
    assert_eq!(counts(&app, ["eve"]).await, [1], "seen after it is out changes nothing");
}

#[tokio::test]
async fn n7_without_a_delay_a_seen_comment_is_still_notified() {
    let app = start().await;
    say(&app, "d", "t", "ada").await;
    see(&app, "d", "t", "bob").await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob"]).await, [1]);
}

#[tokio::test]
async fn n7_a_user_who_acts_in_the_thread_during_the_delay_is_not_notified() {
    let app = start().await;
    delay(&app, 60).await;
    thread(&app, "d", "t", comment("ada", "x", json!({ "commentId": 7 })), json!({})).await;
    app.settle().await;
    app.advance(std::time::Duration::from_millis(1));
    let silent = json!({ "triggerNotification": false });
    reply(&app, "d", "t", comment("bob", "y", silent)).await;
    let reaction = json!({
        "organizationId": "acme", "documentId": "d", "annotationId": "t", "commentId": 7,
        "icon": "HEART", "from": { "userId": "cy" },
    });
    app.call("comments.reactions_add", reaction).await.ok();
    change(
        &app,
        "d",
        "t",
        json!({ "status": { "id": "RESOLVED" }, "statusUpdatedByUserId": "eve" }),
    )
    .await;
    wait(&app, 61).await;
    for user in ["bob", "cy", "eve"] {
        let fates = fates(&app, user).await;
        assert_eq!(fates.last().unwrap(), "inbox dropped seen", "{user}: {fates:?}");
    }
}

async fn dropped_as(reason: &str, users: &[&str], app: &App) {
    wait(app, 61).await;
    for user in users {
        assert_eq!(counts(app, [*user]).await, [0], "{user}");
        assert_eq!(fates(app, user).await, [format!("inbox dropped {reason}")], "{user}");
    }
}

#[tokio::test]
async fn n7_nobody_is_notified_of_a_deleted_document_out_of_one_that_is_added_again() {
    for is_taken in [false, true] {
        let app = start().await;
        delay(&app, 60).await;
        let numbered = |text, notifies: bool| {
            comment("ada", text, json!({ "commentId": 7, "triggerNotification": notifies }))
        };
        thread(&app, "d", "t", numbered("before", true), json!({})).await;
        if is_taken {
            app.settle().await;
        }
        app.advance(std::time::Duration::from_millis(1));
        let sent = json!({ "organizationId": "acme", "documentIds": ["d"] });
        app.call("documents.delete", sent).await.ok();
        let sent = json!({ "organizationId": "acme", "documents": [{ "documentId": "d" }] });
        app.call("documents.add", sent).await.ok();
        thread(&app, "d", "t", numbered("after", false), json!({})).await;
        wait(&app, 61).await;
        assert_eq!(counts(&app, ["bob", "cy"]).await, [0, 0], "taken before: {is_taken}");
        let expected = if is_taken { vec!["inbox dropped deleted"] } else { vec![] };
        assert_eq!(fates(&app, "bob").await, expected);
    }
}

#[tokio::test]
async fn n7_nobody_is_notified_of_deleted_comments_threads_and_documents() {
    let gone = json!({ "organizationId": "acme", "documentId": "d" });
    for kind in ["comment", "thread", "document", "folder"] {
        let app = start().await;
        delay(&app, 60).await;
        let folder = json!({ "organizationId": "acme", "folders": [{ "folderId": "f" }] });
        app.call("folders.add", folder).await.ok();
        let moved = json!({ "organizationId": "acme", "folderId": "f", "documentIds": ["d"] });
        app.call("documents.move_documents", moved).await.ok();
        thread(&app, "d", "t", comment("ada", "x", json!({ "commentId": 7 })), json!({})).await;
        app.settle().await;
        let mut sent = gone.clone();
        match kind {
            "comment" => {
                sent["annotationId"] = json!("t");
                sent["commentIds"] = json!([7]);
                app.call("comments.delete", sent).await.ok();
            }
            "thread" => {
                sent["annotationIds"] = json!(["t"]);
                app.call("comments.annotations_delete", sent).await.ok();
            }
            "document" => {
                let sent = json!({ "organizationId": "acme", "documentIds": ["d"] });
                app.call("documents.delete", sent).await.ok();
            }
            _ => {
                let sent = json!({ "organizationId": "acme", "folderId": "f" });
                app.call("folders.delete", sent).await.ok();
            }
        }
        dropped_as("deleted", &["bob", "cy"], &app).await;
    }
}

#[tokio::test]
async fn n17_users_removed_or_without_access_when_the_delay_ends_are_not_notified() {
    let app = start().await;
    delay(&app, 60).await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    let gone = json!({ "organizationId": "acme", "userIds": ["bob"] });
    app.call("users.delete", gone).await.ok();
    dropped_as("deleted", &["bob"], &app).await;

    let app = start().await;
    delay(&app, 60).await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    super::restrict(&app, "d", &["eve"]).await;
    dropped_as("no_access", &["bob", "cy"], &app).await;
    assert_eq!(counts(&app, ["eve"]).await, [1]);

    let app = start().await;
    delay(&app, 60).await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    super::restrict(&app, "d", &["eve"]).await;
    wait(&app, 30).await;
    super::restrict(&app, "d", &["bob", "eve"]).await;
    wait(&app, 31).await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [1, 0, 1], "access came back in time");
}

#[tokio::test]
async fn n13_a_thread_made_private_during_the_delay_notifies_only_users_who_may_see_it() {
    let app = start().await;
    delay(&app, 60).await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    let private = json!({ "visibility": { "type": "restricted", "userIds": ["bob"] } });
    change(&app, "d", "t", private).await;
    wait(&app, 61).await;
    assert_eq!(counts(&app, ["cy"]).await, [0]);
    assert_eq!(fates(&app, "cy").await, ["inbox dropped no_access"]);
    assert!(counts(&app, ["bob"]).await[0] >= 1);
}

#[tokio::test]
async fn n11_pending_notifications_are_dropped_only_if_the_service_is_off_when_they_are_due() {
    let app = start().await;
    delay(&app, 60).await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    configure(&app, json!({ "useNotificationService": false })).await;
    dropped_as("service_off", &["bob"], &app).await;
    configure(&app, json!({ "useNotificationService": true })).await;
    say(&app, "d", "s", "ada").await;
    app.settle().await;
    configure(&app, json!({ "useNotificationService": false })).await;
    wait(&app, 30).await;
    configure(&app, json!({ "useNotificationService": true })).await;
    wait(&app, 31).await;
    assert_eq!(counts(&app, ["bob"]).await, [1]);
    // A trigger that is switched off later stops nothing.
    say(&app, "d", "r", "ada").await;
    app.settle().await;
    let off = json!({ "triggers": { "comment": { "newlyAdded": false } } });
    configure(&app, json!({ "notificationServiceConfig": off })).await;
    wait(&app, 61).await;
    assert_eq!(counts(&app, ["bob"]).await, [2]);
}

#[tokio::test]
async fn unsubscribing_during_the_delay_drops_the_notification_of_a_user_who_prefers_mine() {
    let app = start().await;
    delay(&app, 60).await;
    prefer(&app, "bob", None, json!({ "inbox": "MINE" })).await;
    thread(&app, "d", "t", comment("bob", "x", json!({})), json!({})).await;
    reply(&app, "d", "t", comment("ada", "y", json!({}))).await;
    app.settle().await;
    let sent = json!({
        "organizationId": "acme", "documentId": "d", "annotationId": "t", "user": { "userId": "bob" },
    });
    app.call("comments.annotations_unsubscribe", sent).await.ok();
    wait(&app, 61).await;
    assert_eq!(counts(&app, ["bob"]).await, [0]);
    assert_eq!(fates(&app, "bob").await, ["inbox dropped muted"]);
}

#[tokio::test]
async fn n18_a_wake_message_that_is_early_or_repeated_changes_nothing() {
    let app = start().await;
    delay(&app, 60).await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    let key = json!({ "row": "pending", "eventId": work(&app, "pending")[0]["PK"]["S"].as_str().unwrap()
        .rsplit_once('#').unwrap().1 });
    let wake = |n: usize| {
        let message = json!({ "wake": key });
        let body = json!({ "tenant": app.key.api_key, "message": message }).to_string();
        vec![json!({ "messageId": "w", "body": body }); n]
    };
    let run = async |n: usize| {
        let event = json!({ "Records": wake(n) });
        app.stack().run_worker("notifications.deliver", event).await.unwrap()
    };
    run(3).await;
    assert_eq!(counts(&app, ["bob"]).await, [0], "never early");
    app.advance(std::time::Duration::from_secs(61));
    assert_eq!(run(5).await, json!({ "batchItemFailures": [] }));
    run(2).await;
    wait(&app, 120).await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [1, 1, 1]);
}
