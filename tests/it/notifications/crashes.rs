//! No notification is lost or repeated, whatever fails.

use embedded::{Effect, EmbeddedServices, Fault};
use roundtable::queue_name;
use serde_json::json;
use service::Queue;

use super::scene::{
    comment, configure_mail, counts, delay, delivered, say, sizes, start, thread, trace, wait,
    windows, work,
};
use crate::app::App;

/// Runs all due work of the next minutes, however often something fails.
async fn recover(app: &App, minutes: u64) {
    for _ in 0..3 {
        let _ = app.try_settle().await;
        // A message that failed becomes visible again.
        app.advance(std::time::Duration::from_secs(300));
    }
    for _ in 0..minutes {
        wait(app, 60).await;
    }
}

/// Three comments with delay, windows and mail, while the `n`-th call of an operation fails.
async fn with_fault(operation: &str, n: usize, effect: Effect) -> App {
    let app = start().await;
    app.expect_dead_letters();
    configure_mail(&app, json!({ "useEmailService": true })).await;
    delay(&app, 30).await;
    windows(&app, Some((30, 2)), Some((90, 50))).await;
    for id in ["t1", "t2", "t3"] {
        let mention = json!({ "taggedUserContacts": [{ "userId": "bob" }] });
        thread(&app, "d", id, comment("ada", "x", mention), json!({})).await;
    }
    // The retries of the client fail, too.
    let times = if effect == Effect::LoseReply { 1 } else { 4 };
    app.fault(Fault { operation: operation.to_owned(), skip: n, times, effect });
    for seconds in [31, 31, 61] {
        let _ = app.try_settle().await;
        app.advance(std::time::Duration::from_secs(seconds));
        app.tick().await;
        let _ = app.try_settle().await;
    }
    app.embedded().clear_faults();
    recover(&app, 3).await;
    app
}

#[tokio::test]
async fn one_failure_anywhere_loses_nothing_and_doubles_nothing() {
    for operation in ["TransactWriteItems", "PutItem", "SendMessageBatch", "BatchGetItem"] {
        for n in [0, 2, 5, 9, 14] {
            for effect in [Effect::InternalError, Effect::LoseReply] {
                let app = with_fault(operation, n, effect.clone()).await;
                let at = format!("{operation} {n} {effect:?}");
                for user in ["bob", "cy", "eve"] {
                    let sizes = sizes(&app, user).await;
                    assert_eq!(sizes.iter().sum::<usize>(), 3, "{at} {user}: {sizes:?}");
                    let rows = trace(&app, json!({ "userId": user })).await;
                    assert!(rows.iter().all(|row| row["state"] == "delivered"), "{at}: {rows:?}");
                }
                let all: usize = counts(&app, ["bob", "cy", "eve"]).await.iter().sum();
                assert_eq!(delivered(&app).len(), all, "{at}");
                assert!(work(&app, "window").is_empty(), "{at}");
            }
        }
    }
}

#[tokio::test]
async fn a_store_that_refuses_writes_for_a_while_only_delays_notifications() {
    let app = start().await;
    app.expect_dead_letters();
    delay(&app, 30).await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    app.advance(std::time::Duration::from_secs(31));
    app.fail_writes();
    let _ = app.try_settle().await;
    assert_eq!(counts(&app, ["bob"]).await, [0]);
    app.embedded().clear_faults();
    recover(&app, 2).await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [1, 1, 1]);
    assert_eq!(delivered(&app).len(), 3);
}

#[tokio::test]
async fn the_timer_delivers_notifications_whose_queue_messages_were_lost() {
    let app = start().await;
    windows(&app, Some((60, 50)), None).await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    let url = EmbeddedServices::queue_path(&queue_name(Queue::Notifications));
    let request = json!({ "QueueUrl": format!("http://localhost{url}") });
    app.embedded().sqs("PurgeQueue", request).await.unwrap();
    for _ in 0..4 {
        wait(&app, 60).await;
    }
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [1, 1, 1]);
}
