//! Batch windows (rules N8 to N12).

use serde_json::json;

use super::scene::{
    comment, configure, counts, delay, delivered, fates, inbox, reply, see, size, sizes, start,
    thread, trace, wait, windows, work,
};
use crate::app::App;

/// A thread, and then this many comments of `ada`, the first one silent.
async fn talk(app: &App, document: &str, id: &str, comments: usize) {
    let silent = json!({ "triggerNotification": false });
    thread(app, document, id, comment("ada", "x", silent), json!({})).await;
    for n in 0..comments {
        reply(app, document, id, comment("ada", &format!("comment {n}"), json!({}))).await;
    }
    app.settle().await;
}

#[tokio::test]
async fn n9_a_window_of_10_or_604800_seconds_delivers_one_digest_at_its_end() {
    for seconds in [10, 604_800] {
        let app = start().await;
        windows(&app, Some((seconds, 50)), None).await;
        talk(&app, "d", "t", 3).await;
        assert_eq!(counts(&app, ["bob"]).await, [0]);
        let row = &trace(&app, json!({ "userId": "bob" })).await[0];
        assert_eq!((&row["state"], row["dueAt"].is_u64()), (&json!("pending"), true));
        if seconds > 10 {
            wait(&app, seconds - 30).await;
            assert_eq!(counts(&app, ["bob"]).await, [0]);
        }
        wait(&app, if seconds > 10 { 31 } else { 11 }).await;
        assert_eq!(sizes(&app, "bob").await, [3], "{seconds} s");
    }
}

#[tokio::test]
async fn n10_a_full_window_closes_at_once_and_the_next_activity_opens_another() {
    for (max, all, expected) in [(2, 5, vec![2, 2, 1]), (50, 51, vec![50, 1])] {
        let app = start().await;
        windows(&app, Some((600, max)), None).await;
        talk(&app, "d", "t", all).await;
        let full = expected.len() - 1;
        assert_eq!(sizes(&app, "bob").await, expected[..full], "{max}");
        wait(&app, 601).await;
        assert_eq!(sizes(&app, "bob").await, expected, "{max}");
    }
}

#[tokio::test]
async fn sixty_activities_released_by_the_delay_at_once_become_digests_of_fifty_and_ten() {
    let app = start().await;
    delay(&app, 60).await;
    windows(&app, Some((600, 50)), None).await;
    talk(&app, "d", "t", 60).await;
    wait(&app, 90).await;
    assert_eq!(sizes(&app, "bob").await, [50]);
    wait(&app, 601).await;
    assert_eq!(sizes(&app, "bob").await, [50, 10]);
}

#[tokio::test]
async fn n8_document_and_user_windows_run_independently_and_an_activity_is_in_one_digest() {
    let app = start().await;
    windows(&app, Some((60, 50)), Some((600, 50))).await;
    talk(&app, "d", "t", 2).await;
    talk(&app, "e", "u", 1).await;
    wait(&app, 70).await;
    assert_eq!(sizes(&app, "bob").await.iter().sum::<usize>(), 3, "the documents were first");
    assert_eq!(counts(&app, ["bob"]).await, [2]);
    wait(&app, 601).await;
    assert_eq!(counts(&app, ["bob"]).await, [2], "nothing is left for the user's window");

    let app = start().await;
    windows(&app, Some((600, 50)), Some((60, 50))).await;
    talk(&app, "d", "t", 2).await;
    talk(&app, "e", "u", 1).await;
    wait(&app, 70).await;
    assert_eq!(sizes(&app, "bob").await, [3], "one digest over both documents");
    talk(&app, "d", "s", 1).await;
    wait(&app, 601).await;
    assert_eq!(sizes(&app, "bob").await, [3, 1]);
}

#[tokio::test]
async fn a_document_and_a_user_window_that_close_at_once_deliver_each_activity_once() {
    let app = start().await;
    windows(&app, Some((60, 3)), Some((60, 3))).await;
    talk(&app, "d", "t", 3).await;
    assert_eq!(sizes(&app, "bob").await, [3], "both are full at once");
    talk(&app, "d", "s", 2).await;
    wait(&app, 61).await;
    assert_eq!(sizes(&app, "bob").await, [3, 2], "both are over at once");
    wait(&app, 120).await;
    assert_eq!((sizes(&app, "bob").await, delivered(&app).len()), (vec![3, 2], 6));
}

#[tokio::test]
async fn n9_no_change_of_the_configuration_moves_the_end_of_a_window() {
    let app = start().await;
    windows(&app, Some((100, 50)), None).await;
    talk(&app, "d", "t", 2).await;
    windows(&app, Some((600, 50)), None).await;
    talk(&app, "d", "s", 1).await;
    wait(&app, 101).await;
    assert_eq!(sizes(&app, "bob").await, [3]);
}

#[tokio::test]
async fn n10_a_maximum_lowered_below_the_size_of_a_window_closes_it_at_the_next_activity() {
    let app = start().await;
    windows(&app, Some((600, 10)), None).await;
    talk(&app, "d", "t", 5).await;
    windows(&app, Some((600, 3)), None).await;
    assert_eq!(counts(&app, ["bob"]).await, [0]);
    talk(&app, "d", "s", 1).await;
    assert_eq!(sizes(&app, "bob").await, [5]);
    wait(&app, 601).await;
    assert_eq!(sizes(&app, "bob").await, [5, 1]);
}

#[tokio::test]
async fn n11_activities_in_a_window_are_delivered_at_its_end_after_the_scope_is_disabled() {
    let app = start().await;
    windows(&app, Some((600, 50)), None).await;
    talk(&app, "d", "t", 2).await;
    windows(&app, None, None).await;
    talk(&app, "d", "s", 1).await;
    assert_eq!(sizes(&app, "bob").await, [1], "new ones go at once");
    wait(&app, 601).await;
    assert_eq!(sizes(&app, "bob").await, [1, 2]);
}

#[tokio::test]
async fn n13_seen_activities_are_left_out_of_a_digest_and_a_single_one_left_is_no_digest() {
    let app = start().await;
    windows(&app, Some((60, 50)), None).await;
    talk(&app, "d", "t", 2).await;
    talk(&app, "d", "s", 1).await;
    see(&app, "d", "t", "bob").await;
    see(&app, "d", "t", "cy").await;
    see(&app, "d", "s", "cy").await;
    wait(&app, 61).await;
    let [it] = inbox(&app, "bob").await.try_into().unwrap();
    assert_eq!((size(&it), &it["targetAnnotationId"]), (1, &json!("s")));
    assert!(it["notificationSourceData"]["batch"].is_null());
    assert_eq!(counts(&app, ["cy", "eve"]).await, [0, 1], "nothing left is nothing at all");
    assert_eq!(fates(&app, "cy").await, ["inbox dropped seen"; 3]);
}

#[tokio::test]
async fn n12_a_delayed_activity_opens_its_window_when_the_delay_is_over() {
    let app = start().await;
    delay(&app, 100).await;
    windows(&app, None, Some((50, 50))).await;
    talk(&app, "d", "t", 2).await;
    wait(&app, 101).await;
    assert_eq!(counts(&app, ["bob"]).await, [0], "the window opens when the delay is over");
    wait(&app, 51).await;
    assert_eq!(sizes(&app, "bob").await, [2]);
    assert!(work(&app, "window").is_empty());
    configure(&app, json!({ "useNotificationService": false })).await;
}
