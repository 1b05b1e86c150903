//! `notifications.count`, and what it counts since.

use std::time::Duration;

use serde_json::{Value, json};

use super::{add, find, ids, merge, restrict, start, stored, wrong};
use crate::{
    app::App,
    end_users::{member, token},
};

async fn count(app: &App, user: &str) -> Value {
    let sent = json!({ "organizationId": "acme", "userId": user });
    app.call("notifications.count", sent).await.data()
}

fn counted(unread: u64, unseen: u64, has_more: bool) -> Value {
    json!({ "unread": unread, "unseen": unseen, "hasMore": has_more })
}

async fn update(app: &App, members: Value) -> Value {
    let mut sent = json!({ "organizationId": "acme" });
    merge(&mut sent, members);
    app.call("notifications.update", sent).await.ok()
}

#[tokio::test]
async fn unread_are_those_that_the_user_may_see_and_has_not_read() {
    let app = start().await;
    assert_eq!(count(&app, "ada").await, counted(0, 0, false));
    for (id, members) in [
        ("d-ada", json!({})),
        ("d-bob", json!({ "notifyUsers": [{ "userId": "bob" }] })),
        ("e-ada", json!({ "documentId": "e" })),
        (
            "e-all",
            json!({ "documentId": "e", "notifyUsers": [{ "userId": "bob" }], "notifyAll": true }),
        ),
    ] {
        let mut members = members;
        members["notificationId"] = json!(id);
        add(&app, members).await;
    }
    assert_eq!(count(&app, "ada").await, counted(3, 3, false));
    assert_eq!(count(&app, "bob").await, counted(2, 2, false));
    update(&app, json!({ "notifications": [{ "id": "e-all", "readByUserIds": ["ada"] }] })).await;
    assert_eq!(count(&app, "ada").await, counted(2, 2, false));
    restrict(&app, "d", &["bob"]).await;
    assert_eq!(count(&app, "ada").await, counted(1, 1, false));
    let unknown = json!({ "organizationId": "unknown", "userId": "ada" });
    assert_eq!(app.call("notifications.count", unknown).await.data(), counted(0, 0, false));
}

#[tokio::test]
async fn what_came_after_the_user_saw_the_inbox_is_unseen() {
    let app = start().await;
    add(&app, json!({ "notificationId": "a" })).await;
    app.advance(Duration::from_secs(1));
    let sent = json!({ "organizationId": "acme", "userId": "ada" });
    assert_eq!(app.call("notifications.seen", sent).await.data()["success"], true);
    assert_eq!(count(&app, "ada").await, counted(1, 0, false));
    assert_eq!(find(&app, "a").await["readByUserIds"], json!([]));
    app.advance(Duration::from_secs(1));
    add(&app, json!({ "notificationId": "b" })).await;
    assert_eq!(count(&app, "ada").await, counted(2, 1, false));
}

#[tokio::test]
async fn all_marks_a_hundred_as_read_and_says_whether_there_are_more() {
    let app = start().await;
    for n in 0..130 {
        add(&app, json!({ "notificationId": format!("n{n:03}") })).await;
        app.advance(Duration::from_millis(10));
    }
    assert_eq!(count(&app, "ada").await, counted(100, 100, true));
    let all = json!({ "userId": "ada", "all": true });
    app.advance(Duration::from_secs(61));
    let first = update(&app, all.clone()).await;
    assert_eq!((&first["data"], &first["hasMore"]), (&json!({}), &json!(true)));
    assert_eq!(count(&app, "ada").await["unread"], 30);
    assert_eq!(find(&app, "n099").await["readByUserIds"], json!(["ada"]), "the oldest first");
    assert_eq!(update(&app, all.clone()).await["hasMore"], false);
    assert_eq!(count(&app, "ada").await, counted(0, 0, false));
    app.advance(Duration::from_secs(1));
    add(&app, json!({ "notificationId": "new" })).await;
    assert_eq!(count(&app, "ada").await, counted(1, 1, false));
    // A count does not depend on what was read before.
    app.forget_calls();
    count(&app, "ada").await;
    assert!(app.calls().len() <= 8, "{} calls", app.calls().len());
    assert_eq!(update(&app, all).await["hasMore"], false);
    assert_eq!(count(&app, "ada").await, counted(0, 0, false));
}

#[tokio::test]
async fn all_is_for_one_user_and_nothing_else() {
    let app = start().await;
    add(&app, json!({ "notificationId": "n" })).await;
    for (member, value) in [
        ("notifications", json!([{ "id": "n" }])),
        ("documentId", json!("d")),
        ("locationId", json!("l")),
        ("verifyUserPermissions", json!(true)),
    ] {
        let mut sent = json!({ "organizationId": "acme", "userId": "ada", "all": true });
        sent[member] = value;
        let path = wrong(&app, "notifications.update", sent).await;
        assert_eq!(path, json!(["data", member]));
    }
    for (sent, member) in [
        (json!({ "organizationId": "acme", "all": true }), "userId"),
        (json!({ "organizationId": "acme", "all": false }), "notifications"),
        (json!({ "organizationId": "acme" }), "notifications"),
    ] {
        let path = wrong(&app, "notifications.update", sent).await;
        assert_eq!(path, json!(["data", member]));
    }
    let unknown = json!({ "organizationId": "unknown", "userId": "ada", "all": true });
    assert_eq!(app.call("notifications.update", unknown).await.ok()["hasMore"], false);
    assert_eq!(stored(&app, &["inbox"]), [""; 0], "nothing was read, and nothing is stored");
}

