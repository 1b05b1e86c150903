//! Users whose right has ended are not told of what goes on (rules N1, N7, N13).

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    add,
    scene::{
        change, comment, configure_mail, counts, delay, fates, prefer, recipients, reply, say,
        start, thread, wait, windows, work,
    },
};
use crate::{app::App, end_users::token};

const NONE: [&str; 0] = [];

/// A thread `t` of `d` in which everybody but `eve` takes part; mails are on, and nothing is left
/// to do.
async fn with_thread() -> App {
    let app = start().await;
    configure_mail(&app, json!({ "useEmailService": true })).await;
    let silent = || json!({ "triggerNotification": false });
    thread(&app, "d", "t", comment("ada", "first", silent()), json!({})).await;
    for user in ["bob", "cy"] {
        reply(&app, "d", "t", comment(user, "more", silent())).await;
    }
    app.settle().await;
    app.advance(Duration::from_millis(1));
    app
}

async fn leave(app: &App, user: &str) {
    let sent = json!({ "organizationId": "acme", "userIds": [user] });
    assert_eq!(app.call("users.delete", sent).await.data()[user]["success"], true);
    app.settle().await;
    app.advance(Duration::from_millis(1));
}

/// A right to a resource: `organization acme`, `document d`.
fn right(kind: &str, id: &str, expires_at: Option<u64>) -> Value {
    let mut right = json!({ "type": kind, "id": id, "organizationId": "acme" });
    if let Some(at) = expires_at {
        right["expiresAt"] = json!(at);
    }
    right
}

async fn grant(app: &App, user: &str, right: Value) {
    let sent = json!({ "user": { "userId": user }, "permissions": { "resources": [right] } });
    app.call("permissions.add", sent).await.ok();
}

/// Nothing was decided about a user, and nothing reached them.
async fn assert_untold(app: &App, user: &str) {
    assert_eq!(fates(app, user).await, NONE, "{user}");
    assert_eq!(counts(app, [user]).await, [0], "{user}");
    let is_theirs = |row: &Value| row["PK"]["S"].as_str().unwrap().ends_with(&format!("#{user}"));
    assert!(!work(app, "mail").iter().any(is_theirs), "a mail to {user}");
}

#[tokio::test]
async fn n1_a_user_who_left_the_organization_is_not_notified_of_earlier_threads() {
    let app = with_thread().await;
    leave(&app, "ada").await;
    reply(&app, "d", "t", comment("bob", "internal", json!({}))).await;
    app.settle().await;
    assert_untold(&app, "ada").await;
    assert_eq!(recipients(&app), 2, "cy and eve");
    assert_eq!(work(&app, "mail").len(), 1, "to cy");

    // With a delay and windows it is the same.
    delay(&app, 60).await;
    windows(&app, Some((600, 50)), None).await;
    reply(&app, "d", "t", comment("bob", "more", json!({}))).await;
    wait(&app, 61).await;
    wait(&app, 601).await;
    assert_untold(&app, "ada").await;
    assert_eq!(counts(&app, ["cy", "eve"]).await, [2, 2]);

    // Somebody who never had a right is told of a thread like before.
    let stranger = comment("gus", "public", json!({ "triggerNotification": false }));
    reply(&app, "d", "t", stranger).await;
    reply(&app, "d", "t", comment("bob", "again", json!({}))).await;
    wait(&app, 61).await;
    wait(&app, 601).await;
    assert_eq!(counts(&app, ["ada", "gus"]).await, [0, 1]);
}

#[tokio::test]
async fn n1_users_whose_right_was_removed_or_expired_are_not_notified() {
    let app = with_thread().await;
    let soon = app.now() / 1000 + 60;
    for (user, of) in [
        ("gus", right("organization", "acme", None)),
        ("hal", right("document", "d", None)),
        ("ida", right("organization", "acme", Some(soon))),
        ("jon", right("document", "d", Some(soon))),
    ] {
        grant(&app, user, of).await;
    }
    say(&app, "d", "s", "ada").await;
    app.settle().await;
    assert_eq!(counts(&app, ["gus", "hal", "ida", "jon"]).await, [1; 4], "while they hold it");
    for (user, of) in
        [("gus", right("organization", "acme", None)), ("hal", right("document", "d", None))]
    {
        let sent = json!({ "userId": user, "permissions": { "resources": [of] } });
        app.call("permissions.remove", sent).await.ok();
    }
    leave(&app, "eve").await;
    app.advance(Duration::from_secs(70));
    for user in ["gus", "hal", "ida", "jon", "eve"] {
        prefer(&app, user, None, json!({ "email": "ALL" })).await;
    }
    let before = recipients(&app);
    say(&app, "d", "u", "ada").await;
    add(&app, json!({ "notificationId": "n", "notifyAll": true })).await;
    app.settle().await;
    assert_eq!(recipients(&app), before + 2 + 3, "members alone");
    let users = ["ada", "bob", "gus", "hal", "ida", "jon", "eve", "nobody"];
    let lists = counts(&app, users).await;
    assert_eq!(lists, [1, 3, 1, 1, 1, 1, 1, 1], "for everybody is not for who was somebody");
    assert_eq!(work(&app, "mail").len(), 1, "to ada, whom the custom one names");
}

