//! A reading on one page reaches the user's other pages.

use serde_json::{Value, json};
use tests::socket::Socket;

use super::events::ping;
use crate::{
    app::App,
    end_users::{at, member, with_document},
};

async fn follow(app: &App, token: &str) -> Socket {
    let mut socket = app.connect(&format!("protocol=events&token={token}")).await;
    let me = json!({ "type": "subscribe", "me": true, "organizationId": "acme" });
    socket.send_json(&me).await;
    assert_eq!(socket.json().await["me"], true);
    socket
}

async fn notify(app: &App, id: &str) {
    let notification = at(json!({
        "notificationId": id, "actionUser": { "userId": "ada" },
        "displayHeadlineMessageTemplate": "Hello", "displayBodyMessage": "There",
        "notifyAll": false, "notifyUsers": [{ "userId": "bob" }],
    }));
    app.call("notifications.add", notification).await.ok();
    app.settle().await;
}

async fn act(app: &App, token: &str, operation: &str, members: Value) {
    let mut sent = json!({ "organizationId": "acme" });
    sent.as_object_mut().expect("an object").extend(members.as_object().expect("members").clone());
    app.caller().end_user(token).call(operation, sent).await.ok();
    app.settle().await;
}

fn counted(unread: u64, unseen: u64) -> Value {
    json!({ "unread": unread, "unseen": unseen, "hasMore": false })
}

#[tokio::test]
async fn each_page_of_a_user_has_the_same_count() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let (mut one, mut two) = (follow(&app, &bob).await, follow(&app, &bob).await);
    let mut other = follow(&app, &ada).await;
    let config = json!({ "useNotificationService": true });
    app.call("configuration.notifications_update", config).await.ok();
    for id in ["a", "b", "c"] {
        notify(&app, id).await;
    }
    let steps = [
        (
            "notifications.seen",
            json!({}),
            json!({ "type": "notificationsSeen", "count": counted(3, 0) }),
        ),
        (
            "notifications.update",
            json!({ "notifications": [{ "id": "a", "readByUserIds": ["bob"] }] }),
            json!({ "type": "notificationsRead", "notificationIds": ["a"], "count": counted(2, 0) }),
        ),
        (
            "notifications.delete",
            json!({ "notificationIds": ["b"] }),
            json!({
                "type": "notificationsDeleted", "notificationIds": ["b"], "count": counted(1, 0),
            }),
        ),
        (
            "notifications.update",
            json!({ "all": true }),
            json!({ "type": "notificationsRead", "all": true, "count": counted(0, 0) }),
        ),
    ];
    for socket in [&mut one, &mut two] {
        for (n, id) in ["a", "b", "c"].into_iter().enumerate() {
            let told = socket.json().await;
            assert_eq!(
                (&told["type"], &told["notificationId"]),
                (&json!("notification"), &json!(id))
            );
            assert_eq!(told["count"], counted(n as u64 + 1, n as u64 + 1));
        }
    }
    for (operation, members, expected) in steps {
        act(&app, &bob, operation, members).await;
        for socket in [&mut one, &mut two] {
            let mut told = socket.json().await;
            assert_eq!(told["organizationId"], "acme");
            let told = told.as_object_mut().expect("a frame");
            told.remove("organizationId");
            told.remove("seenAt");
            assert_eq!(&json!(told), &expected, "{operation}");
        }
    }
    // A notification that is read already is no news, and others are told nothing.
    let again = json!({ "notifications": [{ "id": "a", "readByUserIds": ["bob"] }] });
    act(&app, &bob, "notifications.update", again).await;
    for socket in [&mut one, &mut two, &mut other] {
        ping(socket).await;
    }
}

#[tokio::test]
async fn a_thread_that_is_seen_is_seen_on_each_page_of_the_user() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let (mut page, mut other) = (follow(&app, &bob).await, follow(&app, &ada).await);
    let thread = at(json!({ "commentAnnotations": [{
        "annotationId": "t", "commentData": [{ "from": { "userId": "ada" }, "commentText": "x" }],
    }] }));
    app.call("comments.annotations_add", thread).await.ok();
    app.settle().await;
    let threads = async |token: &str| {
        let caller = app.caller().end_user(token);
        caller.call("comments.annotations_get", at(json!({}))).await.data()[0].clone()
    };
    let before = threads(&bob).await;
    assert_eq!((&before["unread"], before.get("seenAt")), (&json!(true), None));
    let own = threads(&ada).await;
    assert_eq!((&own["unread"], own.get("seenAt")), (&json!(false), None));
    act(&app, &bob, "notifications.seen", json!({ "documentId": "d", "annotationId": "t" })).await;
    let told = page.json().await;
    let seen_at = told["seenAt"].clone();
    assert_eq!(
        told,
        json!({
            "type": "seen", "organizationId": "acme", "documentId": "d", "annotationId": "t",
            "seenAt": seen_at,
        })
    );
    let after = threads(&bob).await;
    assert_eq!((&after["unread"], &after["seenAt"]), (&json!(false), &seen_at));
    app.advance(std::time::Duration::from_secs(1));
    let comment = at(json!({
        "annotationId": "t", "commentData": [{ "from": { "userId": "ada" }, "commentText": "y" }],
    }));
    app.call("comments.add", comment).await.ok();
    let by_id = at(json!({ "annotationIds": ["t"] }));
    let reply = app.caller().end_user(&bob).call("comments.annotations_get", by_id).await;
    let named = &reply.data()[0];
    assert_eq!((&named["unread"], &named["seenAt"]), (&json!(true), &seen_at));
    // The tenant's server reads for nobody.
    let all = app.call("comments.annotations_get", at(json!({}))).await.data();
    assert_eq!(all[0].get("unread"), None);
    app.settle().await;
    ping(&mut other).await;
}