#[tokio::test]
async fn a_mark_of_the_inbox_goes_with_its_user() {
    let app = start().await;
    member(&app, "ada", "viewer").await;
    let sent = json!({ "organizationId": "acme", "userId": "ada" });
    app.call("notifications.seen", sent).await.ok();
    assert_eq!(stored(&app, &["inbox"]), ["inbox#ada"]);
    let leaves = json!({ "organizationId": "acme", "userIds": ["ada"] });
    app.advance(Duration::from_secs(1));
    app.call("users.delete", leaves).await.ok();
    app.settle().await;
    assert_eq!(stored(&app, &["inbox"]), [""; 0]);
}

#[tokio::test]
async fn an_end_user_counts_and_reads_all_of_their_own() {
    let app = start().await;
    let (ada, eve) = (member(&app, "ada", "viewer").await, token(&app, "eve", json!([])).await);
    add(&app, json!({ "notificationId": "n" })).await;
    let own = json!({ "organizationId": "acme", "userId": "bob" });
    let reply = app.caller().end_user(&ada).call("notifications.count", own.clone()).await;
    assert_eq!(reply.data(), counted(1, 1, false), "the user of the token");
    let mut all = own.clone();
    all["all"] = json!(true);
    app.caller().end_user(&ada).call("notifications.update", all.clone()).await.ok();
    assert_eq!(count(&app, "ada").await, counted(0, 0, false));
    assert_eq!(find(&app, "n").await["readByUserIds"], json!(["ada"]));
    // Whoever has no right in the organization leaves nothing there.
    app.caller().end_user(&eve).call("notifications.update", all).await.error("PERMISSION_DENIED");
    app.caller().end_user(&eve).call("notifications.seen", own).await.error("PERMISSION_DENIED");
    assert_eq!(stored(&app, &["inbox"]), ["inbox#ada"]);
}

#[tokio::test]
async fn an_end_user_deletes_notifications_for_nobody_else() {
    let app = start().await;
    let (ada, bob) = (member(&app, "ada", "viewer").await, member(&app, "bob", "viewer").await);
    let both = json!([{ "userId": "ada" }, { "userId": "bob" }]);
    add(&app, json!({ "notificationId": "own" })).await;
    add(&app, json!({ "notificationId": "shared", "notifyUsers": both })).await;
    let bobs = json!([{ "userId": "bob" }]);
    add(&app, json!({ "notificationId": "all", "notifyUsers": bobs, "notifyAll": true })).await;
    let all = json!({ "organizationId": "acme", "notificationIds": ["own", "shared", "all", "x"] });
    let deleted = app.caller().end_user(&ada).call("notifications.delete", all).await.data();
    for (id, is_deleted) in [("own", true), ("shared", true), ("all", true), ("x", false)] {
        assert_eq!(deleted[id]["success"], is_deleted, "{id}");
    }
    assert_eq!(ids(&app, json!({ "userId": "ada" })).await, [""; 0]);
    let mut left = ids(&app, json!({ "userId": "bob" })).await;
    left.sort();
    assert_eq!(left, ["all", "shared"]);
    assert_eq!(find(&app, "all").await["notifyUsers"], json!({ "bob": true }), "and not who did");
    assert_eq!(count(&app, "ada").await, counted(0, 0, false));
    assert_eq!(count(&app, "bob").await, counted(2, 2, false));
    let own = json!({ "organizationId": "acme" });
    let reply = app.caller().end_user(&bob).call("notifications.delete", own).await;
    reply.error("INVALID_ARGUMENT");
    let foreign =
        json!({ "organizationId": "acme", "documentId": "d", "notificationIds": ["all"] });
    let reply = app.caller().end_user(&bob).call("notifications.delete", foreign).await;
    reply.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn an_end_user_deletes_nothing_that_the_user_may_not_see() {
    let app = start().await;
    let (ada, eve) = (member(&app, "ada", "viewer").await, token(&app, "eve", json!([])).await);
    let bobs = json!([{ "userId": "bob" }]);
    add(&app, json!({ "notificationId": "all", "notifyUsers": bobs, "notifyAll": true })).await;
    add(&app, json!({ "notificationId": "ada" })).await;
    restrict(&app, "d", &["bob"]).await;
    let sent = |ids: Value| json!({ "organizationId": "acme", "notificationIds": ids });
    for user in [&ada, &eve] {
        let all = sent(json!(["all", "ada", "none"]));
        let deleted = app.caller().end_user(user).call("notifications.delete", all).await.data();
        for id in ["all", "ada", "none"] {
            let message = format!("There is no notification {id}.");
            let entry = (&deleted[id]["success"], &deleted[id]["message"]);
            assert_eq!(entry, (&json!(false), &json!(message)));
        }
    }
    let mut left = ids(&app, json!({})).await;
    left.sort();
    assert_eq!(left, ["ada", "all"]);
    for wrong in [json!([]), json!(null), json!("all"), json!([1])] {
        let reply = app.caller().end_user(&ada).call("notifications.delete", sent(wrong)).await;
        reply.error("INVALID_ARGUMENT");
    }
}

#[tokio::test]
async fn the_inbox_is_seen_without_half_a_thread() {
    let app = start().await;
    for (sent, missing) in [("documentId", "annotationId"), ("annotationId", "documentId")] {
        let mut members = json!({ "organizationId": "acme", "userId": "ada" });
        members[sent] = json!("d");
        assert_eq!(wrong(&app, "notifications.seen", members).await, json!(["data", missing]));
    }
    for operation in ["notifications.seen", "notifications.count"] {
        let path = wrong(&app, operation, json!({ "organizationId": "acme" })).await;
        assert_eq!(path, json!(["data", "userId"]));
    }
    assert_eq!(stored(&app, &["inbox"]), [""; 0]);
}