#[tokio::test]
async fn n1_a_user_who_left_is_notified_only_when_the_server_names_them() {
    let app = with_thread().await;
    leave(&app, "ada").await;
    // An end user names nobody who is gone.
    let bob = token(&app, "bob", json!([])).await;
    let mention = || json!({ "taggedUserContacts": [{ "userId": "ada" }] });
    let sent = json!({
        "organizationId": "acme", "documentId": "d", "annotationId": "t",
        "commentData": [comment("bob", "hello", mention())],
    });
    app.caller().end_user(&bob).call("comments.add", sent).await.ok();
    app.settle().await;
    assert_untold(&app, "ada").await;

    let number = reply(&app, "d", "t", comment("bob", "hello", mention())).await;
    app.settle().await;
    assert_eq!(counts(&app, ["ada"]).await, [1], "mentioned");
    change(&app, "d", "t", json!({ "assignedTo": { "userId": "ada" } })).await;
    app.settle().await;
    assert_eq!(counts(&app, ["ada"]).await, [2], "assigned");
    add(&app, json!({ "notificationId": "n" })).await;
    app.settle().await;
    assert_eq!(counts(&app, ["ada"]).await, [3], "notified");

    // A mention of before is no mention in what follows.
    let reaction = json!({
        "organizationId": "acme", "documentId": "d", "annotationId": "t", "commentId": number,
        "icon": "HEART", "from": { "userId": "cy" }, "triggerNotification": true,
    });
    app.call("comments.reactions_add", reaction).await.ok();
    reply(&app, "d", "t", comment("bob", "and so on", json!({}))).await;
    change(&app, "d", "t", json!({ "assignedTo": { "userId": "cy" } })).await;
    app.settle().await;
    assert_eq!(counts(&app, ["ada"]).await, [3]);
    assert_eq!(fates(&app, "ada").await.len(), 6, "each by inbox and mail");
}

#[tokio::test]
async fn n7_a_mention_of_a_user_who_leaves_during_the_delay_is_dropped() {
    let app = with_thread().await;
    delay(&app, 60).await;
    let mention = json!({ "taggedUserContacts": [{ "userId": "ada" }] });
    reply(&app, "d", "t", comment("bob", "hello", mention)).await;
    app.settle().await;
    app.advance(Duration::from_millis(1));
    leave(&app, "ada").await;
    wait(&app, 61).await;
    assert_eq!(fates(&app, "ada").await, ["inbox dropped deleted", "email dropped deleted"]);
    assert_eq!(counts(&app, ["ada"]).await, [0]);
}

#[tokio::test]
async fn n1_a_user_who_left_and_comments_again_is_notified_of_that_thread_only() {
    let app = with_thread().await;
    let silent = || json!({ "triggerNotification": false });
    thread(&app, "d", "other", comment("ada", "first", silent()), json!({})).await;
    app.settle().await;
    leave(&app, "ada").await;
    let ada = token(&app, "ada", json!([])).await;
    let sent = json!({
        "organizationId": "acme", "documentId": "d", "annotationId": "t",
        "commentData": [comment("ada", "it is public", silent())],
    });
    app.caller().end_user(&ada).call("comments.add", sent).await.ok();
    app.advance(Duration::from_millis(1));
    for thread in ["t", "other"] {
        reply(&app, "d", thread, comment("bob", "so it is", json!({}))).await;
    }
    app.settle().await;
    assert_eq!(counts(&app, ["ada"]).await, [1]);
}

#[tokio::test]
async fn n1_an_erased_user_is_not_notified() {
    let app = with_thread().await;
    grant(&app, "gus", right("document", "d", None)).await;
    for user in ["ada", "gus"] {
        app.call("user-data.delete", json!({ "userIds": [user] })).await.ok();
    }
    app.settle().await;
    wait(&app, 120).await;
    reply(&app, "d", "t", comment("bob", "internal", json!({}))).await;
    say(&app, "d", "s", "bob").await;
    app.settle().await;
    for user in ["ada", "gus", "deleted-user"] {
        assert_untold(&app, user).await;
    }
    assert_eq!(recipients(&app), 4, "cy and eve");
}
